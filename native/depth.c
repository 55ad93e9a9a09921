#include "depth.h"

enum { SIDE_BRANCHES = 3 };

typedef struct {
    int branches; /* how many more may be looked at */
} Look;

static int look_below(Look *look, PyObject *message, PlanObject *plan, int depth);

/* Returns the last message of a repeated field, or one of a map; NULL, without an exception,
   where it is empty. */
static PyObject *one_of(PyObject *container, Shape shape)
{
    Py_ssize_t size = PyObject_Size(container);
    if (size <= 0)
        return NULL;
    if (shape == LIST)
        return PySequence_GetItem(container, size - 1);
    PyObject *keys = PyObject_GetIter(container);
    PyObject *key = keys == NULL ? NULL : PyIter_Next(keys);
    PyObject *value = key == NULL ? NULL : PyObject_GetItem(container, key);
    Py_XDECREF(keys);
    Py_XDECREF(key);
    return value;
}

/* Returns a message that a field holds; NULL, without an exception, where there is none. */
static PyObject *message_in(PyObject *message, const Field *field)
{
    if (field->shape == SINGLE) {
        PyObject *set = PyObject_CallMethod(message, "HasField", "O", field->attribute);
        if (set == NULL)
            return NULL;
        bool is_set = set == Py_True;
        Py_DECREF(set);
        return is_set ? PyObject_GetAttr(message, field->attribute) : NULL;
    }
    PyObject *container = PyObject_GetAttr(message, field->attribute);
    if (container == NULL)
        return NULL;
    PyObject *found = one_of(container, (Shape)field->shape);
    Py_DECREF(container);
    return found;
}

static int look_into(Look *look, PyObject *message, PlanObject *plan, Field *field, int depth)
{
    PyObject *inner = message_in(message, field);
    if (inner == NULL)
        return PyErr_Occurred() ? -1 : 0;
    PlanObject *inner_plan = field_plan(plan, field);
    int levels = field->shape == MAP ? 2 : 1;
    int result = inner_plan == NULL ? -1 : look_below(look, inner, inner_plan, depth + levels);
    Py_DECREF(inner);
    return result;
}

static int look_below(Look *look, PyObject *message, PlanObject *plan, int depth)
{
    if (depth > DEEPEST)
        return 1;
    for (Py_ssize_t i = 0; i < plan->count && look->branches > 0; i++) {
        if (!plan->fields[i].may_nest)
            continue;
        int result = look_into(look, message, plan, &plan->fields[i], depth);
        if (result != 0)
            return result;
    }
    if (depth > 0)
        look->branches--; /* an end was reached; each further one is a branch */
    return 0;
}

int is_too_deep(PyObject *message, PlanObject *plan)
{
    Look look = {SIDE_BRANCHES + 1};
    return look_below(&look, message, plan, 0);
}
