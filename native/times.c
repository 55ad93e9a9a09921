#include "times.h"

#include "number.h"

static const int64_t FIRST_SECOND = -62135596800;   /* 0001-01-01T00:00:00Z */
static const int64_t LAST_SECOND = 253402300799;    /* 9999-12-31T23:59:59Z */
static const int64_t LONGEST_DURATION = 315576000000; /* seconds of about 10,000 years */

enum {
    DAY = 86400,          /* seconds */
    SECOND = 1000000000,  /* nanoseconds */
    DAYS_BEFORE_EPOCH = 719468, /* from 0000-03-01 to 1970-01-01 */
    DAYS_OF_ERA = 146097, /* of 400 years, after which the calendar repeats */
    MOST_FRACTION = 9     /* digits */
};

typedef struct {
    int year, month, day;
} Date;

/* The two functions below count from 0000-03-01, so that the leap day is the last of its year.
   Both only see the years 1 to 9999, so nothing in them is negative. */

static int64_t days_from_date(Date date)
{
    int64_t year = date.month <= 2 ? date.year - 1 : date.year;
    int64_t month = date.month <= 2 ? date.month + 9 : date.month - 3;
    int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
    return year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - DAYS_BEFORE_EPOCH;
}

static Date date_from_days(int64_t days)
{
    days += DAYS_BEFORE_EPOCH;
    int64_t era = days / DAYS_OF_ERA;
    int64_t day_of_era = days % DAYS_OF_ERA;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    Date date;
    date.day = (int)(day_of_year - (153 * month + 2) / 5 + 1);
    date.month = (int)(month < 10 ? month + 3 : month - 9);
    date.year = (int)(year_of_era + era * 400 + (date.month <= 2));
    return date;
}

static int days_of_month(int year, int month)
{
    static const int8_t DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : DAYS[month - 1];
}

/* Writes 0, 3, 6 or 9 digits of a second. */
static void put_fraction(Buffer *buffer, uint32_t nanos)
{
    int digits = MOST_FRACTION;
    if (nanos == 0)
        return;
    for (; nanos % 1000 == 0; nanos /= 1000)
        digits -= 3;
    put_byte(buffer, '.');
    put_padded(buffer, nanos, digits);
}

bool write_timestamp(Buffer *buffer, int64_t seconds, int32_t nanos)
{
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos >= SECOND)
        return false;
    if (!buffer_room(buffer, NUMBER_ROOM))
        return false;
    int64_t since_first = seconds - FIRST_SECOND;
    Date date = date_from_days(since_first / DAY + FIRST_SECOND / DAY);
    uint32_t second = (uint32_t)(since_first % DAY);
    put_byte(buffer, '"');
    put_padded(buffer, (uint32_t)date.year, 4);
    put_byte(buffer, '-');
    put_padded(buffer, (uint32_t)date.month, 2);
    put_byte(buffer, '-');
    put_padded(buffer, (uint32_t)date.day, 2);
    put_byte(buffer, 'T');
    put_padded(buffer, second / 3600, 2);
    put_byte(buffer, ':');
    put_padded(buffer, second / 60 % 60, 2);
    put_byte(buffer, ':');
    put_padded(buffer, second % 60, 2);
    put_fraction(buffer, (uint32_t)nanos);
    put_bytes(buffer, "Z\"", 2);
    return true;
}

bool write_duration(Buffer *buffer, int64_t seconds, int32_t nanos)
{
    if (seconds < -LONGEST_DURATION || seconds > LONGEST_DURATION)
        return false;
    if (nanos <= -SECOND || nanos >= SECOND)
        return false;
    if ((seconds < 0 && nanos > 0) || (seconds > 0 && nanos < 0))
        return false;
    if (!buffer_room(buffer, NUMBER_ROOM))
        return false;
    bool negative = seconds < 0 || nanos < 0;
    put_byte(buffer, '"');
    if (negative)
        put_byte(buffer, '-');
    put_uint(buffer, (uint64_t)(negative ? -seconds : seconds));
    put_fraction(buffer, (uint32_t)(negative ? -nanos : nanos));
    put_bytes(buffer, "s\"", 2);
    return true;
}

