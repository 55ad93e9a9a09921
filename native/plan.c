#define PY_SSIZE_T_CLEAN

#include "plan.h"

#include <stddef.h>
#include <string.h>

/* --- tables of names --- */

static const uint32_t NO_NAME = UINT32_MAX; /* the size in an empty slot */

static uint32_t hash_name(const uint8_t *name, size_t size)
{
    uint64_t first = 0;
    uint64_t last = 0;
    if (size >= 8) {
        memcpy(&first, name, 8);
        memcpy(&last, name + size - 8, 8);
    } else {
        for (size_t i = 0; i < size; i++)
            first = first << 8 | name[i];
    }
    uint64_t mixed = (first ^ (last * 0x9e3779b97f4a7c15u) ^ size) * 0xd6e8feb86659fd93u;
    return (uint32_t)(mixed ^ mixed >> 32);
}

bool names_find(const Names *names, const uint8_t *name, size_t size, int32_t *value)
{
    uint32_t hash = hash_name(name, size);
    for (uint32_t i = hash & names->mask;; i = (i + 1) & names->mask) {
        const NameSlot *slot = &names->slots[i];
        if (slot->size == NO_NAME)
            return false;
        if (slot->hash == hash && slot->size == size &&
            memcmp(names->text + slot->start, name, size) == 0) {
            *value = slot->value;
            return true;
        }
    }
}

static void names_add(Names *names, uint32_t start, uint32_t size, int32_t value)
{
    uint32_t hash = hash_name(names->text + start, size);
    uint32_t i = hash & names->mask;
    while (names->slots[i].size != NO_NAME)
        i = (i + 1) & names->mask;
    names->slots[i] = (NameSlot){hash, start, size, value};
}

static void names_close(Names *names)
{
    PyMem_Free(names->slots);
    PyMem_Free(names->text);
    names->slots = NULL;
    names->text = NULL;
}

/* Fills a table from a list of pairs of bytes and an int. */
static bool names_open(Names *names, PyObject *pairs)
{
    Py_ssize_t count = PyList_GET_SIZE(pairs);
    size_t total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *name;
        Py_ssize_t size;
        int value;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(pairs, i), "y#i", &name, &size, &value))
            return false;
        total += (size_t)size;
    }
    if (total > INT32_MAX || count > INT32_MAX / 4) {
        PyErr_SetString(PyExc_ValueError, "too many names");
        return false;
    }
    uint32_t slots = 4;
    while (slots < 2 * (uint32_t)count)
        slots *= 2;
    names->mask = slots - 1;
    names->slots = PyMem_Malloc(slots * sizeof *names->slots);
    names->text = PyMem_Malloc(total + 1);
    if (names->slots == NULL || names->text == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (uint32_t i = 0; i < slots; i++)
        names->slots[i].size = NO_NAME;
    uint32_t start = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *name;
        Py_ssize_t size;
        int value;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(pairs, i), "y#i", &name, &size, &value))
            return false;
        memcpy(names->text + start, name, (size_t)size);
        names_add(names, start, (uint32_t)size, value);
        start += (uint32_t)size;
    }
    return true;
}

/* --- enums --- */

const EnumValue *enum_find(const EnumObject *kind, int32_t number)
{
    /* Most enums count up from 0, so the number mostly is the index. */
    if (number >= 0 && number < kind->count && kind->values[number].number == number)
        return &kind->values[number];
    Py_ssize_t low = 0;
    Py_ssize_t high = kind->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (kind->values[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < kind->count && kind->values[low].number == number;
    return found ? &kind->values[low] : NULL;
}

/* Enum(values, names, is_null): pairs of a name in quotes and its number, by number, and pairs
   of a name and its number. */
static PyObject *enum_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *values, *names;
    int is_null;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Enum takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!O!p", &PyList_Type, &values, &PyList_Type, &names, &is_null))
        return NULL;
    EnumObject *self = (EnumObject *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->is_null = is_null;
    self->texts = PyList_AsTuple(values);
    if (self->texts == NULL || !names_open(&self->names, names))
        goto failed;
    Py_ssize_t count = PyTuple_GET_SIZE(self->texts);
    self->values = PyMem_Calloc((size_t)count + 1, sizeof *self->values);
    if (self->values == NULL) {
        PyErr_NoMemory();
        goto failed;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        EnumValue *value = &self->values[i];
        const char *text;
        Py_ssize_t size;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(self->texts, i), "y#i", &text, &size,
                              &value->number))
            goto failed;
        value->text = (const uint8_t *)text;
        value->size = (size_t)size;
    }
    self->count = count;
    return (PyObject *)self;

failed:
    Py_DECREF(self);
    return NULL;
}

static void enum_dealloc(PyObject *object)
{
    EnumObject *self = (EnumObject *)object;
    PyMem_Free(self->values);
    names_close(&self->names);
    Py_XDECREF(self->texts);
    Py_TYPE(object)->tp_free(object);
}

PyTypeObject EnumType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "toolwire._json._codec.Enum",
    .tp_doc = "The values of an enum type.",
    .tp_basicsize = sizeof(EnumObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = enum_new,
    .tp_dealloc = enum_dealloc,
};

/* --- message types --- */

