/* Comment lines in files of draws about the data of a model, from which the
 * export makes groups:
 *
 *     # posterior_predictive y = y_rep      (the variable y_rep, named y)
 *     # log_likelihood y = log_lik
 *     # observed_data y = 28,8,-3
 *     # constant_data error = 15,10,16
 *     # predictive_statistics y = max,sd    (statistics of the check y)
 *
 * Later lines of observed and constant data with the same name append
 * numbers. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum cs_data_group {
    CS_DATA_REPLICATED, /* posterior_predictive */
    CS_DATA_LOG_LIKELIHOOD,
    CS_DATA_OBSERVED,
    CS_DATA_CONSTANT,
    CS_DATA_STATISTICS, /* not a group of ArviZ: the check of a run that is read
                         * from files */
    CS_DATA_GROUPS
} cs_data_group;

enum { CS_DATA_NAME = 208 };

typedef struct cs_data_line {
    cs_data_group group;
    char name[CS_DATA_NAME];     /* name in the group */
    char variable[CS_DATA_NAME]; /* variable of the draws, or the names of
                                  * statistics; "": data */
    double *x;                   /* [n] data [own] */
    size_t n, capacity;
} cs_data_line;

typedef struct cs_data_lines {
    cs_data_line *line; /* [n] [own] */
    size_t n, capacity;
} cs_data_lines;

/* Returns true if the line, without its newline, starts like one of these
 * lines. */
bool cs_data_line_is(const char *line);

/* Reads lines; `text` may be NULL. Call cs_data_lines_free afterwards, also
 * after a failure. */
cs_status cs_data_lines_read(const char *text, cs_data_lines *out,
                             cs_error *err);
void cs_data_lines_free(cs_data_lines *d);
/* Returns the name of a group in ArviZ's schema. */
const char *cs_data_group_name(cs_data_group group);
/* Returns the line of the group for a variable of the draws, or NULL. */
const cs_data_line *cs_data_lines_find(const cs_data_lines *d,
                                       const char *variable);
