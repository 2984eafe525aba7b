/* Posteriors of the parameters of an exponential family of data,
 *
 *     p(theta | y) ~ prior(theta) exp(theta . S(y)) / Z(theta),
 *
 * with a prior that is uniform or normal in a box. If Z is known (by counting
 * states, or a determinant) the target has its log density and the gradient,
 *
 *     d/dtheta = d log prior / dtheta + S(y) - E[S | theta];
 *
 * otherwise it is CS_TARGET_UNNORMALISED. The first member of the target's
 * `self` must be a cs_family. */
#pragma once

#include "simd/vmath.h"
#include "target/target.h"
#include "targets/intractable/past.h"
#include "targets/intractable/state_counts.h"

enum { CS_FAMILY_THETA = 3 /* maximum number of parameters */ };

typedef struct cs_family cs_family;
struct cs_family {
    size_t parameters, n_data;
    const char *const *names; /* [parameters] names of the parameters */
    /* Computes s[parameters][CS_PAD], the statistics S of a vector of data sets
     * y[n_data][stride]; y must be aligned. */
    void (*statistics)(const cs_family *f, const double *y, size_t stride,
                       double *s);
    /* OPTIONAL; replaces the member `counts`. Returns log Z at
     * theta[parameters]. Unless mean is NULL, also computes E[S]. Only family.c
     * of the same instruction set calls this function. */
    cs_vd (*log_z)(const cs_family *f, const cs_vd *theta, cs_vd *mean);
    cs_state_counts counts;                             /* counts of states; n =
                                                           0: none [own] */
    double low[CS_FAMILY_THETA], high[CS_FAMILY_THETA]; /* bounds of the box */
    double mean[CS_FAMILY_THETA];                       /* mean of the prior */
    double precision[CS_FAMILY_THETA]; /* 1 / sd^2 of the prior; 0: the prior is
                                          uniform */
    double observed[CS_FAMILY_THETA];  /* S of the observed data */
    double limit;                      /* largest number of updates for one
                                          exact draw */
    double *data;                      /* [n_data] the observed data [own] */
};

/* The first parameter rows of targets with a cs_family, in this order. */
enum {
    CS_FAMILY_DATA,
    CS_FAMILY_FILE,
    CS_FAMILY_TRUTH,
    CS_FAMILY_SEED,
    CS_FAMILY_LOW,
    CS_FAMILY_HIGH,
    CS_FAMILY_PRIOR_MEAN,
    CS_FAMILY_PRIOR_SD,
    CS_FAMILY_LIMIT,
    CS_FAMILY_PARAMS
};

/* clang-format off */
#define CS_FAMILY_LIST(name_, help_)                                           \
    {.name = name_, .kind = CS_PARAM_ARRAY, .flags = CS_PARAM_FIXED,           \
     .help = help_}
#define CS_FAMILY_ROWS(theta_, data_, without_)                                \
    [CS_FAMILY_DATA] = CS_FAMILY_LIST("data", data_),                          \
    [CS_FAMILY_FILE] = {.name = "file", .kind = CS_PARAM_TEXT,                 \
        .flags = CS_PARAM_FIXED | CS_PARAM_PATH,                               \
        .help = "path of a CSV file that contains the data, instead of "       \
                "`data`" without_},                                            \
    [CS_FAMILY_TRUTH] = CS_FAMILY_LIST("truth", theta_                         \
        " from which data are simulated by an exact draw"),                    \
    [CS_FAMILY_SEED] = {.name = "seed", .kind = CS_PARAM_INT,                  \
        .flags = CS_PARAM_FIXED, .max = 9007199254740992.0, .def = 1,          \
        .help = "seed of simulated data"},                                     \
    [CS_FAMILY_LOW] = CS_FAMILY_LIST("low", "smallest values of " theta_),     \
    [CS_FAMILY_HIGH] = CS_FAMILY_LIST("high", "largest values of " theta_),    \
    [CS_FAMILY_PRIOR_MEAN] = CS_FAMILY_LIST("prior_mean",                      \
        "means of normal priors; 0 by default"),                               \
    [CS_FAMILY_PRIOR_SD] = CS_FAMILY_LIST("prior_sd",                          \
        "standard deviations of normal priors between low and high; "          \
        "without them the prior is uniform"),                                  \
    [CS_FAMILY_LIMIT] = {.name = "limit", .kind = CS_PARAM_REAL,               \
        .flags = CS_PARAM_FIXED | CS_PARAM_LOG, .min = 1, .max = 1e15,         \
        .def = 1e8, .help = "maximum number of updates per data value when " \
                            "data are simulated exactly; a simulation that " \
                            "needs more fails"}
/* clang-format on */

/* Description of the parameters and the data of one kind of target. */
typedef struct cs_family_kind {
    const char *const *names;
    size_t parameters;
    double low[CS_FAMILY_THETA], high[CS_FAMILY_THETA], truth[CS_FAMILY_THETA];
    double least, most; /* range of the data, which are integers; if both are 0,
                         * the data may be any numbers */
    bool signs;         /* -1 is read as 0 */
} cs_family_kind;

/* A matrix of numbers given by the user, row by row. */
typedef struct cs_given_data {
    size_t rows, cols; /* rows = 0: no data are given */
    double *number;    /* [rows][cols] the numbers [own] */
} cs_given_data;

/* Reads the data from the parameter data or from the file. [own,
 * cs_free(d->number)] Cold. */
cs_status cs_family_read(const char *target, const cs_value *values,
                         cs_given_data *d, cs_error *err);

/* Fills the common members from values[CS_FAMILY_PARAMS]. Before the call, the
 * caller must have set f->n_data, statistics, log_z, counts and
 * t->simulate_words. Takes ownership of d->number. If no data are given,
 * simulates data at the true parameters. Cold. */
cs_status cs_family_make(cs_target *t, cs_family *f, const cs_family_kind *kind,
                         const cs_value *values, cs_given_data *d,
                         cs_error *err);

/* Frees the memory of f. */
void cs_family_free(cs_family *f);

/* Functions of target types. cs_family_start draws starting points in the
 * middle half of the box. */
void cs_family_coordinate(const cs_target *t, size_t i, char *text,
                          size_t size);
void cs_family_start(const cs_target *t, const double *uniform, double *x);

/* Functions of target types. Call them only from files that are compiled once
 * per instruction set. */
void CS_VARIANT(cs_family_log_density)(const cs_target *t, const cs_point *at,
                                       double *logp);
void CS_VARIANT(cs_family_gradient)(const cs_target *t, const cs_point *at,
                                    double *logp, double *g);
void CS_VARIANT(cs_family_prior)(const cs_target *t, const cs_point *at,
                                 double *logp, double *g);
void CS_VARIANT(cs_family_log_factor)(const cs_target *t, const cs_point *at,
                                      const double *data, double *log_f);

/* Members of the type of a target with a cs_family. */
#define CS_FAMILY_MEMBERS                                                      \
    .log_density = CS_VARIANT(cs_family_log_density),                          \
    .gradient = CS_VARIANT(cs_family_gradient),                                \
    .prior = CS_VARIANT(cs_family_prior),                                      \
    .factor.log_factor = CS_VARIANT(cs_family_log_factor),                     \
    .coordinate = cs_family_coordinate, .start = cs_family_start
