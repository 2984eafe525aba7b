/* Access to a snapshot for panels (keys: session/client/snapshot.h). If a value
 * is missing or has a wrong shape, the functions return NULL or the fallback,
 * and the panel reports that the value is missing. */
#pragma once

#include "figure/facts.h"
#include "session/client/snapshot_rows.h"

typedef struct cs_shot {
    const unsigned char *base; /* [borrowed] */
    size_t used;
    const cs_flat_index *index; /* index of the bytes [borrowed]; NULL: none */
} cs_shot;

/* Returns the data of the first CS_SHOT_ARMS arms, from which figures are
 * computed. */
cs_table_facts cs_shot_facts(const cs_shot *s);

double cs_shot_number(const cs_shot *s, double fallback, const char *key, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns the text under `key`; "" if the key is missing. */
const char *cs_shot_text(const cs_shot *s, const char *key, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns the array under `key` and its shape. If there is no such array,
 * returns NULL. */
const double *cs_shot_array(const cs_shot *s, size_t *rows, size_t *cols,
                            const char *key, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns the rows under `key` and sets *n to their number. If there are
 * no rows, or if they do not have `cols` columns, returns NULL and sets *n to
 * 0. CS_SHOT_ROWS returns the rows as structs. */
const double *cs_shot_rows(const cs_shot *s, size_t cols, size_t *n,
                           const char *key, ...)
    __attribute__((format(printf, 4, 5)));
#define CS_SHOT_ROWS(s, type, n, ...)                                          \
    ((const type *)(const void *)cs_shot_rows(                                 \
        s, sizeof(type) / sizeof(double), n, __VA_ARGS__))

/* Converts v to a count that is at most `most`. Returns 0 if v is not
 * positive. */
size_t cs_shot_whole(double v, size_t most);

/* The three functions return the number of arms that panels show (at most
 * CS_SHOT_ARMS), the total number of arms, and the name of an arm. */
enum { CS_SHOT_ARMS = 16 };
size_t cs_shot_arms(const cs_shot *s);
size_t cs_shot_all_arms(const cs_shot *s);
const char *cs_shot_arm(const cs_shot *s, size_t arm);
size_t cs_shot_chains(const cs_shot *s, size_t arm);

/* Returns the user's selection; NULL if unknown. */
const cs_row_look *cs_shot_look(const cs_shot *s);

/* Returns the accepted share of all steps of an arm. If it is unknown, returns
 * NAN. */
double cs_shot_accepted(const cs_shot *s, size_t arm);

/* Returns true if a question of a lesson is open: verdicts and comparisons of the
 * arms are then not shown. */
bool cs_shot_asks(const cs_shot *s);
/* Returns true if the scenario is a game. cs_shot_plays also requires that its
 * answer is not revealed yet. */
bool cs_shot_is_game(const cs_shot *s);
bool cs_shot_plays(const cs_shot *s);

/* Returns true if a question of a lesson is open or will follow: verdicts are
 * then not shown. */
bool cs_shot_hides(const cs_shot *s);

/* Writes the order of an arm's parameters to order[CS_SHOT_PARAMS] and returns
 * their number. The fields of a schedule follow the parameter that the schedule
 * drives. */
enum { CS_SHOT_PARAMS = 96 };
size_t cs_shot_params(const cs_shot *s, size_t arm,
                      size_t order[CS_SHOT_PARAMS]);

/* Returns parameter k of an arm (NULL: no such parameter), and formats its
 * value. */
const cs_row_param *cs_shot_param(const cs_shot *s, size_t arm, size_t k);
void cs_shot_value(const cs_shot *s, size_t arm, size_t k, double value,
                   char *text, size_t size);

/* Copies word number i of a text to out[size]. Returns false if i is too
 * large. */
bool cs_shot_word(const char *words, size_t i, char *out, size_t size);
