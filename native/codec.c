/* The module toolwire._json._codec: the common path of the JSON codec, natively.

   Whatever is rare, faulty or unknown it answers with None, "not mine", and the Python codec
   beside it does the work, or says what is wrong. So there is nothing here that makes an error
   message, and nothing may be accepted here that the Python codec refuses. */

#include <Python.h>

#include "base64.h"
#include "decode.h"
#include "depth.h"
#include "encode.h"

#ifndef TOOLWIRE_SOURCES
#define TOOLWIRE_SOURCES "unknown"
#endif

typedef struct {
    PyObject_HEAD
    PyObject *roots;     /* a dict from weak references to message classes to their plans */
    PyObject *find_root; /* a Python function that adds to it; None for what is no such class */
    PyObject *base;      /* protobuf's class of all messages */
    PyObject *serialize; /* its method SerializePartialToString */
    PyCFunction parse;   /* the function of its class method FromString, or NULL */
} CodecObject;

/* Names of protobuf's methods, made once. */
static PyObject *serialize_name;
static PyObject *parse_name;
static PyObject *wrapped_name; /* where proto-plus keeps its message */

/* Returns a new reference to the plan of a message class; NULL where there is none, with an
   exception set where that is an error. */
static PlanObject *root_plan(CodecObject *codec, PyObject *cls)
{
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, (PyTypeObject *)codec->base))
        return NULL;
    PyObject *reference = PyWeakref_NewRef(cls, NULL);
    if (reference == NULL)
        return NULL;
    PyObject *found = PyDict_GetItemWithError(codec->roots, reference);
    Py_XINCREF(found);
    Py_DECREF(reference);
    if (found == NULL && !PyErr_Occurred())
        found = PyObject_CallFunctionObjArgs(codec->find_root, cls, NULL);
    if (found != NULL && !PyObject_TypeCheck(found, &PlanType)) {
        Py_DECREF(found);
        return NULL;
    }
    return (PlanObject *)found;
}

/* What all methods answer where the work is left to Python, unless an exception is set. */
static PyObject *not_mine(void)
{
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* --- writing --- */

/* Returns the binary form of a message. */
static PyObject *serialize(CodecObject *codec, PyObject *message)
{
    PyObject *arguments[] = {message};
    PyObject *wire = PyObject_Vectorcall(codec->serialize, arguments, 1, NULL);
    if (wire != NULL && !PyBytes_CheckExact(wire))
        Py_CLEAR(wire);
    if (wire == NULL && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_MemoryError))
        PyErr_Clear();
    return wire;
}

/* How to write. */
typedef struct {
    bool as_text;
    bool proto_names;
    bool enums_as_ints;
} Options;

static PyObject *encode_text(PlanObject *plan, PyObject *wire, Options options)
{
    enum { LEAST_ROOM = 64 };
    Encoder encoder = {
        .proto_names = options.proto_names,
        .enums_as_ints = options.enums_as_ints,
    };
    const uint8_t *start = (const uint8_t *)PyBytes_AS_STRING(wire);
    size_t size = (size_t)PyBytes_GET_SIZE(wire);
    uint8_t scratch[SCRATCH];
    if (!buffer_open(&encoder.out, scratch, size + size / 2 + LEAST_ROOM, options.as_text))
        return NULL;
    if (!encode_message(&encoder, plan, start, start + size)) {
        buffer_close(&encoder.out);
        return not_mine();
    }
    return buffer_take(&encoder.out);
}

/* Writes a message by its plan. */
static PyObject *write_by_plan(CodecObject *codec, PlanObject *plan, PyObject *message,
                               Options options)
{
    if (plan->form == FORM_FOREIGN || is_too_deep(message, plan) != 0)
        return not_mine();
    PyObject *wire = serialize(codec, message);
    if (wire == NULL)
        return not_mine();
    PyObject *text = encode_text(plan, wire, options);
    Py_DECREF(wire);
    return text;
}

/* Writes the message that a proto-plus wrapper keeps. */
static PyObject *write_wrapped(CodecObject *codec, PyObject *wrapper, Options options)
{
    PyObject *message = PyType_Check(wrapper) ? NULL : PyObject_GetAttr(wrapper, wrapped_name);
    if (message == NULL) {
        PyErr_Clear();
        return Py_NewRef(Py_None);
    }
    PlanObject *plan = root_plan(codec, (PyObject *)Py_TYPE(message));
    PyObject *text = plan == NULL ? not_mine() : write_by_plan(codec, plan, message, options);
    Py_XDECREF(plan);
    Py_DECREF(message);
    return text;
}

