/* From JSON values to the binary form of fields that are no messages. */

#ifndef TOOLWIRE_DECODE_SCALAR_H
#define TOOLWIRE_DECODE_SCALAR_H

#include "plan.h"
#include "scan.h"

/* All of them write without a tag, and answer false as decode_message does. */

/* Reads the value of a field that is no message. */
bool decode_scalar(Decoder *decoder, const Field *field);

bool decode_bool(Decoder *decoder);

/* Writes what a string says, behind its length. */
bool write_text(Buffer *out, const String *string);

/* Writes an integer as the binary form of its kind. */
bool write_number(Buffer *out, int kind, const Number *number);

#endif
