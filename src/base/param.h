/* Tables of parameters. Each parameter is declared once, in a table. C, Lua,
 * the command line, the sliders on the screen, completion, `describe` and the
 * manual read these tables. */
#pragma once

#include "base/status.h"

#include <stddef.h>

typedef enum cs_param_kind {
    CS_PARAM_REAL,   /* a double */
    CS_PARAM_INT,    /* an integer, stored in a double */
    CS_PARAM_BOOL,   /* 0 or 1 (false or true) */
    CS_PARAM_CHOICE, /* an index into `choices` */
    CS_PARAM_ARRAY,  /* numbers: a vector, or a row-major matrix */
    CS_PARAM_TEXT    /* a string, often a path */
} cs_param_kind;

enum {
    CS_PARAM_LOG = 1,      /* the parameter suits a log scale: sliders multiply
                            * and divide */
    CS_PARAM_FIXED = 2,    /* can be set only at creation */
    CS_PARAM_REQUIRED = 4, /* has no default */
    CS_PARAM_SHARED = 8,   /* the same for all lanes of a block */
    CS_PARAM_PATH = 16,    /* the name of a file to read */
    CS_PARAM_SIZE = 32     /* for kernels: sets how far a move goes; the screen
                            * tries the next step with half and double of it */
};

/* One parameter. `max` >= `min`; bounds are inclusive, and HUGE_VAL means no
 * bound. `unit` is NULL for a pure number; `ref` names the equation and
 * paper. */
typedef struct cs_param {
    const char *name;
    const char *unit;
    cs_param_kind kind;
    unsigned flags;
    double min, max, def;
    const char *const *choices; /* NULL-terminated, CS_PARAM_CHOICE only */
    const char *help;
    const char *ref;
    unsigned spaces; /* for kernels: the kinds of space (target/space.h) where
                      * the parameter has an effect; 0: all */
} cs_param;

/* Set the members `kind` and `flags` of a constant parameter. CS_FIXED is for
 * constants in general. The other macros are for a number on a logarithmic
 * scale and for the path of a file. */
#define CS_FIXED(kind_) .kind = CS_PARAM_##kind_, .flags = CS_PARAM_FIXED
#define CS_FIXED_SCALE                                                         \
    .kind = CS_PARAM_REAL, .flags = CS_PARAM_FIXED | CS_PARAM_LOG
#define CS_FIXED_PATH                                                          \
    .kind = CS_PARAM_TEXT, .flags = CS_PARAM_FIXED | CS_PARAM_PATH

/* Sets the members `min`, `max` and `def` of a parameter. */
#define CS_PARAM_RANGE(min_, max_, def_)                                       \
    .min = (min_), .max = (max_), .def = (def_)

/* Sets the members `params` and `n_params` of a type from its table of
 * parameters. */
#define CS_PARAM_TABLE(rows)                                                   \
    .params = (rows), .n_params = sizeof(rows) / sizeof *(rows)

/* A value of any kind. `array` [borrowed] is rows x cols, row-major (a vector
 * has cols 1). `text` is also [borrowed]. In an input, `name` is the name of
 * the parameter. If an optional array or text is absent, `given` is false. */
typedef struct cs_value {
    const char *name;
    cs_param_kind kind;
    int given;
    double number;
    const char *text;
    const double *array;
    size_t rows, cols;
} cs_value;

/* Returns the index of the parameter `name`, or -1. */
int cs_param_find(const cs_param *rows, size_t n, const char *name);

/* Formats a value in a form that a user can type: an integer with all its
 * digits, a choice by its name. */
void cs_param_text(const cs_param *row, double value, char *text, size_t size);

/* Checks one number against its parameter: bounds, and an integer where
 * required. */
cs_status cs_param_check_number(const cs_param *row, double number,
                                cs_error *err);

/* Finds the index of `text` among `choices`. The error for an unknown choice
 * names the nearest one. */
cs_status cs_param_choose(const cs_param *row, const char *text, double *number,
                          cs_error *err);

/* Checks `given[n_given]` against `rows[n]`. Writes `out[n]` in the order of
 * the rows; missing values get their defaults. Strings and arrays are not
 * copied and must therefore outlive `out`. A CS_PARAM_CHOICE may be a string or
 * a number. Fails for an unknown name (the error proposes the nearest name), a
 * wrong kind, a value out of range, or a missing required parameter. */
cs_status cs_params_resolve(const char *what, const cs_param *rows, size_t n,
                            const cs_value *given, size_t n_given,
                            cs_value *out, cs_error *err);
