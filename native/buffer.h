/* A byte buffer that grows: what both directions write into. */

#ifndef TOOLWIRE_BUFFER_H
#define TOOLWIRE_BUFFER_H

#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint8_t *start;
    uint8_t *at;     /* where the next byte goes */
    uint8_t *limit;  /* behind the last byte that there is room for */
    PyObject *owner; /* the bytes or ASCII text that all this lies in, so that nothing is copied;
                        NULL while it lies in the scratch space of whoever opened the buffer */
    bool as_text;
} Buffer;

/* What most conversions fit into: on the stack, and faster than memory that must be shrunk. */
enum { SCRATCH = 512 };

/* Both return false with a MemoryError set where there is no memory. What is expected to be
   short is written to `scratch`, of SCRATCH bytes, as long as it is. */
bool buffer_open(Buffer *buffer, uint8_t *scratch, size_t expected, bool as_text);
bool buffer_grow(Buffer *buffer, size_t room);

/* Returns what was written, as bytes or, where the buffer was opened so, as text; NULL with an
   exception set where memory is short. The buffer is then closed. */
PyObject *buffer_take(Buffer *buffer);

void buffer_close(Buffer *buffer);

static inline size_t buffer_size(const Buffer *buffer)
{
    return (size_t)(buffer->at - buffer->start);
}

/* Makes sure that there is room for that many more bytes. The put functions below do not ask. */
static inline bool buffer_room(Buffer *buffer, size_t room)
{
    return (size_t)(buffer->limit - buffer->at) >= room || buffer_grow(buffer, room);
}

static inline void put_byte(Buffer *buffer, uint8_t byte)
{
    *buffer->at++ = byte;
}

static inline void put_bytes(Buffer *buffer, const void *bytes, size_t size)
{
    memcpy(buffer->at, bytes, size);
    buffer->at += size;
}

/* Writes bytes and makes room for them first. */
static inline bool write_bytes(Buffer *buffer, const void *bytes, size_t size)
{
    if (!buffer_room(buffer, size))
        return false;
    put_bytes(buffer, bytes, size);
    return true;
}

static inline bool write_byte(Buffer *buffer, uint8_t byte)
{
    if (!buffer_room(buffer, 1))
        return false;
    put_byte(buffer, byte);
    return true;
}

#endif
