/* The keys of one JSON object, to find one that stands twice. */

#ifndef TOOLWIRE_KEYS_H
#define TOOLWIRE_KEYS_H

#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

enum { FEW_KEYS = 8 };

/* A key: where it stands, counted from a base that may move. */
typedef struct {
    size_t start;
    uint32_t size;
    uint32_t hash;
} KeyPlace;

typedef struct {
    KeyPlace few[FEW_KEYS];
    KeyPlace *many; /* a hash table of all keys, once there are more than a few */
    size_t count;
    size_t mask;
} Keys;

static inline void keys_open(Keys *keys)
{
    keys->many = NULL;
    keys->count = 0;
}

void keys_close(Keys *keys);

/* Adds the key at base + start. False where it is there already; or where there are so many keys
   with one hash that somebody may want it so: Python's dict has a secret against that; or, with
   an exception set, where memory is short. */
bool keys_add(Keys *keys, const uint8_t *base, size_t start, size_t size);

#endif
