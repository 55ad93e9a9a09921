#include "base64.h"

/* Images are megabytes of base64. Where the processor has SSSE3, which is asked at run time,
   sixteen characters are handled at once; the plain loops do the rest, and all of it elsewhere. */
#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_SSSE3 1
#include <tmmintrin.h>
#else
#define HAVE_SSSE3 0
#endif

enum { NO_VALUE = 0xff, RUN = 16 };

typedef struct {
    char characters[65];
    uint8_t values[256]; /* a character to its 6 bits, or NO_VALUE */

    /* For sixteen at once. The halves of a character (its high and low four bits) look up one
       byte each, which have a bit in common if there is no such character; and the high half
       looks up what makes the character its value. The last character shares its high half with
       others, so it looks that up in place 1, where no character is. */
    uint8_t high_bits[RUN];
    uint8_t low_bits[RUN];
    int8_t to_value[RUN];
} Alphabet;

static Alphabet standard = {
    .characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};
static Alphabet url_safe = {
    .characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};

static uint8_t encoded_pairs[4096][2]; /* 12 bits to their two characters */
static bool has_ssse3;

static void prepare_alphabet(Alphabet *alphabet)
{
    enum { FIRST_HIGH = 2, LAST_HIGH = 7, NEVER = 1 << 6 };
    memset(alphabet->values, NO_VALUE, sizeof alphabet->values);
    for (int i = 0; i < 64; i++)
        alphabet->values[(uint8_t)alphabet->characters[i]] = (uint8_t)i;
    for (int half = 0; half < RUN; half++) {
        bool used = half >= FIRST_HIGH && half <= LAST_HIGH;
        alphabet->high_bits[half] = used ? (uint8_t)(1 << (half - FIRST_HIGH)) : NEVER;
        alphabet->low_bits[half] = NEVER;
        for (int high = FIRST_HIGH; high <= LAST_HIGH; high++)
            if (alphabet->values[high << 4 | half] == NO_VALUE)
                alphabet->low_bits[half] |= (uint8_t)(1 << (high - FIRST_HIGH));
    }
    for (int i = 0; i < 63; i++)
        alphabet->to_value[alphabet->characters[i] >> 4] = (int8_t)(i - alphabet->characters[i]);
    alphabet->to_value[1] = (int8_t)(63 - alphabet->characters[63]);
}

void prepare_base64(void)
{
    for (int i = 0; i < 4096; i++) {
        encoded_pairs[i][0] = (uint8_t)standard.characters[i >> 6];
        encoded_pairs[i][1] = (uint8_t)standard.characters[i & 63];
    }
    prepare_alphabet(&standard);
    prepare_alphabet(&url_safe);
#if HAVE_SSSE3
    has_ssse3 = __builtin_cpu_supports("ssse3");
#endif
}

/* --- writing --- */

#if HAVE_SSSE3

/* Encodes runs of 12 bytes, of which each is loaded with 4 more; returns how many bytes. */
__attribute__((target("ssse3"))) static size_t encode_runs(uint8_t *out, const uint8_t *bytes,
                                                           size_t size)
{
    /* Each three bytes become the four bytes 1 0 2 1, so that the 6 bits of each value stand
       together in a 16-bit half, and a multiplication shifts them to where they belong. */
    const __m128i spread = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    /* From a value to its character: 0 for lower case letters, 1 to 10 for digits, then + and /,
       and 13 for capitals. */
    const __m128i to_character =
        _mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                      '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
    size_t done = 0;
    for (; size - done >= RUN; done += 12, out += RUN) {
        __m128i run = _mm_loadu_si128((const __m128i *)(bytes + done));
        run = _mm_shuffle_epi8(run, spread);
        __m128i first_and_third = _mm_mulhi_epu16(_mm_and_si128(run, _mm_set1_epi32(0x0fc0fc00)),
                                                  _mm_set1_epi32(0x04000040));
        __m128i second_and_fourth = _mm_mullo_epi16(
            _mm_and_si128(run, _mm_set1_epi32(0x003f03f0)), _mm_set1_epi32(0x01000010));
        __m128i values = _mm_or_si128(first_and_third, second_and_fourth);
        __m128i capitals = _mm_cmpgt_epi8(_mm_set1_epi8(26), values);
        __m128i group = _mm_subs_epu8(values, _mm_set1_epi8(51));
        group = _mm_or_si128(group, _mm_and_si128(capitals, _mm_set1_epi8(13)));
        values = _mm_add_epi8(values, _mm_shuffle_epi8(to_character, group));
        _mm_storeu_si128((__m128i *)out, values);
    }
    return done;
}

#endif

bool write_base64(Buffer *buffer, const uint8_t *bytes, size_t size)
{
    if (!buffer_room(buffer, size / 3 * 4 + 6))
        return false;
    put_byte(buffer, '"');
    uint8_t *out = buffer->at;
#if HAVE_SSSE3
    if (has_ssse3) {
        size_t done = encode_runs(out, bytes, size);
        out += done / 3 * 4;
        bytes += done;
        size -= done;
    }
#endif
    for (; size >= 3; size -= 3, bytes += 3, out += 4) {
        uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
        memcpy(out, encoded_pairs[bits >> 12], 2);
        memcpy(out + 2, encoded_pairs[bits & 4095], 2);
    }
    if (size > 0) {
        uint32_t bits = (uint32_t)bytes[0] << 16 | (size == 2 ? (uint32_t)bytes[1] << 8 : 0);
        memcpy(out, encoded_pairs[bits >> 12], 2);
        out[2] = size == 2 ? encoded_pairs[bits & 4095][0] : '=';
        out[3] = '=';
        out += 4;
    }
    buffer->at = out;
    put_byte(buffer, '"');
    return true;
}

