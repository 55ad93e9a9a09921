/* What the codec knows of a message type: made from its descriptor, once, by _native_plans.py. */

#ifndef TOOLWIRE_PLAN_H
#define TOOLWIRE_PLAN_H

#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

/* The types of fields, numbered as in descriptor.proto. */
typedef enum {
    KIND_DOUBLE = 1,
    KIND_FLOAT = 2,
    KIND_INT64 = 3,
    KIND_UINT64 = 4,
    KIND_INT32 = 5,
    KIND_FIXED64 = 6,
    KIND_FIXED32 = 7,
    KIND_BOOL = 8,
    KIND_STRING = 9,
    KIND_MESSAGE = 11,
    KIND_BYTES = 12,
    KIND_UINT32 = 13,
    KIND_ENUM = 14,
    KIND_SFIXED32 = 15,
    KIND_SFIXED64 = 16,
    KIND_SINT32 = 17,
    KIND_SINT64 = 18
} Kind;

typedef enum { SINGLE = 0, LIST = 1, MAP = 2 } Shape;

/* The JSON forms of message types. */
typedef enum {
    FORM_FIELDS = 0,   /* an object of its fields */
    FORM_FOREIGN = 1,  /* left to Python */
    FORM_STRUCT = 2,
    FORM_VALUE = 3,
    FORM_LIST = 4,
    FORM_TIMESTAMP = 5,
    FORM_DURATION = 6,
    FORM_WRAPPER = 7
} Form;

enum { MOST_FIELDS = 256, MOST_ONEOFS = 64, NO_ONEOF = 255 };

/* A table from names to small numbers. The names stand in `text`, one behind the other. */
typedef struct {
    uint32_t hash;
    uint32_t start;
    uint32_t size;
    int32_t value;
} NameSlot;

typedef struct {
    NameSlot *slots; /* a power of two of them; those without a name have size UINT32_MAX */
    uint32_t mask;
    uint8_t *text;
} Names;

/* Finds a name; false where it is not known. */
bool names_find(const Names *names, const uint8_t *name, size_t size, int32_t *value);

typedef struct {
    int32_t number;
    const uint8_t *text; /* the name in quotes */
    size_t size;
} EnumValue;

typedef struct {
    PyObject_HEAD
    bool is_null; /* NullValue, whose 0 is null */
    Py_ssize_t count;
    EnumValue *values; /* by number */
    PyObject *texts;   /* what they point into */
    Names names;
} EnumObject;

/* Finds the name of a number, in quotes; NULL where it has none. */
const EnumValue *enum_find(const EnumObject *kind, int32_t number);

typedef struct PlanObject PlanObject;

typedef struct {
    uint32_t number;
    uint8_t kind;
    uint8_t key_kind; /* of a map */
    uint8_t shape;
    uint8_t oneof; /* or NO_ONEOF */
    bool takes_null;
    bool may_nest;        /* messages can nest below it without end */
    PyObject *json_key;   /* bytes: its name in quotes and a colon */
    PyObject *proto_key;
    PyObject *attribute;  /* its name as an attribute */
    PyObject *type_name;  /* of its message type */
    PlanObject *plan;     /* of its message type, once it has been needed */
    EnumObject *values;
} Field;

struct PlanObject {
    PyObject_HEAD
    Form form;
    Py_ssize_t count;
    Field *fields; /* by number */
    Names names;
    PyObject *find; /* a Python function from a type's name to its plan */
};

/* The wire type of a kind of field, where it is not packed. */
static inline int wire_type_of(int kind)
{
    switch (kind) {
    case KIND_DOUBLE:
    case KIND_FIXED64:
    case KIND_SFIXED64:
        return WIRE_FIXED64;
    case KIND_FLOAT:
    case KIND_FIXED32:
    case KIND_SFIXED32:
        return WIRE_FIXED32;
    case KIND_STRING:
    case KIND_BYTES:
    case KIND_MESSAGE:
        return WIRE_BLOCK;
    default:
        return WIRE_VARINT;
    }
}

extern PyTypeObject EnumType;
extern PyTypeObject PlanType;

/* Returns the plan of a field's messages, borrowed; NULL with an exception set. */
PlanObject *field_plan(PlanObject *plan, Field *field);

/* Returns the index of a field, -1 where the number is not known. It first looks at `guess`. */
Py_ssize_t plan_find(const PlanObject *plan, uint32_t number, Py_ssize_t guess);

#endif
