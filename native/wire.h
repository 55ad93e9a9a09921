/* Protobuf's binary form: reading and writing its few elements. */

#ifndef TOOLWIRE_WIRE_H
#define TOOLWIRE_WIRE_H

#include "buffer.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BLOCK = 2, WIRE_FIXED32 = 5 };

enum {
    LONGEST_VARINT = 10,
    /* Lengths that are not known before what they count are written as varints of this width,
       padded, so that nothing must be moved afterwards. */
    PADDED_LENGTH = 5
};

/* The levels of messages that protobuf's own reader accepts below the outermost one. */
enum { DEEPEST = 100 };

/* A part of the binary form that is being read. */
typedef struct {
    const uint8_t *at;
    const uint8_t *end;
} Wire;

static inline bool wire_varint(Wire *wire, uint64_t *value)
{
    uint64_t found = 0;
    for (int shift = 0; shift < 7 * LONGEST_VARINT && wire->at < wire->end; shift += 7) {
        uint8_t byte = *wire->at++;
        found |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = found;
            return true;
        }
    }
    return false;
}

static inline bool wire_fixed32(Wire *wire, uint32_t *value)
{
    if (wire->end - wire->at < 4)
        return false;
    const uint8_t *b = wire->at;
    *value = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    wire->at += 4;
    return true;
}

static inline bool wire_fixed64(Wire *wire, uint64_t *value)
{
    uint32_t low, high;
    if (!wire_fixed32(wire, &low) || !wire_fixed32(wire, &high))
        return false;
    *value = (uint64_t)high << 32 | low;
    return true;
}

/* Reads a length and steps over the bytes that it counts, which become `block`. */
static inline bool wire_block(Wire *wire, Wire *block)
{
    uint64_t size;
    if (!wire_varint(wire, &size) || size > (uint64_t)(wire->end - wire->at))
        return false;
    block->at = wire->at;
    block->end = wire->at = wire->at + size;
    return true;
}

/* Reads a tag: the number of a field and the wire type of its value. */
static inline bool wire_tag(Wire *wire, uint32_t *number, int *type)
{
    uint64_t tag;
    if (!wire_varint(wire, &tag) || tag > UINT32_MAX)
        return false;
    *number = (uint32_t)tag >> 3;
    *type = (int)(tag & 7);
    return *number != 0;
}

/* Tells whether the next tag is that of the same field, and if so steps over it. */
static inline bool take_same_tag(Wire *wire, uint32_t number, int type)
{
    Wire ahead = *wire;
    uint32_t next;
    int next_type;
    if (ahead.at == ahead.end || !wire_tag(&ahead, &next, &next_type) || next != number ||
        next_type != type)
        return false;
    *wire = ahead;
    return true;
}

/* From the form in which sint32 and sint64 are sent to the number. */
static inline int64_t unzigzag(uint64_t value)
{
    return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}

/* Steps over a value of that wire type; false for groups, too. */
static inline bool wire_skip(Wire *wire, int type)
{
    uint64_t number;
    uint32_t small;
    Wire block;
    switch (type) {
    case WIRE_VARINT:
        return wire_varint(wire, &number);
    case WIRE_FIXED64:
        return wire_fixed64(wire, &number);
    case WIRE_BLOCK:
        return wire_block(wire, &block);
    case WIRE_FIXED32:
        return wire_fixed32(wire, &small);
    default:
        return false;
    }
}

static inline void put_varint(Buffer *buffer, uint64_t value)
{
    while (value >= 0x80) {
        put_byte(buffer, (uint8_t)(value | 0x80));
        value >>= 7;
    }
    put_byte(buffer, (uint8_t)value);
}

static inline void put_fixed32(Buffer *buffer, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        put_byte(buffer, (uint8_t)(value >> 8 * i));
}

static inline void put_fixed64(Buffer *buffer, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        put_byte(buffer, (uint8_t)(value >> 8 * i));
}

/* Writes a number as a varint of exactly that many bytes, which are enough for it. */
static inline void fill_padded(uint8_t *at, size_t value, size_t size)
{
    for (; size > 1; size--, value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at = (uint8_t)value;
}

/* The same as those above, but they make the room first. */

static inline bool write_tag(Buffer *out, uint32_t number, int type)
{
    if (!buffer_room(out, LONGEST_VARINT))
        return false;
    put_varint(out, (uint64_t)number << 3 | (uint64_t)type);
    return true;
}

static inline bool write_varint(Buffer *out, uint64_t value)
{
    if (!buffer_room(out, LONGEST_VARINT))
        return false;
    put_varint(out, value);
    return true;
}

static inline bool write_fixed32(Buffer *out, uint32_t value)
{
    if (!buffer_room(out, 4))
        return false;
    put_fixed32(out, value);
    return true;
}

static inline bool write_fixed64(Buffer *out, uint64_t value)
{
    if (!buffer_room(out, 8))
        return false;
    put_fixed64(out, value);
    return true;
}

#endif