/* --- reading --- */

/* The characters before the padding; false where there is padding but not the right one. */
static bool without_padding(const uint8_t *text, size_t size, size_t *characters)
{
    *characters = size;
    while (*characters > 0 && size - *characters < 2 && text[*characters - 1] == '=')
        --*characters;
    bool padded = *characters < size;
    return padded ? size % 4 == 0 : size % 4 != 1;
}

bool base64_size(const uint8_t *text, size_t size, size_t *bytes)
{
    size_t characters;
    if (!without_padding(text, size, &characters))
        return false;
    *bytes = characters / 4 * 3 + (characters % 4 == 0 ? 0 : characters % 4 - 1);
    return true;
}

#if HAVE_SSSE3

/* Decodes runs of 16 characters, each to 12 bytes and 4 more that do not count, up to the last
   run or a faulty one; returns how many characters. */
__attribute__((target("ssse3"))) static size_t
decode_runs(const Alphabet *alphabet, uint8_t *out, const uint8_t *text, size_t size)
{
    enum { SPARE = 8 }; /* characters that must follow, so that the 4 bytes have room */
    const __m128i high_bits = _mm_loadu_si128((const __m128i *)alphabet->high_bits);
    const __m128i low_bits = _mm_loadu_si128((const __m128i *)alphabet->low_bits);
    const __m128i to_value = _mm_loadu_si128((const __m128i *)alphabet->to_value);
    const __m128i half = _mm_set1_epi8(0x0f);
    const __m128i last = _mm_set1_epi8(alphabet->characters[63]);
    const __m128i order = _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
    size_t done = 0;
    for (; size - done >= RUN + SPARE; done += RUN, out += 12) {
        __m128i run = _mm_loadu_si128((const __m128i *)(text + done));
        __m128i high = _mm_and_si128(_mm_srli_epi32(run, 4), half);
        __m128i low = _mm_and_si128(run, half);
        __m128i faults = _mm_and_si128(_mm_shuffle_epi8(high_bits, high),
                                       _mm_shuffle_epi8(low_bits, low));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(faults, _mm_setzero_si128())) != 0xffff)
            break;
        __m128i is_last = _mm_cmpeq_epi8(run, last);
        __m128i place = _mm_or_si128(_mm_andnot_si128(is_last, high),
                                     _mm_and_si128(is_last, _mm_set1_epi8(1)));
        __m128i values = _mm_add_epi8(run, _mm_shuffle_epi8(to_value, place));
        /* Four values of 6 bits become two of 12, and those one of 24, low byte first. */
        __m128i twelves = _mm_maddubs_epi16(values, _mm_set1_epi32(0x01400140));
        __m128i whole = _mm_madd_epi16(twelves, _mm_set1_epi32(0x00011000));
        _mm_storeu_si128((__m128i *)out, _mm_shuffle_epi8(whole, order));
    }
    return done;
}

#endif

/* Decodes in one alphabet; false where a character is not in it. */
static bool decode(const Alphabet *alphabet, uint8_t *out, const uint8_t *text, size_t size)
{
    const uint8_t *values = alphabet->values;
    uint8_t all = 0; /* the high bit of NO_VALUE stays in it */
#if HAVE_SSSE3
    if (has_ssse3) {
        size_t done = decode_runs(alphabet, out, text, size);
        out += done / 4 * 3;
        text += done;
        size -= done;
    }
#endif
    for (; size >= 4 && all < 0x80; size -= 4, text += 4, out += 3) {
        uint8_t a = values[text[0]], b = values[text[1]], c = values[text[2]], d = values[text[3]];
        all |= a | b | c | d;
        out[0] = (uint8_t)(a << 2 | b >> 4);
        out[1] = (uint8_t)(b << 4 | c >> 2);
        out[2] = (uint8_t)(c << 6 | d);
    }
    if (size >= 2 && all < 0x80) {
        uint8_t a = values[text[0]], b = values[text[1]];
        all |= a | b;
        out[0] = (uint8_t)(a << 2 | b >> 4);
        if (size == 3) {
            uint8_t c = values[text[2]];
            all |= c;
            out[1] = (uint8_t)(b << 4 | c >> 2);
        }
    }
    return all < 0x80;
}

bool write_base64_decoded(Buffer *buffer, const uint8_t *text, size_t size)
{
    size_t characters, bytes;
    if (!without_padding(text, size, &characters) || !base64_size(text, size, &bytes))
        return false;
    if (!buffer_room(buffer, bytes))
        return false;
    if (!decode(&standard, buffer->at, text, characters) &&
        !decode(&url_safe, buffer->at, text, characters))
        return false;
    buffer->at += bytes;
    return true;
}
