/* Rows of parameters: written once, read by C, Lua, the command line, the
 * sliders on the screen, completion, `describe` and the manual. */
#pragma once

#include "base/status.h"

#include <stddef.h>

typedef enum cs_param_kind {
    CS_PARAM_REAL,   /* a double */
    CS_PARAM_INT,    /* a whole number, kept in a double */
    CS_PARAM_BOOL,   /* 0 or 1 */
    CS_PARAM_CHOICE, /* an index into `choices` */
    CS_PARAM_ARRAY,  /* numbers: a vector, or a matrix row by row */
    CS_PARAM_TEXT    /* a string, often a path */
} cs_param_kind;

enum {
    CS_PARAM_LOG = 1,      /* natural on a log scale: sliders step by factors */
    CS_PARAM_FIXED = 2,    /* chosen at creation, never changed afterwards */
    CS_PARAM_REQUIRED = 4, /* has no default */
    CS_PARAM_SHARED = 8,   /* the same for all lanes of a block */
    CS_PARAM_PATH = 16     /* a text that names a file to be read */
};

/* One parameter. `max` < `min` never; bounds are inclusive, HUGE_VAL = none.
 * `unit` is NULL for a pure number; `ref` names the equation and paper. */
typedef struct cs_param {
    const char *name;
    const char *unit;
    cs_param_kind kind;
    unsigned flags;
    double min, max, def;
    const char *const *choices; /* NULL-terminated, CS_PARAM_CHOICE only */
    const char *help;
    const char *ref;
    unsigned spaces; /* of a kernel's: the kinds of space (target/space.h) where
                        it does something, 0: all */
} cs_param;

/* A value of any kind. `array` [borrowed] is rows x cols, row-major (a
 * vector has cols 1); `text` [borrowed]. As input, `name` says whose. A
 * value with `given` false is an absent optional array or text. */
typedef struct cs_value {
    const char *name;
    cs_param_kind kind;
    int given;
    double number;
    const char *text;
    const double *array;
    size_t rows, cols;
} cs_value;

/* The index of the row called `name`, or -1. */
int cs_param_find(const cs_param *rows, size_t n, const char *name);

/* A value as it is read and can be typed: a whole number with all its digits,
 * a choice by its name. */
void cs_param_text(const cs_param *row, double value, char *text, size_t size);

/* Checks one number against its row: whole where it must be, within bounds. */
cs_status cs_param_check_number(const cs_param *row, double number,
                                cs_error *err);

/* The index among `choices` of the one called `text`, or an error that names
 * the nearest. */
cs_status cs_param_choose(const cs_param *row, const char *text, double *number,
                          cs_error *err);

/* Checks `given[n_given]` against `rows[n]` and writes `out[n]`, in the order
 * of the rows, defaults filled in. Strings and arrays are not copied: they
 * live as long as the given ones. A CS_PARAM_CHOICE may be given as text or
 * as a number. Fails on an unknown name (the nearest right one is proposed),
 * a wrong kind, a value out of range, or a required row that is missing. */
cs_status cs_params_resolve(const char *what, const cs_param *rows, size_t n,
                            const cs_value *given, size_t n_given,
                            cs_value *out, cs_error *err);
