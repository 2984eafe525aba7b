#include "io/formats/csv_field.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* Returns the end of the quoted field that starts at `at`. Two quotes inside
 * the field stand for one quote. Returns NULL if the closing quote is
 * missing. */
static const char *end_of_quotes(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at != '"')
            continue;
        if (at + 1 == end || at[1] != '"')
            return at + 1;
        at++;
    }
    return NULL;
}

static bool separates(char c, char separator)
{
    return separator == ' ' ? c == ' ' || c == '\t' : c == separator;
}

cs_word_span cs_csv_next(cs_word_span *line, char separator, bool *more)
{
    const char *from = line->at;
    while (from < line->end && *from == ' ')
        from++;
    const char *stop = from < line->end && *from == '"'
                           ? end_of_quotes(from, line->end)
                           : NULL;
    const char *cut = stop ? stop : from;
    if (separator == ' ')
        while (cut < line->end && !separates(*cut, ' '))
            cut++;
    else if (!(cut = memchr(cut, separator, (size_t)(line->end - cut))))
        cut = line->end;
    cs_word_span field = cs_word_trim((cs_word_span){from, cut});
    line->at = cut;
    while (line->at < line->end && separates(*line->at, separator)) {
        line->at++;
        if (separator != ' ')
            break;
    }
    *more = cut < line->end && (separator != ' ' || line->at < line->end);
    if (field.end - field.at >= 2 && *field.at == '"' && field.end[-1] == '"')
        field = cs_word_trim((cs_word_span){field.at + 1, field.end - 1});
    return field;
}

static bool is_any(cs_word_span s, const char *const *word)
{
    size_t n = (size_t)(s.end - s.at);
    for (; *word; word++)
        if (strlen(*word) == n && strncasecmp(s.at, *word, n) == 0)
            return true;
    return false;
}

static bool with_comma(cs_word_span field, double *value)
{
    char text[64];
    size_t n = (size_t)(field.end - field.at);
    const char *comma = n < sizeof text ? memchr(field.at, ',', n) : NULL;
    if (!comma)
        return false;
    memcpy(text, field.at, n);
    text[comma - field.at] = '.';
    return cs_word_real((cs_word_span){text, text + n}, value);
}

cs_csv_kind cs_csv_value(cs_word_span field, char separator, double *value)
{
    static const char
        *const missing[] = {"", "NA", "N/A", "<NA>", "null", "None", ".", NULL},
               *const yes[] = {"true", NULL}, *const no[] = {"false", NULL};
    if (field.end - field.at == 1 && *field.at >= '0' && *field.at <= '9') {
        *value = *field.at - '0';
        return CS_CSV_NUMBER;
    }
    if (cs_word_real(field, value))
        return CS_CSV_NUMBER;
    if (separator != ',' && with_comma(field, value))
        return CS_CSV_COMMA;
    *value = NAN;
    if (is_any(field, missing))
        return CS_CSV_MISSING;
    bool truth = is_any(field, yes);
    if (!truth && !is_any(field, no))
        return CS_CSV_TEXT;
    *value = truth;
    return CS_CSV_TRUTH;
}

/* ---- the separator ---- */

typedef struct tally {
    size_t fields, numbers;
    size_t texts; /* number of fields with text, apart from the first one */
    size_t odd;   /* number of fields that cannot be names */
    bool first;   /* true if the first field is text */
} tally;

static bool is_name(cs_word_span s)
{
    return s.at == s.end || isalnum((unsigned char)*s.at) ||
           (unsigned char)*s.at >= 0x80 || strchr("_.(", *s.at);
}

static tally count(cs_word_span line, char separator)
{
    tally t = {0};
    double value;
    for (bool more = true; more; t.fields++) {
        cs_word_span field = cs_csv_next(&line, separator, &more);
        cs_csv_kind kind = cs_csv_value(field, separator, &value);
        bool text = kind == CS_CSV_TEXT;
        t.numbers += kind == CS_CSV_NUMBER || kind == CS_CSV_COMMA;
        t.texts += text && t.fields > 0;
        t.first |= text && t.fields == 0;
        t.odd += !is_name(field);
    }
    return t;
}

/* Text in the first field of a row is its name. Other text is a fault of a
 * table, but a line of words that blanks separate is not a row. */
static bool fits(cs_word_span header, cs_word_span row, char separator,
                 cs_csv_shape *out)
{
    tally names = count(header, separator), values = count(row, separator);
    *out = (cs_csv_shape){separator, values.fields,
                          names.fields + 1 == values.fields};
    size_t texts = values.texts;
    return (names.fields == values.fields || out->row_names) &&
           names.numbers == 0 && names.odd == 0 &&
           (names.first || names.texts > 0) && values.numbers > 0 &&
           (separator == ' ' ? texts == 0 : 2 * texts < values.fields);
}

static size_t names_of(const cs_csv_shape *s)
{
    return s->fields - s->row_names;
}

bool cs_csv_find_shape(cs_word_span header, cs_word_span row, cs_csv_shape *out)
{
    static const char separators[] = ",;\t ";
    cs_csv_shape one;
    bool found = false;
    for (size_t i = 0; separators[i]; i++) {
        if (!fits(header, row, separators[i], &one) ||
            (found && names_of(&one) <= names_of(out)))
            continue;
        *out = one;
        found = true;
    }
    return found;
}
