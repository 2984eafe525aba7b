/* Reads the lines that a model in a separate process writes
 * (assets/doc/models.md): first its description, then one answer per line. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_PROTOCOL = 1 }; /* version of the protocol */

typedef enum cs_support {
    CS_SUPPORT_REAL,
    CS_SUPPORT_LOWER,    /* real numbers above `low` */
    CS_SUPPORT_UPPER,    /* real numbers below `high` */
    CS_SUPPORT_INTERVAL, /* real numbers between `low` and `high` */
    CS_SUPPORT_WHOLE     /* integers from `low` to `high` */
} cs_support;

/* A parameter, or a vector of parameters. */
typedef struct cs_model_param {
    char name[32];
    size_t size;  /* number of components of the vector */
    bool vector;  /* true: names have an index, such as theta.1 */
    size_t first; /* index of the first component in the state */
    cs_support support;
    double low, high;
} cs_model_param;

/* The description of a model by its process, read line by line. */
typedef struct cs_model_hello {
    char name[64];
    cs_model_param *param; /* [n_params] the parameters, in order [own] */
    size_t n_params, capacity;
    size_t dim;
    bool gradient; /* true: the answers include gradients */
    bool begun;    /* true: the line with the version has been read */
    bool ready;    /* true: the description is complete */
} cs_model_hello;

/* Parses the next line, and modifies it. This function and cs_model_answer_take
 * require that the locale of the calling thread uses a decimal point. */
cs_status cs_model_hello_take(cs_model_hello *h, char *line, cs_error *err);
void cs_model_hello_fini(cs_model_hello *h);

/* Parses the line of an answer into number[n], and modifies the line. The model
 * may have rejected the point by "error TEXT". In this case sets all numbers to
 * NaN, and *said to TEXT, which is a part of the line. Otherwise sets *said to
 * NULL. */
cs_status cs_model_answer_take(char *line, size_t n, double *number,
                               const char **said, cs_error *err);