Py_ssize_t plan_find(const PlanObject *plan, uint32_t number, Py_ssize_t guess)
{
    if (guess < plan->count && plan->fields[guess].number == number)
        return guess;
    Py_ssize_t low = 0;
    Py_ssize_t high = plan->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (plan->fields[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < plan->count && plan->fields[low].number == number ? low : -1;
}

PlanObject *field_plan(PlanObject *plan, Field *field)
{
    if (field->plan != NULL)
        return field->plan;
    PyObject *found = PyObject_CallFunctionObjArgs(plan->find, field->type_name, NULL);
    if (found == NULL)
        return NULL;
    if (!PyObject_TypeCheck(found, &PlanType)) {
        PyErr_SetString(PyExc_TypeError, "expected a Plan");
        Py_DECREF(found);
        return NULL;
    }
    if (field->plan == NULL) /* another thread may have been here meanwhile */
        field->plan = (PlanObject *)found;
    else
        Py_DECREF(found);
    return field->plan;
}

static bool is_kind(int kind)
{
    return kind >= KIND_DOUBLE && kind <= KIND_SINT64 && kind != 10;
}

/* Fills a field from the tuple that _native_plans.py describes. */
static bool field_open(Field *field, PyObject *tuple)
{
    int kind, key_kind, shape, oneof, takes_null, may_nest;
    PyObject *json_key, *proto_key, *attribute, *type;
    if (!PyArg_ParseTuple(tuple, "IiiiippSSUO", &field->number, &kind, &key_kind, &shape, &oneof,
                          &takes_null, &may_nest, &json_key, &proto_key, &attribute, &type))
        return false;
    bool keyed = shape == MAP;
    if (!is_kind(kind) || shape < SINGLE || shape > MAP || (keyed && !is_kind(key_kind)) ||
        oneof < 0 || (oneof >= MOST_ONEOFS && oneof != NO_ONEOF) ||
        (kind == KIND_ENUM && !PyObject_TypeCheck(type, &EnumType)) ||
        (kind == KIND_MESSAGE && !PyUnicode_Check(type))) {
        PyErr_SetString(PyExc_ValueError, "no such field");
        return false;
    }
    field->kind = (uint8_t)kind;
    field->key_kind = (uint8_t)key_kind;
    field->shape = (uint8_t)shape;
    field->oneof = (uint8_t)oneof;
    field->takes_null = takes_null;
    field->may_nest = may_nest;
    field->json_key = Py_NewRef(json_key);
    field->proto_key = Py_NewRef(proto_key);
    field->attribute = Py_NewRef(attribute);
    if (kind == KIND_ENUM)
        field->values = (EnumObject *)Py_NewRef(type);
    else if (kind == KIND_MESSAGE)
        field->type_name = Py_NewRef(type);
    return true;
}

/* Plan(form, fields, names, find): fields as tuples, by number, and pairs of a name and the
   index of its field. */
static PyObject *plan_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    int form;
    PyObject *fields, *names, *find;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Plan takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "iO!O!O", &form, &PyList_Type, &fields, &PyList_Type, &names,
                          &find))
        return NULL;
    Py_ssize_t count = PyList_GET_SIZE(fields);
    if (form < FORM_FIELDS || form > FORM_WRAPPER || count > MOST_FIELDS) {
        PyErr_SetString(PyExc_ValueError, "no such plan");
        return NULL;
    }
    PlanObject *self = (PlanObject *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->form = (Form)form;
    self->find = Py_NewRef(find);
    self->fields = PyMem_Calloc((size_t)count + 1, sizeof *self->fields);
    if (self->fields == NULL) {
        PyErr_NoMemory();
        goto failed;
    }
    for (; self->count < count; self->count++) {
        Field *field = &self->fields[self->count];
        if (!field_open(field, PyList_GET_ITEM(fields, self->count)))
            goto failed;
    }
    if (!names_open(&self->names, names))
        goto failed;
    for (uint32_t i = 0; i <= self->names.mask; i++) {
        NameSlot *slot = &self->names.slots[i];
        if (slot->size != NO_NAME && (slot->value < 0 || slot->value >= count)) {
            PyErr_SetString(PyExc_ValueError, "a name without a field");
            goto failed;
        }
    }
    return (PyObject *)self;

failed:
    Py_DECREF(self);
    return NULL;
}

/* Plans refer to each other in circles, as a Schema holds Schemas: hence the two functions that
   the garbage collector asks. */

static int plan_traverse(PyObject *object, visitproc visit, void *arg)
{
    PlanObject *self = (PlanObject *)object;
    Py_VISIT(self->find);
    for (Py_ssize_t i = 0; i < self->count; i++)
        Py_VISIT((PyObject *)self->fields[i].plan);
    return 0;
}

static int plan_clear(PyObject *object)
{
    PlanObject *self = (PlanObject *)object;
    Py_CLEAR(self->find);
    for (Py_ssize_t i = 0; i < self->count; i++)
        Py_CLEAR(self->fields[i].plan);
    return 0;
}

static void plan_dealloc(PyObject *object)
{
    PlanObject *self = (PlanObject *)object;
    PyObject_GC_UnTrack(object);
    plan_clear(object);
    for (Py_ssize_t i = 0; i < self->count; i++) {
        Py_XDECREF(self->fields[i].json_key);
        Py_XDECREF(self->fields[i].proto_key);
        Py_XDECREF(self->fields[i].attribute);
        Py_XDECREF(self->fields[i].type_name);
        Py_XDECREF(self->fields[i].values);
    }
    PyMem_Free(self->fields);
    names_close(&self->names);
    Py_TYPE(object)->tp_free(object);
}

PyTypeObject PlanType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "toolwire._json._codec.Plan",
    .tp_doc = "How a message type is written and read.",
    .tp_basicsize = sizeof(PlanObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = plan_new,
    .tp_dealloc = plan_dealloc,
    .tp_traverse = plan_traverse,
    .tp_clear = plan_clear,
};
