/* From the binary form of a message to its JSON text. */

#ifndef TOOLWIRE_ENCODE_H
#define TOOLWIRE_ENCODE_H

#include "buffer.h"
#include "plan.h"

typedef struct {
    Buffer out;
    bool proto_names;
    bool enums_as_ints;
} Encoder;

/* Writes the message in [at, end), which protobuf has serialised, at the end of `out`. False,
   with or without an exception set, where that is left to Python: whatever JSON cannot express,
   nests too deeply, or is not in the order in which protobuf writes. */
bool encode_message(Encoder *encoder, PlanObject *plan, const uint8_t *at, const uint8_t *end);

#endif
