#include "decode.h"

#include "decode_scalar.h"
#include "keys.h"
#include "times.h"

/* The tags of the well-known types' fields: number << 3 | wire type. */
enum {
    TAG_ENTRY_KEY = 1 << 3 | WIRE_BLOCK,
    TAG_STRUCT_FIELDS = 1 << 3 | WIRE_BLOCK,
    TAG_ENTRY_VALUE = 2 << 3 | WIRE_BLOCK,
    TAG_LIST_VALUES = 1 << 3 | WIRE_BLOCK,
    TAG_NULL = 1 << 3 | WIRE_VARINT,
    TAG_NUMBER = 2 << 3 | WIRE_FIXED64,
    TAG_STRING = 3 << 3 | WIRE_BLOCK,
    TAG_BOOL = 4 << 3 | WIRE_VARINT,
    TAG_STRUCT = 5 << 3 | WIRE_BLOCK,
    TAG_LIST = 6 << 3 | WIRE_BLOCK,
    TAG_SECONDS = 1 << 3 | WIRE_VARINT,
    TAG_NANOS = 2 << 3 | WIRE_VARINT
};

static bool decode_any_form(Decoder *decoder, PlanObject *plan, int depth);
static bool decode_value(Decoder *decoder, uint8_t tag, int depth);

/* --- lengths that are written before what they count --- */

/* Leaves room for a length; returns where what it counts starts. */
static bool open_block(Buffer *out, size_t *start)
{
    if (!buffer_room(out, PADDED_LENGTH))
        return false;
    out->at += PADDED_LENGTH;
    *start = buffer_size(out);
    return true;
}

static bool close_block(Buffer *out, size_t start)
{
    size_t size = buffer_size(out) - start;
    if (size > INT32_MAX)
        return false;
    fill_padded(out->start + start - PADDED_LENGTH, size, PADDED_LENGTH);
    return true;
}

/* --- fields --- */

/* Reads a message and writes it behind its length. */
static bool decode_block(Decoder *decoder, PlanObject *plan, Field *field, int depth)
{
    size_t start;
    PlanObject *inner = field_plan(plan, field);
    return inner != NULL && depth <= decoder->max_depth && open_block(&decoder->out, &start) &&
           decode_any_form(decoder, inner, depth) && close_block(&decoder->out, start);
}

/* Reads the value of a field, or an item of one, and writes it with that number. */
static bool decode_single(Decoder *decoder, PlanObject *plan, Field *field, uint32_t number,
                          int depth)
{
    if (!write_tag(&decoder->out, number, wire_type_of(field->kind)))
        return false;
    if (field->kind == KIND_MESSAGE)
        return decode_block(decoder, plan, field, depth + 1);
    return decode_scalar(decoder, field);
}

static bool decode_packed(Decoder *decoder, const Field *field)
{
    Buffer *out = &decoder->out;
    size_t before = buffer_size(out);
    size_t start;
    bool more;
    if (!write_tag(out, field->number, WIRE_BLOCK) || !open_block(out, &start))
        return false;
    for (bool first = true;; first = false) {
        if (!next_item(decoder, first, ']', &more))
            return false;
        if (!more)
            break;
        if (!decode_scalar(decoder, field))
            return false;
    }
    if (buffer_size(out) > start)
        return close_block(out, start);
    out->at = out->start + before; /* an empty list is nothing */
    return true;
}

static bool decode_list(Decoder *decoder, PlanObject *plan, Field *field, int depth)
{
    bool more;
    if (!take(decoder, '['))
        return false;
    if (wire_type_of(field->kind) != WIRE_BLOCK)
        return decode_packed(decoder, field);
    for (bool first = true;; first = false) {
        if (!next_item(decoder, first, ']', &more))
            return false;
        if (!more)
            return true;
        if (!decode_single(decoder, plan, field, field->number, depth))
            return false;
    }
}

/* Writes the key of a map entry, without its tag. */
static bool write_key(Buffer *out, int kind, const String *key)
{
    Number number;
    if (kind == KIND_STRING)
        return write_text(out, key);
    if (key->escaped)
        return false;
    if (kind == KIND_BOOL) {
        bool yes = string_is(key, "true");
        return (yes || string_is(key, "false")) && write_byte(out, yes);
    }
    const uint8_t *end = key->start + key->size;
    return scan_number(&number, key->start, end) && number.end == end && number.literal_int &&
           write_number(out, kind, &number);
}

