/* Strings: JSON's escapes and UTF-8, in both directions. */

#ifndef TOOLWIRE_TEXT_H
#define TOOLWIRE_TEXT_H

#include "buffer.h"

/* Writes UTF-8 text as a JSON string; false where it is not UTF-8. */
bool write_string(Buffer *buffer, const uint8_t *text, size_t size);

/* A string as it stands in a JSON text, without its quotes. */
typedef struct {
    const uint8_t *start;
    size_t size;
    bool escaped; /* it has escapes, so that it says something else than it looks */
} String;

/* Reads the string whose opening quote is at `at`. Returns what follows its closing quote, or
   NULL where it is no JSON string, or not UTF-8. The text must end in a NUL byte. */
const uint8_t *scan_string(String *string, const uint8_t *at, const uint8_t *end);

/* Puts what an escaped string says, in UTF-8; that is never longer than the string, and the
   caller has made the room. False for lone surrogates and unknown escapes. */
bool put_unescaped(Buffer *buffer, const String *string);

static inline bool string_is(const String *string, const char *text)
{
    return string->size == strlen(text) && memcmp(string->start, text, string->size) == 0;
}

#endif
