#include "decode_scalar.h"

#include <math.h>

#include "base64.h"

static size_t varint_size(size_t value)
{
    size_t size = 1;
    for (; value >= 0x80; value >>= 7)
        size++;
    return size;
}

bool write_text(Buffer *out, const String *string)
{
    if (!buffer_room(out, string->size + PADDED_LENGTH) || string->size > INT32_MAX)
        return false;
    if (!string->escaped) {
        put_varint(out, string->size);
        put_bytes(out, string->start, string->size);
        return true;
    }
    size_t width = varint_size(string->size); /* enough: unescaping makes nothing longer */
    uint8_t *length = out->at;
    out->at += width;
    if (!put_unescaped(out, string))
        return false;
    fill_padded(length, (size_t)(out->at - length) - width, width);
    return true;
}

/* Reads a number, or a string that spells one to its end. */
static bool take_any_number(Decoder *decoder, Number *number, bool *quoted)
{
    String string;
    *quoted = *decoder->at == '"';
    if (!*quoted)
        return take_number(decoder, number);
    return take_string(decoder, &string) && !string.escaped &&
           scan_number(number, string.start, string.start + string.size) &&
           number->end == string.start + string.size;
}

/* Reads a number for an integer field; of quoted ones, only plain integers. */
static bool take_integer(Decoder *decoder, Number *number)
{
    bool quoted;
    return take_any_number(decoder, number, &quoted) && (!quoted || number->literal_int);
}

static bool take_double(Decoder *decoder, double *value)
{
    Number number;
    String string;
    if (*decoder->at != '"')
        return take_number(decoder, &number) && number_double(&number, value);
    if (!take_string(decoder, &string) || string.escaped)
        return false;
    if (string_is(&string, "NaN"))
        *value = (double)NAN;
    else if (string_is(&string, "Infinity"))
        *value = (double)INFINITY;
    else if (string_is(&string, "-Infinity"))
        *value = (double)-INFINITY;
    else
        return scan_number(&number, string.start, string.start + string.size) &&
               number.end == string.start + string.size && number_double(&number, value);
    return true;
}

static bool decode_double(Decoder *decoder)
{
    double value;
    uint64_t bits;
    if (!take_double(decoder, &value))
        return false;
    memcpy(&bits, &value, sizeof bits);
    return write_fixed64(&decoder->out, bits);
}

static bool decode_float(Decoder *decoder)
{
    double value;
    uint32_t bits;
    if (!take_double(decoder, &value))
        return false;
    float narrow = (float)value;
    if (isinf(narrow) && !isinf(value))
        return false; /* more than the largest float */
    memcpy(&bits, &narrow, sizeof bits);
    return write_fixed32(&decoder->out, bits);
}

bool decode_bool(Decoder *decoder)
{
    if (take_word(decoder, "true", 4))
        return write_byte(&decoder->out, 1);
    return take_word(decoder, "false", 5) && write_byte(&decoder->out, 0);
}

static bool decode_string(Decoder *decoder)
{
    String string;
    return take_string(decoder, &string) && write_text(&decoder->out, &string);
}

static bool decode_bytes(Decoder *decoder)
{
    size_t size;
    Buffer *out = &decoder->out;
    if (!take(decoder, '"'))
        return false;
    /* What is no character of base64, such as a backslash, is found while decoding. */
    const uint8_t *text = decoder->at;
    const uint8_t *end = memchr(text, '"', (size_t)(decoder->end - text));
    if (end == NULL || !base64_size(text, (size_t)(end - text), &size) || size > INT32_MAX)
        return false;
    decoder->at = end + 1;
    return write_varint(out, size) && write_base64_decoded(out, text, (size_t)(end - text));
}

static bool decode_enum(Decoder *decoder, const EnumObject *kind)
{
    int32_t value = 0;
    if (*decoder->at == '"') {
        String name;
        if (!take_string(decoder, &name) || name.escaped ||
            !names_find(&kind->names, name.start, name.size, &value))
            return false;
    } else if (*decoder->at == 'n') {
        if (!kind->is_null || !take_null(decoder))
            return false;
    } else {
        Number number;
        int64_t wide;
        if (!take_number(decoder, &number) || !number_int(&number, INT32_MIN, INT32_MAX, &wide))
            return false;
        value = (int32_t)wide;
    }
    return write_varint(&decoder->out, (uint64_t)(int64_t)value);
}

static uint64_t zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

bool write_number(Buffer *out, int kind, const Number *number)
{
    int64_t value = 0;
    uint64_t natural = 0;
    switch (kind) {
    case KIND_INT32:
        return number_int(number, INT32_MIN, INT32_MAX, &value) &&
               write_varint(out, (uint64_t)value);
    case KIND_SINT32:
        return number_int(number, INT32_MIN, INT32_MAX, &value) &&
               write_varint(out, zigzag(value));
    case KIND_SFIXED32:
        return number_int(number, INT32_MIN, INT32_MAX, &value) &&
               write_fixed32(out, (uint32_t)(uint64_t)value);
    case KIND_INT64:
        return number_int(number, INT64_MIN, INT64_MAX, &value) &&
               write_varint(out, (uint64_t)value);
    case KIND_SINT64:
        return number_int(number, INT64_MIN, INT64_MAX, &value) &&
               write_varint(out, zigzag(value));
    case KIND_SFIXED64:
        return number_int(number, INT64_MIN, INT64_MAX, &value) &&
               write_fixed64(out, (uint64_t)value);
    case KIND_UINT32:
        return number_uint(number, UINT32_MAX, &natural) && write_varint(out, natural);
    case KIND_FIXED32:
        return number_uint(number, UINT32_MAX, &natural) && write_fixed32(out, (uint32_t)natural);
    case KIND_UINT64:
        return number_uint(number, UINT64_MAX, &natural) && write_varint(out, natural);
    case KIND_FIXED64:
        return number_uint(number, UINT64_MAX, &natural) && write_fixed64(out, natural);
    default:
        return false;
    }
}

bool decode_scalar(Decoder *decoder, const Field *field)
{
    Number number;
    switch (field->kind) {
    case KIND_DOUBLE:
        return decode_double(decoder);
    case KIND_FLOAT:
        return decode_float(decoder);
    case KIND_BOOL:
        return decode_bool(decoder);
    case KIND_STRING:
        return decode_string(decoder);
    case KIND_BYTES:
        return decode_bytes(decoder);
    case KIND_ENUM:
        return decode_enum(decoder, field->values);
    default:
        return take_integer(decoder, &number) &&
               write_number(&decoder->out, field->kind, &number);
    }
}
