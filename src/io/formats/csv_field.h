/* Fields of delimited text: quotes, separators, decimal commas and missing
 * values. */
#pragma once

#include "data/lines.h"

typedef enum cs_csv_kind {
    CS_CSV_NUMBER,
    CS_CSV_COMMA,   /* a number with a decimal comma */
    CS_CSV_TRUTH,   /* TRUE or false */
    CS_CSV_MISSING, /* NA, null, an empty field */
    CS_CSV_TEXT
} cs_csv_kind;

/* Removes the next field from the line and returns it without quotes. The
 * separator is a character; ' ' means any number of blanks. *more becomes
 * true if a separator follows the field. */
cs_word_span cs_csv_next(cs_word_span *line, char separator, bool *more);

/* Reads the field. *value is 0 or 1 for a truth value, and NaN for a missing
 * one. A decimal comma is accepted unless commas separate the fields. */
cs_csv_kind cs_csv_value(cs_word_span field, char separator, double *value);

/* The shape of a table, from its header and its first row. */
typedef struct cs_csv_shape {
    char separator;
    size_t fields;  /* number of fields of a row */
    bool row_names; /* true if the header lacks the name of the first column,
                     * as R writes it */
} cs_csv_shape;

/* Finds the separator: the one of , ; tab and blanks with the most names in the
 * header for which the row has the same number of fields, and most of them are
 * numbers. Decimal commas in the row thus do not separate fields.
 * Returns false if no separator fits. */
bool cs_csv_find_shape(cs_word_span header, cs_word_span row,
                       cs_csv_shape *out);
