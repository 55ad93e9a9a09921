#include "entries.h"

#include <stdlib.h>

enum { ENTRY_KEY = 1 };

/* Reads the key at the start of an entry. */
static bool read_key(Wire *entry, int kind, Key *key)
{
    uint32_t small;
    Wire block;
    *key = (Key){0};
    if (!take_same_tag(entry, ENTRY_KEY, wire_type_of(kind)))
        return false;
    switch (wire_type_of(kind)) {
    case WIRE_VARINT:
        if (!wire_varint(entry, &key->bits))
            return false;
        break;
    case WIRE_FIXED32:
        if (!wire_fixed32(entry, &small))
            return false;
        key->bits = small;
        break;
    case WIRE_FIXED64:
        if (!wire_fixed64(entry, &key->bits))
            return false;
        break;
    default:
        if (kind != KIND_STRING || !wire_block(entry, &block))
            return false;
        key->text = block.at;
        key->size = (size_t)(block.end - block.at);
        return true;
    }
    key->is_signed = true;
    switch (kind) {
    case KIND_INT32:
    case KIND_SFIXED32:
        key->bits = (uint64_t)(int64_t)(int32_t)key->bits;
        break;
    case KIND_SINT32:
        key->bits = (uint64_t)(int64_t)(int32_t)unzigzag((uint32_t)key->bits);
        break;
    case KIND_SINT64:
        key->bits = (uint64_t)unzigzag(key->bits);
        break;
    case KIND_INT64:
    case KIND_SFIXED64:
        break;
    default:
        key->is_signed = false;
        if (kind == KIND_UINT32)
            key->bits = (uint32_t)key->bits;
        break;
    }
    return true;
}

/* The order of two entries' keys: of bytes, which in UTF-8 is that of the characters, or of
   numbers. */
static int compare(const void *one, const void *other)
{
    const Key *a = &((const Entry *)one)->key;
    const Key *b = &((const Entry *)other)->key;
    if (a->text != NULL) {
        size_t common = a->size < b->size ? a->size : b->size;
        int order = memcmp(a->text, b->text, common);
        return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
    }
    const uint64_t bias = a->is_signed ? (uint64_t)1 << 63 : 0;
    uint64_t first = a->bits ^ bias;
    uint64_t second = b->bits ^ bias;
    return (first > second) - (first < second);
}

static bool make_room(Entries *entries)
{
    if (entries->count < entries->room)
        return true;
    size_t room = entries->room * 2;
    bool is_own = entries->all != entries->few;
    Entry *all = PyMem_Realloc(is_own ? entries->all : NULL, room * sizeof *all);
    if (all == NULL) {
        PyErr_NoMemory();
        return false;
    }
    if (!is_own)
        memcpy(all, entries->few, sizeof entries->few);
    entries->all = all;
    entries->room = room;
    return true;
}

bool entries_collect(Entries *entries, Wire *wire, uint32_t number, int key_kind)
{
    bool ascends = true;
    do {
        Wire entry;
        if (!wire_block(wire, &entry) || !make_room(entries))
            return false;
        Entry *added = &entries->all[entries->count];
        if (!read_key(&entry, key_kind, &added->key))
            return false;
        added->value = entry;
        if (entries->count > 0 && compare(added - 1, added) >= 0)
            ascends = false;
        entries->count++;
    } while (take_same_tag(wire, number, WIRE_BLOCK));
    if (ascends)
        return true;
    qsort(entries->all, entries->count, sizeof *entries->all, compare);
    for (size_t i = 1; i < entries->count; i++)
        if (compare(&entries->all[i - 1], &entries->all[i]) == 0)
            return false;
    return true;
}

void entries_close(Entries *entries)
{
    if (entries->all != entries->few)
        PyMem_Free(entries->all);
}