static PyObject *write_message(PyObject *self, PyObject *const *args, Py_ssize_t count,
                               bool as_text)
{
    CodecObject *codec = (CodecObject *)self;
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "expected a message and two flags");
        return NULL;
    }
    int proto_names = PyObject_IsTrue(args[1]);
    int enums_as_ints = PyObject_IsTrue(args[2]);
    if (proto_names < 0 || enums_as_ints < 0)
        return NULL;
    Options options = {as_text, proto_names, enums_as_ints};
    PlanObject *plan = root_plan(codec, (PyObject *)Py_TYPE(args[0]));
    if (plan == NULL)
        return PyErr_Occurred() ? NULL : write_wrapped(codec, args[0], options);
    PyObject *text = write_by_plan(codec, plan, args[0], options);
    Py_DECREF(plan);
    return text;
}

static PyObject *codec_to_bytes(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return write_message(self, args, count, false);
}

static PyObject *codec_to_text(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return write_message(self, args, count, true);
}

/* --- reading --- */

/* Returns bytes with the text in UTF-8, or a text that is ASCII itself; NULL where it is neither
   text nor bytes. Bytes that can change under our hands are copied. */
static PyObject *as_utf8(PyObject *data)
{
    if (PyBytes_CheckExact(data))
        return Py_NewRef(data);
    if (PyUnicode_Check(data)) {
        if (PyUnicode_IS_COMPACT_ASCII(data))
            return Py_NewRef(data);
        return PyUnicode_AsUTF8String(data);
    }
    if (PyByteArray_Check(data) || PyMemoryView_Check(data))
        return PyBytes_FromObject(data);
    return NULL;
}

/* Returns the binary form of the message that the text stands for. */
static PyObject *decode_text(PlanObject *plan, PyObject *text, int max_depth)
{
    enum { LEAST_ROOM = 64 };
    bool is_text = PyUnicode_Check(text);
    const uint8_t *start = is_text ? PyUnicode_1BYTE_DATA(text)
                                   : (const uint8_t *)PyBytes_AS_STRING(text);
    size_t size = (size_t)(is_text ? PyUnicode_GET_LENGTH(text) : PyBytes_GET_SIZE(text));
    Decoder decoder = {.at = start, .end = start + size, .max_depth = max_depth};
    uint8_t scratch[SCRATCH];
    if (!buffer_open(&decoder.out, scratch, size + LEAST_ROOM, false))
        return NULL;
    if (!decode_message(&decoder, plan)) {
        buffer_close(&decoder.out);
        return NULL;
    }
    return buffer_take(&decoder.out);
}

/* Clears what the steps above raise to say "not mine"; lack of memory stays an error. */
static void forgive(void)
{
    if (PyErr_Occurred() &&
        (PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_TypeError) ||
         PyErr_ExceptionMatches(PyExc_BufferError)))
        PyErr_Clear();
}

/* Makes the message. Looking `FromString` up in the class costs more than many a message, so its
   function is called without that where it is what protobuf makes it. */
static PyObject *parse(CodecObject *codec, PyObject *cls, PyObject *wire)
{
    PyObject *message;
    if (codec->parse != NULL) {
        message = codec->parse(cls, wire);
    } else {
        PyObject *arguments[] = {cls, wire};
        message = PyObject_VectorcallMethod(parse_name, arguments, 2, NULL);
    }
    if (message == NULL && !PyErr_ExceptionMatches(PyExc_MemoryError))
        PyErr_Clear(); /* protobuf refuses it, so let Python say why */
    return message;
}