/* Writes the key of a map entry with its tag, and sees that the map did not have it. */
static bool decode_key(Decoder *decoder, int kind, const String *key, Keys *keys)
{
    Buffer *out = &decoder->out;
    if (!write_tag(out, 1, wire_type_of(kind)))
        return false;
    size_t start = buffer_size(out);
    if (!write_key(out, kind, key))
        return false;
    if (kind == KIND_STRING) {
        /* Without the length, which may be padded. */
        while (out->start[start] >= 0x80)
            start++;
        start++;
    }
    return keys_add(keys, out->start, start, buffer_size(out) - start);
}

static bool decode_entries(Decoder *decoder, PlanObject *plan, Field *field, Keys *keys, int depth)
{
    Buffer *out = &decoder->out;
    for (bool first = true;; first = false) {
        String key;
        bool more;
        size_t start;
        if (!next_member(decoder, first, &key, &more))
            return false;
        if (!more)
            return true;
        if (depth + 1 > decoder->max_depth || !write_tag(out, field->number, WIRE_BLOCK) ||
            !open_block(out, &start) || !decode_key(decoder, field->key_kind, &key, keys) ||
            !decode_single(decoder, plan, field, 2, depth + 1) || !close_block(out, start))
            return false;
    }
}

static bool decode_map(Decoder *decoder, PlanObject *plan, Field *field, int depth)
{
    Keys keys;
    if (!take(decoder, '{'))
        return false;
    keys_open(&keys);
    bool done = decode_entries(decoder, plan, field, &keys, depth);
    keys_close(&keys);
    return done;
}

/* Returns the index of the field with that name; -1 where there is none. It first looks at
   `guess`, since most writers keep the order of the schema. */
static Py_ssize_t find_field(const PlanObject *plan, const String *name, Py_ssize_t guess)
{
    int32_t index;
    if (name->escaped)
        return -1;
    if (guess < plan->count) {
        const char *key = PyBytes_AS_STRING(plan->fields[guess].json_key); /* "name": */
        if ((size_t)PyBytes_GET_SIZE(plan->fields[guess].json_key) == name->size + 3 &&
            memcmp(key + 1, name->start, name->size) == 0)
            return guess;
    }
    return names_find(&plan->names, name->start, name->size, &index) ? index : -1;
}

static bool decode_field(Decoder *decoder, PlanObject *plan, Field *field, int depth)
{
    switch (field->shape) {
    case LIST:
        return decode_list(decoder, plan, field, depth);
    case MAP:
        return decode_map(decoder, plan, field, depth);
    default:
        return decode_single(decoder, plan, field, field->number, depth);
    }
}

/* Adds a number to a set of bits; false where it is in there. */
static bool add_bit(uint64_t *bits, Py_ssize_t number)
{
    uint64_t bit = (uint64_t)1 << (number % 64);
    bool is_new = (bits[number / 64] & bit) == 0;
    bits[number / 64] |= bit;
    return is_new;
}

static bool decode_fields(Decoder *decoder, PlanObject *plan, int depth)
{
    uint64_t seen[MOST_FIELDS / 64] = {0};
    uint64_t oneofs = 0;
    Py_ssize_t guess = 0;
    if (!take(decoder, '{'))
        return false;
    for (bool first = true;; first = false) {
        String name;
        bool more;
        if (!next_member(decoder, first, &name, &more))
            return false;
        if (!more)
            return true;
        Py_ssize_t index = find_field(plan, &name, guess);
        if (index < 0 || !add_bit(seen, index))
            return false;
        guess = index + 1;
        Field *field = &plan->fields[index];
        if (*decoder->at == 'n' && (field->shape != SINGLE || !field->takes_null)) {
            if (!take_null(decoder)) /* a field that is not set */
                return false;
            continue;
        }
        if (field->oneof != NO_ONEOF && !add_bit(&oneofs, field->oneof))
            return false;
        if (!decode_field(decoder, plan, field, depth))
            return false;
    }
}

/* --- well-known types --- */

static bool decode_struct_entries(Decoder *decoder, Keys *keys, int depth)
{
    Buffer *out = &decoder->out;
    for (bool first = true;; first = false) {
        String key;
        bool more;
        size_t start;
        if (!next_member(decoder, first, &key, &more))
            return false;
        if (!more)
            return true;
        if (depth + 2 > decoder->max_depth || !write_byte(out, TAG_STRUCT_FIELDS) ||
            !open_block(out, &start) || !decode_key(decoder, KIND_STRING, &key, keys) ||
            !decode_value(decoder, TAG_ENTRY_VALUE, depth + 2) || !close_block(out, start))
            return false;
    }
}

static bool decode_struct(Decoder *decoder, int depth)
{
    Keys keys;
    if (!take(decoder, '{'))
        return false;
    keys_open(&keys);
    bool done = decode_struct_entries(decoder, &keys, depth);
    keys_close(&keys);
    return done;
}