/* --- reading --- */

typedef struct {
    const uint8_t *at;
    const uint8_t *end;
} Scanner;

static bool take(Scanner *scanner, char character)
{
    if (scanner->at == scanner->end || *scanner->at != (uint8_t)character)
        return false;
    scanner->at++;
    return true;
}

/* Reads up to that many digits and returns how many there were. */
static int take_digits(Scanner *scanner, int most, int64_t *value)
{
    int count = 0;
    *value = 0;
    while (count < most && scanner->at < scanner->end && *scanner->at >= '0' &&
           *scanner->at <= '9') {
        *value = *value * 10 + (*scanner->at++ - '0');
        count++;
    }
    return count;
}

/* Reads a number of exactly that many digits, within a range. */
static bool take_part(Scanner *scanner, int digits, int low, int high, int *value)
{
    int64_t found;
    if (take_digits(scanner, digits, &found) != digits || found < low || found > high)
        return false;
    *value = (int)found;
    return true;
}

static bool take_fraction(Scanner *scanner, int32_t *nanos)
{
    int64_t value;
    *nanos = 0;
    if (!take(scanner, '.'))
        return true;
    int digits = take_digits(scanner, MOST_FRACTION, &value);
    if (digits == 0)
        return false;
    for (; digits < MOST_FRACTION; digits++)
        value *= 10;
    *nanos = (int32_t)value;
    return true;
}

/* Reads Z, or how far the clock is ahead of UTC. */
static bool take_offset(Scanner *scanner, int64_t *offset)
{
    int hours, minutes;
    *offset = 0;
    if (take(scanner, 'Z'))
        return true;
    bool behind = take(scanner, '-');
    if (!behind && !take(scanner, '+'))
        return false;
    if (!take_part(scanner, 2, 0, 23, &hours) || !take(scanner, ':') ||
        !take_part(scanner, 2, 0, 59, &minutes))
        return false;
    *offset = (behind ? -1 : 1) * (int64_t)(hours * 3600 + minutes * 60);
    return true;
}

bool read_timestamp(const String *string, int64_t *seconds, int32_t *nanos)
{
    Scanner scanner = {string->start, string->start + string->size};
    Date date;
    int hour, minute, second;
    int64_t offset;
    if (string->escaped)
        return false;
    if (!take_part(&scanner, 4, 1, 9999, &date.year) || !take(&scanner, '-') ||
        !take_part(&scanner, 2, 1, 12, &date.month) || !take(&scanner, '-') ||
        !take_part(&scanner, 2, 1, days_of_month(date.year, date.month), &date.day) ||
        !take(&scanner, 'T') || !take_part(&scanner, 2, 0, 23, &hour) || !take(&scanner, ':') ||
        !take_part(&scanner, 2, 0, 59, &minute) || !take(&scanner, ':') ||
        !take_part(&scanner, 2, 0, 59, &second))
        return false;
    if (!take_fraction(&scanner, nanos) || !take_offset(&scanner, &offset))
        return false;
    if (scanner.at != scanner.end)
        return false;
    *seconds = days_from_date(date) * DAY + hour * 3600 + minute * 60 + second - offset;
    return *seconds >= FIRST_SECOND && *seconds <= LAST_SECOND;
}

bool read_duration(const String *string, int64_t *seconds, int32_t *nanos)
{
    enum { MOST_SECONDS_DIGITS = 12 };
    Scanner scanner = {string->start, string->start + string->size};
    if (string->escaped)
        return false;
    bool negative = take(&scanner, '-');
    if (take_digits(&scanner, MOST_SECONDS_DIGITS, seconds) == 0)
        return false;
    if (!take_fraction(&scanner, nanos) || !take(&scanner, 's') || scanner.at != scanner.end)
        return false;
    if (*seconds > LONGEST_DURATION)
        return false;
    if (negative) {
        *seconds = -*seconds;
        *nanos = -*nanos;
    }
    return true;
}
