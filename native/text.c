#include "text.h"

/* --- runs of ordinary characters --- */

static const uint64_t ONES = 0x0101010101010101u;
static const uint64_t HIGH_BITS = 0x8080808080808080u;

/* Tells whether one of eight bytes is a quote, a backslash, a control character or not ASCII. It
   may also say so of eight others, never the reverse: of the classic tricks with borrows, each is
   exact as to whether there is a hit at all. */
static inline bool has_special(uint64_t eight)
{
    uint64_t quotes = eight ^ (ONES * '"');
    uint64_t backslashes = eight ^ (ONES * '\\');
    uint64_t below_space = eight - ONES * 0x20;
    return ((below_space | (quotes - ONES) | (backslashes - ONES) | eight) & HIGH_BITS) != 0;
}

static inline bool is_special(uint8_t byte)
{
    return byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\';
}

/* Returns the first quote, backslash, control character or byte beyond ASCII in [at, end). */
static inline const uint8_t *skip_ordinary(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 8) {
        uint64_t eight;
        memcpy(&eight, at, 8);
        if (has_special(eight))
            break;
        at += 8;
    }
    while (at < end && !is_special(*at))
        at++;
    return at;
}

/* Returns how many bytes the UTF-8 character at `at` has, 0 where there is none; [at, end) is
   not empty and does not start with an ASCII character. */
static size_t utf8_size(const uint8_t *at, const uint8_t *end)
{
    size_t left = (size_t)(end - at);
    uint8_t first = at[0];
    uint8_t second = left > 1 ? at[1] : 0;
    if (first < 0xc2 || (second & 0xc0) != 0x80)
        return 0;
    if (first < 0xe0)
        return 2;
    if (left < 3 || (at[2] & 0xc0) != 0x80)
        return 0;
    if (first < 0xf0) {
        bool overlong = first == 0xe0 && second < 0xa0;
        bool surrogate = first == 0xed && second >= 0xa0;
        return overlong || surrogate ? 0 : 3;
    }
    if (left < 4 || (at[3] & 0xc0) != 0x80)
        return 0;
    bool too_low = first == 0xf0 && second < 0x90;
    bool too_high = first > 0xf4 || (first == 0xf4 && second >= 0x90);
    return too_low || too_high ? 0 : 4;
}

/* Returns the first quote, backslash or control character in [at, end); NULL where something
   before it is not UTF-8. */
static inline const uint8_t *skip_characters(const uint8_t *at, const uint8_t *end)
{
    for (;;) {
        at = skip_ordinary(at, end);
        if (at == end || *at < 0x80)
            return at;
        do {
            size_t size = utf8_size(at, end);
            if (size == 0)
                return NULL;
            at += size;
        } while (at < end && *at >= 0x80);
    }
}

/* --- strings, written --- */

static void put_escape(Buffer *buffer, uint8_t byte)
{
    static const char HEX[] = "0123456789abcdef";
    char letter = 0;
    switch (byte) {
    case '"':
    case '\\':
        letter = (char)byte;
        break;
    case '\n':
        letter = 'n';
        break;
    case '\r':
        letter = 'r';
        break;
    case '\t':
        letter = 't';
        break;
    case '\b':
        letter = 'b';
        break;
    case '\f':
        letter = 'f';
        break;
    }
    put_byte(buffer, '\\');
    if (letter != 0) {
        put_byte(buffer, (uint8_t)letter);
        return;
    }
    put_bytes(buffer, "u00", 3);
    put_byte(buffer, (uint8_t)HEX[byte >> 4]);
    put_byte(buffer, (uint8_t)HEX[byte & 15]);
}

bool write_string(Buffer *buffer, const uint8_t *text, size_t size)
{
    enum { LONGEST_ESCAPE = 6 };
    const uint8_t *end = text + size;
    if (!buffer_room(buffer, size + 2))
        return false;
    put_byte(buffer, '"');
    while (text < end) {
        const uint8_t *next = skip_characters(text, end);
        if (next == NULL)
            return false;
        put_bytes(buffer, text, (size_t)(next - text));
        if (next == end)
            break;
        if (!buffer_room(buffer, (size_t)(end - next) + LONGEST_ESCAPE + 1))
            return false;
        put_escape(buffer, *next);
        text = next + 1;
    }
    put_byte(buffer, '"');
    return true;
}

