/* A look at a message before protobuf serialises it. */

#ifndef TOOLWIRE_DEPTH_H
#define TOOLWIRE_DEPTH_H

#include "plan.h"

/* Tells whether a message in memory nests deeper than protobuf's reader accepts, as far as a
   short look shows. Protobuf's own writer calls itself for each level without limit, and some
   tens of thousands of levels overflow the stack and end the process; only a program's own loops
   build such messages, mostly as one chain. So this follows each message to one end, with a few
   side branches. Returns -1 with an exception set where asking the message fails. */
int is_too_deep(PyObject *message, PlanObject *plan);

#endif
