/* A snapshot as panels read it (keys: session/snapshot.h). What is not there
 * or has another shape is NULL or the fallback: a panel then says so. */
#pragma once

#include "base/flat_index.h"
#include "session/rows.h"

typedef struct cs_shot {
    const unsigned char *base; /* [borrowed] */
    size_t used;
    const cs_flat_index *index; /* of them [borrowed], NULL: there is none */
} cs_shot;

double cs_shot_number(const cs_shot *s, double fallback, const char *key, ...)
    __attribute__((format(printf, 3, 4)));
/* "" when it is not there. */
const char *cs_shot_text(const cs_shot *s, const char *key, ...)
    __attribute__((format(printf, 2, 3)));
/* The array under `key` with its shape, or NULL. */
const double *cs_shot_array(const cs_shot *s, size_t *rows, size_t *cols,
                            const char *key, ...)
    __attribute__((format(printf, 4, 5)));

/* The rows of `cols` numbers under `key`, NULL (and *n = 0) where there are
 * none of that width; as structs by CS_SHOT_ROWS. */
const double *cs_shot_rows(const cs_shot *s, size_t cols, size_t *n,
                           const char *key, ...)
    __attribute__((format(printf, 4, 5)));
#define CS_SHOT_ROWS(s, type, n, ...)                                          \
    ((const type *)(const void *)cs_shot_rows(                                 \
        s, sizeof(type) / sizeof(double), n, __VA_ARGS__))

/* A number as a count, at most `most`; 0 where it is none. */
size_t cs_shot_whole(double v, size_t most);

/* How many arms, at most the CS_SHOT_ARMS that panels show and compare; how many
 * there are; how an arm is called. */
enum { CS_SHOT_ARMS = 16 };
size_t cs_shot_arms(const cs_shot *s);
size_t cs_shot_all_arms(const cs_shot *s);
const char *cs_shot_arm(const cs_shot *s, size_t arm);
/* Stands before its name: "!" once :check has found a law broken, or its draws
 * are off an exact distribution by more than chance; else "". */
const char *cs_shot_flaw(const cs_shot *s, size_t arm);
/* Whether there is a warning that the arm's figures may be wrong. */
bool cs_shot_is_warned(const cs_shot *s, size_t arm);
size_t cs_shot_chains(const cs_shot *s, size_t arm);

/* What the user looks at, NULL: it is not known. */
const cs_row_look *cs_shot_look(const cs_shot *s);

/* The accepted share of all steps of an arm, NAN where it is not known. */
double cs_shot_accepted(const cs_shot *s, size_t arm);

/* The parameters of an arm as they are listed: a field of a schedule behind what it
 * drives. order[CS_SHOT_PARAMS]; returns how many. */
enum { CS_SHOT_PARAMS = 96 };
size_t cs_shot_params(const cs_shot *s, size_t arm,
                      size_t order[CS_SHOT_PARAMS]);

/* Parameter k of an arm, NULL: there is none; how its value is written. */
const cs_row_param *cs_shot_param(const cs_shot *s, size_t arm, size_t k);
void cs_shot_value(const cs_shot *s, size_t arm, size_t k, double value,
                   char *text, size_t size);

/* Word number i of a text of words, into out[size]; false past the last. */
bool cs_shot_word(const char *words, size_t i, char *out, size_t size);
