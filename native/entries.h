/* The entries of a map in binary form, in the order of their keys. */

#ifndef TOOLWIRE_ENTRIES_H
#define TOOLWIRE_ENTRIES_H

#include "plan.h"

typedef struct {
    const uint8_t *text; /* of a string, else NULL */
    size_t size;
    uint64_t bits; /* of a number or bool; signed ones extended to 64 bits */
    bool is_signed;
} Key;

typedef struct {
    Key key;
    Wire value; /* what follows the key in the entry */
} Entry;

enum { FEW_ENTRIES = 8 };

typedef struct {
    Entry few[FEW_ENTRIES];
    Entry *all; /* the few, or memory of its own */
    size_t count;
    size_t room;
} Entries;

static inline void entries_open(Entries *entries)
{
    entries->all = entries->few;
    entries->count = 0;
    entries->room = FEW_ENTRIES;
}

void entries_close(Entries *entries);

/* Collects the entries of a field in key order and steps over them; the tag of the first has
   been read. False where they are not as protobuf writes them: each key once, and before its
   value; or, with an exception set, where memory is short. */
bool entries_collect(Entries *entries, Wire *wire, uint32_t number, int key_kind);

#endif
