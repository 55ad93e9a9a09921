#include "encode.h"

#include <math.h>

#include "base64.h"
#include "entries.h"
#include "number.h"
#include "text.h"
#include "times.h"
#include "wire.h"

/* The fields of the well-known types, as in their .proto files. */
enum {
    ENTRY_VALUE = 2,
    STRUCT_FIELDS = 1,
    LIST_VALUES = 1,
    VALUE_NULL = 1,
    VALUE_NUMBER = 2,
    VALUE_STRING = 3,
    VALUE_BOOL = 4,
    VALUE_STRUCT = 5,
    VALUE_LIST = 6,
    TIME_SECONDS = 1,
    TIME_NANOS = 2,
    WRAPPER_VALUE = 1
};

static bool encode_any_form(Encoder *encoder, PlanObject *plan, Wire wire, int depth);
static bool encode_struct(Encoder *encoder, Wire wire, int depth);
static bool encode_list_value(Encoder *encoder, Wire wire, int depth);

/* Writes a comma unless an object or a list has just been opened. */
static bool write_comma(Buffer *out)
{
    uint8_t last = out->at[-1];
    return last == '{' || last == '[' || write_byte(out, ',');
}

/* --- scalars --- */

/* Writes NaN and the infinities as text; a finite number is not written. */
static bool write_special(Buffer *out, double value)
{
    if (isnan(value))
        return write_bytes(out, "\"NaN\"", 5);
    return value > 0 ? write_bytes(out, "\"Infinity\"", 10) : write_bytes(out, "\"-Infinity\"", 11);
}

static bool write_double_bits(Buffer *out, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? write_double(out, value) : write_special(out, value);
}

static bool write_float_bits(Buffer *out, uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? write_float(out, value) : write_special(out, value);
}

static bool write_integer(Buffer *out, int64_t value)
{
    if (!buffer_room(out, NUMBER_ROOM))
        return false;
    put_int(out, value);
    return true;
}

/* 64-bit integers are strings in JSON, since not every reader keeps all their digits. */
static bool write_quoted(Buffer *out, uint64_t value, bool is_signed)
{
    if (!buffer_room(out, NUMBER_ROOM))
        return false;
    put_byte(out, '"');
    if (is_signed)
        put_int(out, (int64_t)value);
    else
        put_uint(out, value);
    put_byte(out, '"');
    return true;
}

static bool write_bool(Buffer *out, bool value)
{
    return value ? write_bytes(out, "true", 4) : write_bytes(out, "false", 5);
}

static bool write_enum(Encoder *encoder, const EnumObject *kind, int32_t number)
{
    if (number == 0 && kind->is_null)
        return write_bytes(&encoder->out, "null", 4);
    const EnumValue *known = encoder->enums_as_ints ? NULL : enum_find(kind, number);
    if (known == NULL)
        return write_integer(&encoder->out, number);
    return write_bytes(&encoder->out, known->text, known->size);
}

static bool encode_varint(Encoder *encoder, int kind, const EnumObject *values, Wire *wire)
{
    Buffer *out = &encoder->out;
    uint64_t value;
    if (!wire_varint(wire, &value))
        return false;
    switch (kind) {
    case KIND_INT32:
        return write_integer(out, (int32_t)value);
    case KIND_UINT32:
        return write_integer(out, (uint32_t)value);
    case KIND_SINT32:
        return write_integer(out, (int32_t)unzigzag((uint32_t)value));
    case KIND_INT64:
        return write_quoted(out, value, true);
    case KIND_UINT64:
        return write_quoted(out, value, false);
    case KIND_SINT64:
        return write_quoted(out, (uint64_t)unzigzag(value), true);
    case KIND_BOOL:
        return write_bool(out, value != 0);
    case KIND_ENUM:
        return write_enum(encoder, values, (int32_t)value);
    default:
        return false;
    }
}

static bool encode_fixed32(Buffer *out, int kind, Wire *wire)
{
    uint32_t value;
    if (!wire_fixed32(wire, &value))
        return false;
    if (kind == KIND_FLOAT)
        return write_float_bits(out, value);
    return write_integer(out, kind == KIND_SFIXED32 ? (int32_t)value : (int64_t)value);
}