/* --- strings, read --- */

const uint8_t *scan_string(String *string, const uint8_t *at, const uint8_t *end)
{
    if (at == end || *at != '"')
        return NULL;
    string->start = ++at;
    string->escaped = false;
    for (;;) {
        at = skip_characters(at, end);
        if (at == NULL || at == end || *at < 0x20)
            return NULL;
        if (*at == '"') {
            string->size = (size_t)(at - string->start);
            return at + 1;
        }
        string->escaped = true;
        if (end - at < 2 || at[1] < 0x20 || at[1] >= 0x80)
            return NULL;
        at += 2;
    }
}

/* Reads four hexadecimal digits; -1 where there are none. */
static int32_t hex4(const uint8_t *at, const uint8_t *end)
{
    int32_t value = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        uint8_t byte = at[i];
        uint8_t letter = byte | 0x20;
        int digit = byte >= '0' && byte <= '9'      ? byte - '0'
                    : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                                                     : -1;
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

static void put_character(Buffer *buffer, uint32_t code)
{
    if (code < 0x80) {
        put_byte(buffer, (uint8_t)code);
    } else if (code < 0x800) {
        put_byte(buffer, (uint8_t)(0xc0 | code >> 6));
        put_byte(buffer, (uint8_t)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        put_byte(buffer, (uint8_t)(0xe0 | code >> 12));
        put_byte(buffer, (uint8_t)(0x80 | (code >> 6 & 0x3f)));
        put_byte(buffer, (uint8_t)(0x80 | (code & 0x3f)));
    } else {
        put_byte(buffer, (uint8_t)(0xf0 | code >> 18));
        put_byte(buffer, (uint8_t)(0x80 | (code >> 12 & 0x3f)));
        put_byte(buffer, (uint8_t)(0x80 | (code >> 6 & 0x3f)));
        put_byte(buffer, (uint8_t)(0x80 | (code & 0x3f)));
    }
}

/* Puts what the escape stands for whose hexadecimal digits are at `at`; returns what follows. */
static const uint8_t *put_unicode_escape(Buffer *buffer, const uint8_t *at, const uint8_t *end)
{
    int32_t code = hex4(at, end);
    if (code < 0)
        return NULL;
    at += 4;
    if (code >= 0xdc00 && code <= 0xdfff)
        return NULL;
    if (code >= 0xd800 && code <= 0xdbff) {
        if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
            return NULL;
        int32_t low = hex4(at + 2, end);
        if (low < 0xdc00 || low > 0xdfff)
            return NULL;
        at += 6;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    put_character(buffer, (uint32_t)code);
    return at;
}

bool put_unescaped(Buffer *buffer, const String *string)
{
    const uint8_t *at = string->start;
    const uint8_t *end = at + string->size;
    while (at < end) {
        const uint8_t *escape = memchr(at, '\\', (size_t)(end - at));
        const uint8_t *stop = escape == NULL ? end : escape;
        put_bytes(buffer, at, (size_t)(stop - at));
        if (stop == end)
            return true;
        if (end - stop < 2)
            return false;
        at = stop + 2;
        switch (stop[1]) {
        case '"':
        case '\\':
        case '/':
            put_byte(buffer, stop[1]);
            break;
        case 'n':
            put_byte(buffer, '\n');
            break;
        case 'r':
            put_byte(buffer, '\r');
            break;
        case 't':
            put_byte(buffer, '\t');
            break;
        case 'b':
            put_byte(buffer, '\b');
            break;
        case 'f':
            put_byte(buffer, '\f');
            break;
        case 'u':
            at = put_unicode_escape(buffer, at, end);
            if (at == NULL)
                return false;
            break;
        default:
            return false;
        }
    }
    return true;
}
