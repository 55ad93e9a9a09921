/* Timestamp and Duration: seconds and nanoseconds to their JSON text and back. */

#ifndef TOOLWIRE_TIMES_H
#define TOOLWIRE_TIMES_H

#include "text.h"

/* Write the text in quotes; false where it is out of range. */
bool write_timestamp(Buffer *buffer, int64_t seconds, int32_t nanos);
bool write_duration(Buffer *buffer, int64_t seconds, int32_t nanos);

/* Read the text; false where it is not exactly of the form, or out of range. */
bool read_timestamp(const String *string, int64_t *seconds, int32_t *nanos);
bool read_duration(const String *string, int64_t *seconds, int32_t *nanos);

#endif