static bool encode_fixed64(Buffer *out, int kind, Wire *wire)
{
    uint64_t value;
    if (!wire_fixed64(wire, &value))
        return false;
    if (kind == KIND_DOUBLE)
        return write_double_bits(out, value);
    return write_quoted(out, value, kind == KIND_SFIXED64);
}

/* Writes the value at the start of `wire` that is no message, and steps over it. */
static bool encode_scalar(Encoder *encoder, int kind, const EnumObject *values, Wire *wire)
{
    Wire block;
    switch (wire_type_of(kind)) {
    case WIRE_VARINT:
        return encode_varint(encoder, kind, values, wire);
    case WIRE_FIXED32:
        return encode_fixed32(&encoder->out, kind, wire);
    case WIRE_FIXED64:
        return encode_fixed64(&encoder->out, kind, wire);
    default:
        if (!wire_block(wire, &block))
            return false;
        if (kind == KIND_STRING)
            return write_string(&encoder->out, block.at, (size_t)(block.end - block.at));
        return write_base64(&encoder->out, block.at, (size_t)(block.end - block.at));
    }
}

/* Writes the value of a wrapper that is at its default, which the binary form leaves out. */
static bool write_default(Encoder *encoder, const Field *field)
{
    static const uint8_t ZERO[8] = {0};
    Wire wire = {ZERO, ZERO + sizeof ZERO};
    return encode_scalar(encoder, field->kind, field->values, &wire);
}

/* --- fields --- */

/* Writes the value of a field, or of an item of one, and steps over it. */
static bool encode_single(Encoder *encoder, PlanObject *plan, Field *field, Wire *wire, int depth)
{
    if (field->kind != KIND_MESSAGE)
        return encode_scalar(encoder, field->kind, field->values, wire);
    Wire block;
    PlanObject *inner = field_plan(plan, field);
    return inner != NULL && depth < DEEPEST && wire_block(wire, &block) &&
           encode_any_form(encoder, inner, block, depth + 1);
}

static bool encode_packed(Encoder *encoder, const Field *field, Wire *wire)
{
    Wire items;
    if (!wire_block(wire, &items) || items.at == items.end)
        return false;
    while (items.at < items.end)
        if (!write_comma(&encoder->out) ||
            !encode_scalar(encoder, field->kind, field->values, &items))
            return false;
    return true;
}

static bool encode_list(Encoder *encoder, PlanObject *plan, Field *field, Wire *wire, int type,
                        int depth)
{
    int item_type = wire_type_of(field->kind);
    if (!write_byte(&encoder->out, '['))
        return false;
    if (type == WIRE_BLOCK && item_type != WIRE_BLOCK) {
        if (!encode_packed(encoder, field, wire))
            return false;
    } else {
        if (type != item_type)
            return false;
        do {
            if (!write_comma(&encoder->out) || !encode_single(encoder, plan, field, wire, depth))
                return false;
        } while (take_same_tag(wire, field->number, type));
    }
    return write_byte(&encoder->out, ']');
}

static bool write_map_key(Buffer *out, int kind, const Key *key)
{
    if (kind == KIND_STRING)
        return write_string(out, key->text, key->size);
    if (kind == KIND_BOOL)
        return key->bits != 0 ? write_bytes(out, "\"true\"", 6) : write_bytes(out, "\"false\"", 7);
    return write_quoted(out, key->bits, key->is_signed);
}

static bool encode_entries(Encoder *encoder, PlanObject *plan, Field *field, const Entries *entries,
                           int depth)
{
    Buffer *out = &encoder->out;
    for (size_t i = 0; i < entries->count; i++) {
        const Entry *entry = &entries->all[i];
        Wire value = entry->value;
        if (!write_comma(out) || !write_map_key(out, field->key_kind, &entry->key) ||
            !write_byte(out, ':') ||
            !take_same_tag(&value, ENTRY_VALUE, wire_type_of(field->kind)) ||
            !encode_single(encoder, plan, field, &value, depth + 1) || value.at != value.end)
            return false;
    }
    return true;
}

