/* Reads the lines that a model in a process of its own writes
 * (assets/doc/models.md): its description, then one answer per line. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_PROTOCOL = 1 }; /* the version that both sides name */

typedef enum cs_support {
    CS_SUPPORT_REAL,
    CS_SUPPORT_LOWER,    /* above `low` */
    CS_SUPPORT_UPPER,    /* below `high` */
    CS_SUPPORT_INTERVAL, /* between them */
    CS_SUPPORT_WHOLE     /* whole numbers from low to high */
} cs_support;

/* A parameter, or a vector of them. */
typedef struct cs_model_param {
    char name[32];
    size_t size;  /* how many numbers; */
    bool vector;  /* whether they are counted in their names: theta.1 */
    size_t first; /* of them in a state */
    cs_support support;
    double low, high;
} cs_model_param;

/* What a process said of its model, line by line. */
typedef struct cs_model_hello {
    char name[64];
    cs_model_param *param; /* [n_params] [own] */
    size_t n_params, room;
    size_t dim;
    bool gradient; /* it answers with gradients, too */
    bool begun;    /* the version was right */
    bool ready;    /* the description is complete */
} cs_model_hello;

/* Takes the next line, which is changed. An error says what is wrong. Here and
 * below the calling thread's locale must have points as points. */
cs_status cs_model_hello_take(cs_model_hello *h, char *line, cs_error *err);
void cs_model_hello_fini(cs_model_hello *h);

/* number[n] of an answer's line, which is changed: NaN of all where the model
 * refused the point by "error TEXT"; *said is then TEXT, which lies in the line,
 * else NULL. */
cs_status cs_model_answer_take(char *line, size_t n, double *number,
                               const char **said, cs_error *err);
