/* Numbers and their text, in both directions. */

#ifndef TOOLWIRE_NUMBER_H
#define TOOLWIRE_NUMBER_H

#include "buffer.h"

/* The longest text that any of the writers below makes. */
enum { NUMBER_ROOM = 40 };

/* These ask for no room: the caller has made sure of NUMBER_ROOM. */
void put_uint(Buffer *buffer, uint64_t value);
void put_int(Buffer *buffer, int64_t value);
void put_padded(Buffer *buffer, uint32_t value, int digits);

/* Write a finite number in the shortest form that reads back, spelt as Python spells it; false
   with an exception set where memory is short. */
bool write_double(Buffer *buffer, double value);
bool write_float(Buffer *buffer, float value);

/* A number as it stands in a JSON text. */
typedef struct {
    const uint8_t *start;
    const uint8_t *end;
    uint64_t mantissa; /* all digits, without the point */
    int digits;        /* how many, leading zeros left out */
    int exponent;      /* of ten, for the mantissa */
    bool negative;
    bool literal_int;  /* neither point nor exponent */
} Number;

/* Reads the longest number that stands at the start of [at, end); false if none does, or it is
   so long that the Python codec shall look at it. */
bool scan_number(Number *number, const uint8_t *at, const uint8_t *end);

/* What the number stands for; false where that is no such value, or not surely. */
bool number_double(const Number *number, double *value);
bool number_int(const Number *number, int64_t low, int64_t high, int64_t *value);
bool number_uint(const Number *number, uint64_t high, uint64_t *value);

#endif