static bool encode_map(Encoder *encoder, PlanObject *plan, Field *field, Wire *wire, int type,
                       int depth)
{
    Entries entries;
    if (type != WIRE_BLOCK || depth >= DEEPEST || !write_byte(&encoder->out, '{'))
        return false;
    entries_open(&entries);
    bool done = entries_collect(&entries, wire, field->number, field->key_kind) &&
                encode_entries(encoder, plan, field, &entries, depth);
    entries_close(&entries);
    return done && write_byte(&encoder->out, '}');
}

static bool encode_field(Encoder *encoder, PlanObject *plan, Field *field, Wire *wire, int type,
                         int depth)
{
    PyObject *key = encoder->proto_names ? field->proto_key : field->json_key;
    if (!write_comma(&encoder->out) ||
        !write_bytes(&encoder->out, PyBytes_AS_STRING(key), (size_t)PyBytes_GET_SIZE(key)))
        return false;
    switch (field->shape) {
    case LIST:
        return encode_list(encoder, plan, field, wire, type, depth);
    case MAP:
        return encode_map(encoder, plan, field, wire, type, depth);
    default:
        return type == wire_type_of(field->kind) &&
               encode_single(encoder, plan, field, wire, depth);
    }
}

static bool encode_fields(Encoder *encoder, PlanObject *plan, Wire wire, int depth)
{
    Py_ssize_t next = 0;
    if (!write_byte(&encoder->out, '{'))
        return false;
    while (wire.at < wire.end) {
        uint32_t number;
        int type;
        if (!wire_tag(&wire, &number, &type))
            return false;
        Py_ssize_t index = plan_find(plan, number, next);
        if (index < 0) {
            if (!wire_skip(&wire, type)) /* a field that the schema does not know */
                return false;
        } else {
            /* Protobuf writes each field once, by number; anything else is none of its making,
               or an unknown field that only has the number of a known one. */
            if (index < next ||
                !encode_field(encoder, plan, &plan->fields[index], &wire, type, depth))
                return false;
            next = index + 1;
        }
    }
    return write_byte(&encoder->out, '}');
}

/* --- well-known types --- */

static bool encode_number(Buffer *out, uint64_t bits)
{
    static const double MOST_EXACT = 9007199254740992.0; /* 2**53 */
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
        return false; /* it would read back as text */
    if (floor(value) == value && fabs(value) <= MOST_EXACT && !(value == 0 && signbit(value)))
        return write_integer(out, (int64_t)value);
    return write_double(out, value);
}

static bool encode_value(Encoder *encoder, Wire wire, int depth)
{
    Buffer *out = &encoder->out;
    uint32_t number;
    int type;
    uint64_t bits;
    Wire block;
    if (wire.at == wire.end)
        return write_bytes(out, "null", 4);
    if (!wire_tag(&wire, &number, &type))
        return false;
    bool done = false;
    if (number == VALUE_NULL && type == WIRE_VARINT)
        done = wire_varint(&wire, &bits) && write_bytes(out, "null", 4);
    else if (number == VALUE_NUMBER && type == WIRE_FIXED64)
        done = wire_fixed64(&wire, &bits) && encode_number(out, bits);
    else if (number == VALUE_STRING && type == WIRE_BLOCK)
        done = wire_block(&wire, &block) &&
               write_string(out, block.at, (size_t)(block.end - block.at));
    else if (number == VALUE_BOOL && type == WIRE_VARINT)
        done = wire_varint(&wire, &bits) && write_bool(out, bits != 0);
    else if (number == VALUE_STRUCT && type == WIRE_BLOCK)
        done = depth < DEEPEST && wire_block(&wire, &block) &&
               encode_struct(encoder, block, depth + 1);
    else if (number == VALUE_LIST && type == WIRE_BLOCK)
        done = depth < DEEPEST && wire_block(&wire, &block) &&
               encode_list_value(encoder, block, depth + 1);
    return done && wire.at == wire.end;
}

