#include "number.h"

#include <float.h>
#include <math.h>

/* The short ways below need arithmetic in plain doubles, as everywhere but on old 32-bit x86. */
#if FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1
static const bool PLAIN_DOUBLES = true;
#else
static const bool PLAIN_DOUBLES = false;
#endif

enum {
    EXACT_POWER = 22,      /* 10**22 is the last power of ten that is a double */
    MOST_DECIMALS = 6,     /* of a double that is tried to be written the short way */
    LONGEST_NUMBER = 64,   /* characters; longer ones are left to Python */
    SURE_FLOAT_DIGITS = 6, /* this many any normal 32-bit float keeps */
    MOST_FLOAT_DIGITS = 9, /* this many tell any two 32-bit floats apart */
    FIRST_SCIENTIFIC = 16, /* the exponents from which Python writes 1e+16 and not 1000... */
    LAST_FIXED = -4        /* the last one that it writes as 0.0001 and not 1e-05 */
};

static const double MOST_EXACT = 9007199254740992.0; /* 2**53 */
static const double MOST_SHORT = 1e15; /* any decimal of 15 digits survives as a double */
static const double SMALLEST_NORMAL_FLOAT = 1.1754943508222875e-38;

static const double POWERS[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* --- writing --- */

void put_uint(Buffer *buffer, uint64_t value)
{
    uint8_t digits[20];
    uint8_t *first = digits + sizeof digits;
    do {
        *--first = (uint8_t)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put_bytes(buffer, first, (size_t)(digits + sizeof digits - first));
}

void put_int(Buffer *buffer, int64_t value)
{
    if (value < 0)
        put_byte(buffer, '-');
    put_uint(buffer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void put_padded(Buffer *buffer, uint32_t value, int digits)
{
    for (int i = digits; i-- > 0; value /= 10)
        buffer->at[i] = (uint8_t)('0' + value % 10);
    buffer->at += digits;
}

static void put_zeros(Buffer *buffer, int count)
{
    while (count-- > 0)
        put_byte(buffer, '0');
}

/* Writes mantissa * 10**-scale as Python's repr does; the mantissa is not 0. */
static void put_decimal(Buffer *buffer, uint64_t mantissa, int scale)
{
    uint8_t digits[20];
    while (mantissa % 10 == 0) {
        mantissa /= 10;
        scale--;
    }
    Buffer text = {.start = digits, .at = digits, .limit = digits + sizeof digits};
    put_uint(&text, mantissa);
    int count = (int)buffer_size(&text);
    int exponent = count - 1 - scale; /* of the first digit */

    if (exponent >= FIRST_SCIENTIFIC || exponent < LAST_FIXED) {
        put_byte(buffer, digits[0]);
        if (count > 1) {
            put_byte(buffer, '.');
            put_bytes(buffer, digits + 1, (size_t)(count - 1));
        }
        put_byte(buffer, 'e');
        put_byte(buffer, exponent < 0 ? '-' : '+');
        int size = exponent < 0 ? -exponent : exponent;
        put_padded(buffer, (uint32_t)size, size < 100 ? 2 : 3);
    } else if (exponent < 0) {
        put_bytes(buffer, "0.", 2);
        put_zeros(buffer, -exponent - 1);
        put_bytes(buffer, digits, (size_t)count);
    } else if (exponent >= count - 1) {
        put_bytes(buffer, digits, (size_t)count);
        put_zeros(buffer, exponent - (count - 1));
        put_bytes(buffer, ".0", 2);
    } else {
        put_bytes(buffer, digits, (size_t)exponent + 1);
        put_byte(buffer, '.');
        put_bytes(buffer, digits + exponent + 1, (size_t)(count - exponent - 1));
    }
}

/* Writes a double as repr does, by Python itself. */
static bool write_repr(Buffer *buffer, double value)
{
    char *text = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (text == NULL)
        return false;
    bool done = write_bytes(buffer, text, strlen(text));
    PyMem_Free(text);
    return done;
}

/* Writes 0 and the sign of a value; returns its amount. */
static double put_sign(Buffer *buffer, double value)
{
    if (signbit(value))
        put_byte(buffer, '-');
    double amount = fabs(value);
    if (amount == 0)
        put_bytes(buffer, "0.0", 3);
    return amount;
}

bool write_double(Buffer *buffer, double value)
{
    if (!buffer_room(buffer, NUMBER_ROOM))
        return false;
    double amount = fabs(value);
    /* If a decimal of at most 15 digits reads back as the double, it is the shortest one, since
       no two such decimals read as the same double. Most numbers of people have few decimals. */
    for (int scale = 0; PLAIN_DOUBLES && scale <= MOST_DECIMALS; scale++) {
        double scaled = amount * POWERS[scale];
        if (!(scaled < MOST_SHORT))
            break;
        uint64_t mantissa = (uint64_t)(scaled + 0.5);
        if ((double)mantissa / POWERS[scale] == amount) {
            put_sign(buffer, value);
            if (mantissa != 0)
                put_decimal(buffer, mantissa, scale);
            return true;
        }
    }
    return write_repr(buffer, value);
}

/* Rounds to the nearest whole number, halves to even, as printf does. */
static uint64_t nearest(double value)
{
    uint64_t whole = (uint64_t)value;
    double rest = value - (double)whole;
    if (rest > 0.5 || (rest == 0.5 && whole % 2 == 1))
        whole++;
    return whole;
}

/* The same search as below, for floats whose product with a power of ten is an exact double. */
static bool put_ordinary_float(Buffer *buffer, float value)
{
    double amount = fabs((double)value);
    if (!PLAIN_DOUBLES || !(amount >= 1e-4 && amount < 1e6))
        return false;
    int exponent = 5; /* of the first digit */
    while (amount < (exponent < 0 ? 1 / POWERS[-exponent] : POWERS[exponent]))
        exponent--;
    for (int digits = SURE_FLOAT_DIGITS; digits <= MOST_FLOAT_DIGITS; digits++) {
        int scale = digits - 1 - exponent; /* 0 to 12: 24 + 28 bits at most */
        uint64_t mantissa = nearest(amount * POWERS[scale]);
        double read_back = (double)mantissa / POWERS[scale];
        if (digits == MOST_FLOAT_DIGITS || (double)(float)read_back == amount) {
            if (value < 0)
                put_byte(buffer, '-');
            put_decimal(buffer, mantissa, scale);
            return true;
        }
    }
    return false;
}

bool write_float(Buffer *buffer, float value)
{
    if (!buffer_room(buffer, NUMBER_ROOM))
        return false;
    if (value == 0) {
        put_sign(buffer, value);
        return true;
    }
    if (put_ordinary_float(buffer, value))
        return true;
    bool normal = fabs((double)value) >= SMALLEST_NORMAL_FLOAT;
    for (int digits = normal ? SURE_FLOAT_DIGITS : 1;; digits++) {
        char *text = PyOS_double_to_string((double)value, 'g', digits, 0, NULL);
        if (text == NULL)
            return false;
        double shorter = PyOS_string_to_double(text, NULL, NULL);
        PyMem_Free(text);
        if (shorter == -1.0 && PyErr_Occurred())
            return false;
        if (digits == MOST_FLOAT_DIGITS || (float)shorter == value)
            return write_repr(buffer, shorter);
    }
}

/* --- reading --- */

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* Takes the digits at the start of [at, end) into the mantissa, and returns what follows. */
static const uint8_t *scan_digits(Number *number, const uint8_t *at, const uint8_t *end)
{
    for (; at < end && is_digit(*at); at++) {
        if (number->digits < 19)
            number->mantissa = number->mantissa * 10 + (uint64_t)(*at - '0');
        if (number->mantissa != 0)
            number->digits++;
    }
    return at;
}

bool scan_number(Number *number, const uint8_t *at, const uint8_t *end)
{
    *number = (Number){.start = at, .literal_int = true};
    if (end - at > LONGEST_NUMBER)
        end = at + LONGEST_NUMBER;
    const uint8_t *limit = end;

    if (at < end && *at == '-') {
        number->negative = true;
        at++;
    }
    const uint8_t *first = at;
    at = scan_digits(number, at, end);
    if (at == first || (*first == '0' && at - first > 1))
        return false;
    if (at < end && *at == '.') {
        number->literal_int = false;
        first = ++at;
        at = scan_digits(number, at, end);
        if (at == first)
            return false;
        number->exponent = -(int)(at - first);
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        number->literal_int = false;
        at++;
        bool negative = at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+'))
            at++;
        first = at;
        int exponent = 0;
        for (; at < end && is_digit(*at); at++)
            if (exponent < 100000)
                exponent = exponent * 10 + (*at - '0');
        if (at == first)
            return false;
        number->exponent += negative ? -exponent : exponent;
    }
    number->end = at;
    return at < limit || end - number->start < LONGEST_NUMBER;
}

bool number_double(const Number *number, double *value)
{
    int exponent = number->exponent;
    if (PLAIN_DOUBLES && number->digits <= 19 && number->mantissa <= (uint64_t)MOST_EXACT &&
        exponent >= -EXACT_POWER && exponent <= EXACT_POWER) {
        /* Both operands are exact, so the one rounding of the operation is the right one. */
        double amount = (double)number->mantissa;
        amount = exponent < 0 ? amount / POWERS[-exponent] : amount * POWERS[exponent];
        *value = number->negative ? -amount : amount;
        return true;
    }
    char text[LONGEST_NUMBER + 1];
    size_t size = (size_t)(number->end - number->start);
    memcpy(text, number->start, size);
    text[size] = 0;
    *value = PyOS_string_to_double(text, NULL, NULL);
    if (*value == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    return isfinite(*value);
}

/* The amount of a number that is surely whole. */
static bool whole_amount(const Number *number, uint64_t *amount)
{
    if (number->literal_int) {
        if (number->digits <= 19) {
            *amount = number->mantissa;
            return true;
        }
        uint8_t last = (uint8_t)(number->end[-1] - '0');
        if (number->digits != 20 || number->mantissa > (UINT64_MAX - last) / 10)
            return false;
        *amount = number->mantissa * 10 + last;
        return true;
    }
    double value;
    if (!number_double(number, &value) || floor(value) != value || fabs(value) > MOST_EXACT)
        return false;
    *amount = (uint64_t)fabs(value);
    return true;
}

bool number_int(const Number *number, int64_t low, int64_t high, int64_t *value)
{
    uint64_t amount;
    if (!whole_amount(number, &amount))
        return false;
    if (number->negative) {
        if (amount > 0 - (uint64_t)low)
            return false;
        *value = (int64_t)(0 - amount);
        return true;
    }
    *value = (int64_t)amount;
    return amount <= (uint64_t)high;
}

bool number_uint(const Number *number, uint64_t high, uint64_t *value)
{
    return whole_amount(number, value) && *value <= high && (!number->negative || *value == 0);
}