static bool decode_list_value(Decoder *decoder, int depth)
{
    bool more;
    if (!take(decoder, '['))
        return false;
    for (bool first = true;; first = false) {
        if (!next_item(decoder, first, ']', &more))
            return false;
        if (!more)
            return true;
        if (depth + 1 > decoder->max_depth || !decode_value(decoder, TAG_LIST_VALUES, depth + 1))
            return false;
    }
}

/* Writes the fields of a Value that holds an object or a list. */
static bool decode_compound(Decoder *decoder, int depth)
{
    Buffer *out = &decoder->out;
    bool is_object = *decoder->at == '{';
    size_t start;
    if (depth + 1 > decoder->max_depth || !write_byte(out, is_object ? TAG_STRUCT : TAG_LIST) ||
        !open_block(out, &start))
        return false;
    if (!(is_object ? decode_struct(decoder, depth + 1) : decode_list_value(decoder, depth + 1)))
        return false;
    return close_block(out, start);
}

/* Writes the one field of a Value that holds a string. */
static bool decode_string_value(Decoder *decoder)
{
    String string;
    return take_string(decoder, &string) && write_byte(&decoder->out, TAG_STRING) &&
           write_text(&decoder->out, &string);
}

/* Writes the one field of a Value that holds a scalar but a string. */
static bool decode_simple_value(Decoder *decoder)
{
    Buffer *out = &decoder->out;
    Number number;
    double value;
    uint64_t bits;
    switch (*decoder->at) {
    case 'n':
        return take_null(decoder) && write_byte(out, TAG_NULL) && write_byte(out, 0);
    case 't':
    case 'f':
        return write_byte(out, TAG_BOOL) && decode_bool(decoder);
    default:
        if (!take_number(decoder, &number) || !number_double(&number, &value))
            return false;
        memcpy(&bits, &value, sizeof bits);
        return write_byte(out, TAG_NUMBER) && write_fixed64(out, bits);
    }
}

/* Writes a Value without a tag and length. */
static bool decode_bare_value(Decoder *decoder, int depth)
{
    if (*decoder->at == '{' || *decoder->at == '[')
        return decode_compound(decoder, depth);
    return *decoder->at == '"' ? decode_string_value(decoder) : decode_simple_value(decoder);
}

/* Writes a Value as a field. */
static bool decode_value(Decoder *decoder, uint8_t tag, int depth)
{
    Buffer *out = &decoder->out;
    size_t start;
    if (!write_byte(out, tag))
        return false;
    if (*decoder->at == '{' || *decoder->at == '[' || *decoder->at == '"')
        return open_block(out, &start) && decode_bare_value(decoder, depth) &&
               close_block(out, start);
    /* Numbers are many and small: one byte is enough for their length. */
    if (!write_byte(out, 0))
        return false;
    start = buffer_size(out);
    if (!decode_simple_value(decoder))
        return false;
    out->start[start - 1] = (uint8_t)(buffer_size(out) - start);
    return true;
}

static bool decode_time(Decoder *decoder, Form form)
{
    String string;
    int64_t seconds;
    int32_t nanos;
    Buffer *out = &decoder->out;
    if (!take_string(decoder, &string))
        return false;
    if (!(form == FORM_TIMESTAMP ? read_timestamp(&string, &seconds, &nanos)
                                 : read_duration(&string, &seconds, &nanos)))
        return false;
    return write_byte(out, TAG_SECONDS) && write_varint(out, (uint64_t)seconds) &&
           write_byte(out, TAG_NANOS) && write_varint(out, (uint64_t)(int64_t)nanos);
}

static bool decode_any_form(Decoder *decoder, PlanObject *plan, int depth)
{
    switch (plan->form) {
    case FORM_FIELDS:
        return decode_fields(decoder, plan, depth);
    case FORM_STRUCT:
        return decode_struct(decoder, depth);
    case FORM_VALUE:
        return decode_bare_value(decoder, depth);
    case FORM_LIST:
        return decode_list_value(decoder, depth);
    case FORM_TIMESTAMP:
    case FORM_DURATION:
        return decode_time(decoder, plan->form);
    case FORM_WRAPPER:
        return plan->count == 1 &&
               decode_single(decoder, plan, &plan->fields[0], plan->fields[0].number, depth);
    case FORM_FOREIGN:
        break;
    }
    return false;
}

bool decode_message(Decoder *decoder, PlanObject *plan)
{
    skip_space(decoder);
    if (!decode_any_form(decoder, plan, 0))
        return false;
    skip_space(decoder);
    return decoder->at == decoder->end;
}