static PyObject *codec_from_text(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "expected a message class, the text and a depth");
        return NULL;
    }
    long max_depth = PyLong_CheckExact(args[2]) ? PyLong_AsLong(args[2]) : -1;
    if (max_depth < 0 || max_depth > DEEPEST) {
        PyErr_Clear();
        return Py_NewRef(Py_None);
    }
    PlanObject *plan = root_plan((CodecObject *)self, args[0]);
    if (plan == NULL)
        return not_mine();
    PyObject *message = NULL;
    PyObject *text = plan->form == FORM_FOREIGN ? NULL : as_utf8(args[1]);
    if (text == NULL) {
        forgive();
    } else {
        PyObject *wire = decode_text(plan, text, (int)max_depth);
        Py_DECREF(text);
        if (wire != NULL) {
            message = parse((CodecObject *)self, args[0], wire);
            Py_DECREF(wire);
        }
    }
    Py_DECREF(plan);
    return message != NULL ? message : not_mine();
}

/* --- the object --- */

static PyMethodDef codec_methods[] = {
    {"to_bytes", (PyCFunction)(void (*)(void))codec_to_bytes, METH_FASTCALL,
     "to_bytes(message, proto_names, enums_as_ints): JSON in UTF-8, or None."},
    {"to_text", (PyCFunction)(void (*)(void))codec_to_text, METH_FASTCALL,
     "to_text(message, proto_names, enums_as_ints): JSON as text, or None."},
    {"from_text", (PyCFunction)(void (*)(void))codec_from_text, METH_FASTCALL,
     "from_text(cls, data, max_depth): the message, or None."},
    {NULL, NULL, 0, NULL},
};

/* Returns the function of the class method FromString, which takes the class and the bytes; NULL
   where it is something else. */
static PyCFunction parse_function(PyTypeObject *base)
{
    PyObject *found = PyDict_GetItemWithError(base->tp_dict, parse_name);
    if (found == NULL || !Py_IS_TYPE(found, &PyClassMethodDescr_Type))
        return NULL;
    PyMethodDef *method = ((PyMethodDescrObject *)found)->d_method;
    return method->ml_flags == (METH_O | METH_CLASS) ? method->ml_meth : NULL;
}

static PyObject *codec_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *roots, *find_root, *base;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Codec takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!OO!", &PyDict_Type, &roots, &find_root, &PyType_Type, &base))
        return NULL;
    CodecObject *self = (CodecObject *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->roots = Py_NewRef(roots);
    self->find_root = Py_NewRef(find_root);
    self->base = Py_NewRef(base);
    self->serialize = PyObject_GetAttr(base, serialize_name);
    self->parse = parse_function((PyTypeObject *)base);
    if (self->serialize == NULL || PyErr_Occurred()) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static int codec_traverse(PyObject *object, visitproc visit, void *arg)
{
    CodecObject *self = (CodecObject *)object;
    Py_VISIT(self->roots);
    Py_VISIT(self->find_root);
    Py_VISIT(self->base);
    Py_VISIT(self->serialize);
    return 0;
}

static int codec_clear(PyObject *object)
{
    CodecObject *self = (CodecObject *)object;
    Py_CLEAR(self->roots);
    Py_CLEAR(self->find_root);
    Py_CLEAR(self->base);
    Py_CLEAR(self->serialize);
    return 0;
}

static void codec_dealloc(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    codec_clear(object);
    Py_TYPE(object)->tp_free(object);
}

static PyTypeObject CodecType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "toolwire._json._codec.Codec",
    .tp_doc = "Codec(roots, find_root, base): the codec over plans that Python makes.",
    .tp_basicsize = sizeof(CodecObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = codec_new,
    .tp_dealloc = codec_dealloc,
    .tp_traverse = codec_traverse,
    .tp_clear = codec_clear,
    .tp_methods = codec_methods,
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "toolwire._json._codec",
    .m_doc = "The common path of the JSON codec, natively.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__codec(void)
{
    prepare_base64();
    serialize_name = PyUnicode_InternFromString("SerializePartialToString");
    parse_name = PyUnicode_InternFromString("FromString");
    wrapped_name = PyUnicode_InternFromString("_pb");
    if (serialize_name == NULL || parse_name == NULL || wrapped_name == NULL)
        return NULL;
    PyObject *module = PyModule_Create(&module_definition);
    if (module == NULL)
        return NULL;
    if (PyModule_AddType(module, &EnumType) < 0 || PyModule_AddType(module, &PlanType) < 0 ||
        PyModule_AddType(module, &CodecType) < 0 ||
        PyModule_AddStringConstant(module, "SOURCES", TOOLWIRE_SOURCES) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
