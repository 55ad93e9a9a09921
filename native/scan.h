/* The JSON text that is being read, and its punctuation. */

#ifndef TOOLWIRE_SCAN_H
#define TOOLWIRE_SCAN_H

#include "number.h"
#include "text.h"

typedef struct {
    Buffer out;
    const uint8_t *at;  /* what comes next in the text */
    const uint8_t *end; /* a NUL byte stands here, which no JSON has: no need to ask each time */
    int max_depth;
} Decoder;

static inline void skip_space(Decoder *decoder)
{
    const uint8_t *at = decoder->at;
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
    decoder->at = at;
}

static inline bool take(Decoder *decoder, char character)
{
    if (*decoder->at != (uint8_t)character)
        return false;
    decoder->at++;
    return true;
}

static inline bool take_word(Decoder *decoder, const char *word, size_t size)
{
    if ((size_t)(decoder->end - decoder->at) < size || memcmp(decoder->at, word, size) != 0)
        return false;
    decoder->at += size;
    return true;
}

static inline bool take_null(Decoder *decoder)
{
    return take_word(decoder, "null", 4);
}

static inline bool take_string(Decoder *decoder, String *string)
{
    const uint8_t *next = scan_string(string, decoder->at, decoder->end);
    if (next == NULL)
        return false;
    decoder->at = next;
    return true;
}

static inline bool take_number(Decoder *decoder, Number *number)
{
    if (!scan_number(number, decoder->at, decoder->end))
        return false;
    decoder->at = number->end;
    return true;
}

/* Steps to the next item of a list or object that ends with `close`, behind the comma. `more` is
   false at its end, behind `close`. */
static inline bool next_item(Decoder *decoder, bool first, char close, bool *more)
{
    skip_space(decoder);
    if (take(decoder, close)) {
        *more = false;
        return true;
    }
    *more = true;
    if (first)
        return true;
    if (!take(decoder, ','))
        return false;
    skip_space(decoder);
    return true; /* a closing bracket here is no value, and so found by whoever reads one */
}

/* Reads the next key of an object and steps to its value. */
static inline bool next_member(Decoder *decoder, bool first, String *key, bool *more)
{
    if (!next_item(decoder, first, '}', more))
        return false;
    if (!*more)
        return true;
    if (!take_string(decoder, key))
        return false;
    skip_space(decoder);
    if (!take(decoder, ':'))
        return false;
    skip_space(decoder);
    return true;
}

#endif
