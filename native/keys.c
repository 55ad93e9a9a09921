#include "keys.h"

#include <string.h>

enum { MOST_PROBES = 64 };

static const uint32_t NO_KEY = UINT32_MAX; /* the size in an empty place */

/* Spreads each bit over all of the number: a product alone only spreads upwards. */
static uint64_t mix(uint64_t number)
{
    number *= 0x9e3779b97f4a7c15u;
    return number ^ number >> 32;
}

static uint32_t hash_key(const uint8_t *key, size_t size)
{
    uint64_t hash = size;
    for (; size >= 8; key += 8, size -= 8) {
        uint64_t eight;
        memcpy(&eight, key, 8);
        hash = mix(hash ^ eight);
    }
    uint64_t rest = 0;
    for (; size > 0; key++, size--)
        rest = rest << 8 | *key;
    return (uint32_t)mix(mix(hash ^ rest));
}

static bool is_same(const uint8_t *base, const KeyPlace *one, const KeyPlace *other)
{
    return one->hash == other->hash && one->size == other->size &&
           memcmp(base + one->start, base + other->start, one->size) == 0;
}

/* Puts a key into the table, which has room; false where it is there, or too many like it. */
static bool put_key(Keys *keys, const uint8_t *base, const KeyPlace *key)
{
    size_t i = key->hash & keys->mask;
    for (int probe = 0; probe < MOST_PROBES; probe++, i = (i + 1) & keys->mask) {
        KeyPlace *place = &keys->many[i];
        if (place->size == NO_KEY) {
            *place = *key;
            return true;
        }
        if (is_same(base, place, key))
            return false;
    }
    return false;
}

/* Makes a table that is at most half full, and moves the keys there. */
static bool rehash(Keys *keys, const uint8_t *base)
{
    KeyPlace *old = keys->many == NULL ? keys->few : keys->many;
    size_t old_size = keys->many == NULL ? keys->count : keys->mask + 1;
    size_t size = keys->many == NULL ? FEW_KEYS * 4 : old_size * 2;
    KeyPlace *table = PyMem_Malloc(size * sizeof *table);
    if (table == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < size; i++)
        table[i].size = NO_KEY;
    KeyPlace *to_free = keys->many;
    keys->many = table;
    keys->mask = size - 1;
    bool done = true;
    for (size_t i = 0; i < old_size && done; i++)
        if (old[i].size != NO_KEY)
            done = put_key(keys, base, &old[i]);
    PyMem_Free(to_free);
    return done;
}

bool keys_add(Keys *keys, const uint8_t *base, size_t start, size_t size)
{
    if (size >= NO_KEY)
        return false;
    KeyPlace key = {start, (uint32_t)size, hash_key(base + start, size)};
    if (keys->many == NULL && keys->count < FEW_KEYS) {
        for (size_t i = 0; i < keys->count; i++)
            if (is_same(base, &keys->few[i], &key))
                return false;
        keys->few[keys->count++] = key;
        return true;
    }
    if ((keys->many == NULL || keys->count * 2 > keys->mask) && !rehash(keys, base))
        return false;
    keys->count++;
    return put_key(keys, base, &key);
}

void keys_close(Keys *keys)
{
    PyMem_Free(keys->many);
    keys->many = NULL;
}
