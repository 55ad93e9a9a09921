#include "buffer.h"

/* Points the buffer into its owner, with that much written already. */
static void point(Buffer *buffer, size_t used)
{
    PyObject *owner = buffer->owner;
    bool is_text = PyUnicode_Check(owner);
    Py_ssize_t size = is_text ? PyUnicode_GET_LENGTH(owner) : PyBytes_GET_SIZE(owner);
    buffer->start = is_text ? PyUnicode_1BYTE_DATA(owner) : (uint8_t *)PyBytes_AS_STRING(owner);
    buffer->at = buffer->start + used;
    buffer->limit = buffer->start + size;
}

/* Returns new bytes or text with room for that much. */
static PyObject *make_owner(size_t room, bool as_text)
{
    if (room > (size_t)PY_SSIZE_T_MAX / 2)
        return PyErr_NoMemory();
    return as_text ? PyUnicode_New((Py_ssize_t)room, 127)
                   : PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
}

bool buffer_open(Buffer *buffer, uint8_t *scratch, size_t expected, bool as_text)
{
    *buffer = (Buffer){
        .start = scratch, .at = scratch, .limit = scratch + SCRATCH, .as_text = as_text};
    if (expected <= SCRATCH)
        return true;
    buffer->owner = make_owner(expected, as_text);
    if (buffer->owner == NULL)
        return false;
    point(buffer, 0);
    return true;
}

/* Moves what lies in the scratch space to an owner with room for that much. */
static bool move_to_owner(Buffer *buffer, size_t room)
{
    const uint8_t *scratch = buffer->start;
    size_t used = buffer_size(buffer);
    buffer->owner = make_owner(room, buffer->as_text);
    if (buffer->owner == NULL)
        return false;
    point(buffer, 0);
    put_bytes(buffer, scratch, used);
    return true;
}

/* Both kinds of owner are resized in place, which nobody else has seen yet. */
static bool resize(PyObject **owner, size_t size)
{
    if (PyUnicode_Check(*owner)) {
        if (PyUnicode_Resize(owner, (Py_ssize_t)size) == 0)
            return true;
        Py_CLEAR(*owner);
        return false;
    }
    return _PyBytes_Resize(owner, (Py_ssize_t)size) == 0; /* it clears the owner itself */
}

bool buffer_grow(Buffer *buffer, size_t room)
{
    size_t used = buffer_size(buffer);
    size_t size = (size_t)(buffer->limit - buffer->start);
    if (room > (size_t)PY_SSIZE_T_MAX / 2 - used || size > (size_t)PY_SSIZE_T_MAX / 4) {
        PyErr_NoMemory();
        return false;
    }
    /* Half as much again each time: linear time, and never twice what is needed. */
    size += size / 2;
    if (size < used + room)
        size = used + room;
    if (buffer->owner == NULL)
        return move_to_owner(buffer, size);
    if (!resize(&buffer->owner, size)) {
        buffer_close(buffer);
        return false;
    }
    point(buffer, used);
    return true;
}

static bool is_ascii(const uint8_t *at, size_t size)
{
    enum { BLOCK = 256 };
    while (size > 0) {
        size_t block = size < BLOCK ? size : BLOCK;
        uint8_t all = 0;
        for (size_t i = 0; i < block; i++)
            all |= at[i];
        if (all >= 0x80)
            return false;
        at += block;
        size -= block;
    }
    return true;
}

/* Returns what was written as a new object. */
static PyObject *copy(const Buffer *buffer)
{
    const char *start = (const char *)buffer->start;
    Py_ssize_t used = (Py_ssize_t)buffer_size(buffer);
    return buffer->as_text ? PyUnicode_DecodeUTF8(start, used, "strict")
                           : PyBytes_FromStringAndSize(start, used);
}

PyObject *buffer_take(Buffer *buffer)
{
    size_t used = buffer_size(buffer);
    PyObject *taken = NULL;
    if (buffer->owner != NULL && (!buffer->as_text || is_ascii(buffer->start, used))) {
        taken = buffer->owner;
        resize(&taken, used); /* leaves NULL behind where it fails */
        buffer->owner = NULL;
    } else {
        taken = copy(buffer);
    }
    buffer_close(buffer);
    return taken;
}

void buffer_close(Buffer *buffer)
{
    Py_CLEAR(buffer->owner);
    *buffer = (Buffer){0};
}
