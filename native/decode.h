/* From the JSON text of a message to its binary form. */

#ifndef TOOLWIRE_DECODE_H
#define TOOLWIRE_DECODE_H

#include "plan.h"
#include "scan.h"

/* Reads the whole text and writes the message to `out`. False, with or without an exception set,
   where that is left to Python: whatever is not plainly right. */
bool decode_message(Decoder *decoder, PlanObject *plan);

#endif