static bool encode_struct_entries(Encoder *encoder, const Entries *entries, int depth)
{
    Buffer *out = &encoder->out;
    for (size_t i = 0; i < entries->count; i++) {
        const Entry *entry = &entries->all[i];
        Wire rest = entry->value;
        Wire value;
        if (!write_comma(out) || !write_map_key(out, KIND_STRING, &entry->key) ||
            !write_byte(out, ':') || !take_same_tag(&rest, ENTRY_VALUE, WIRE_BLOCK) ||
            !wire_block(&rest, &value) || rest.at != rest.end ||
            !encode_value(encoder, value, depth))
            return false;
    }
    return true;
}

static bool encode_struct(Encoder *encoder, Wire wire, int depth)
{
    Entries entries;
    if (wire.at == wire.end)
        return write_bytes(&encoder->out, "{}", 2);
    if (depth + 2 > DEEPEST || !take_same_tag(&wire, STRUCT_FIELDS, WIRE_BLOCK) ||
        !write_byte(&encoder->out, '{'))
        return false;
    entries_open(&entries);
    bool done = entries_collect(&entries, &wire, STRUCT_FIELDS, KIND_STRING) &&
                wire.at == wire.end && encode_struct_entries(encoder, &entries, depth + 2);
    entries_close(&entries);
    return done && write_byte(&encoder->out, '}');
}

static bool encode_list_value(Encoder *encoder, Wire wire, int depth)
{
    Buffer *out = &encoder->out;
    if (!write_byte(out, '['))
        return false;
    if (wire.at < wire.end && depth + 1 > DEEPEST)
        return false;
    while (wire.at < wire.end) {
        Wire value;
        if (!take_same_tag(&wire, LIST_VALUES, WIRE_BLOCK) || !wire_block(&wire, &value) ||
            !write_comma(out) || !encode_value(encoder, value, depth + 1))
            return false;
    }
    return write_byte(out, ']');
}

static bool encode_time(Encoder *encoder, Form form, Wire wire)
{
    uint64_t seconds = 0;
    uint64_t nanos = 0;
    if (take_same_tag(&wire, TIME_SECONDS, WIRE_VARINT) && !wire_varint(&wire, &seconds))
        return false;
    if (take_same_tag(&wire, TIME_NANOS, WIRE_VARINT) && !wire_varint(&wire, &nanos))
        return false;
    if (wire.at != wire.end)
        return false;
    if (form == FORM_TIMESTAMP)
        return write_timestamp(&encoder->out, (int64_t)seconds, (int32_t)nanos);
    return write_duration(&encoder->out, (int64_t)seconds, (int32_t)nanos);
}

static bool encode_wrapper(Encoder *encoder, PlanObject *plan, Wire wire)
{
    const Field *field = &plan->fields[0];
    if (wire.at == wire.end)
        return write_default(encoder, field);
    return take_same_tag(&wire, WRAPPER_VALUE, wire_type_of(field->kind)) &&
           encode_scalar(encoder, field->kind, field->values, &wire) && wire.at == wire.end;
}

static bool encode_any_form(Encoder *encoder, PlanObject *plan, Wire wire, int depth)
{
    switch (plan->form) {
    case FORM_FIELDS:
        return encode_fields(encoder, plan, wire, depth);
    case FORM_STRUCT:
        return encode_struct(encoder, wire, depth);
    case FORM_VALUE:
        return encode_value(encoder, wire, depth);
    case FORM_LIST:
        return encode_list_value(encoder, wire, depth);
    case FORM_TIMESTAMP:
    case FORM_DURATION:
        return encode_time(encoder, plan->form, wire);
    case FORM_WRAPPER:
        return plan->count == 1 && encode_wrapper(encoder, plan, wire);
    case FORM_FOREIGN:
        break;
    }
    return false;
}

bool encode_message(Encoder *encoder, PlanObject *plan, const uint8_t *at, const uint8_t *end)
{
    return encode_any_form(encoder, plan, (Wire){at, end}, 0);
}
