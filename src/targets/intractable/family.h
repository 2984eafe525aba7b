/* Posteriors of the parameters of an exponential family of data,
 *
 *     p(theta | y) ~ prior(theta) exp(theta . S(y)) / Z(theta),
 *
 * prior: in a box uniform, or normal. Where Z is known (states that can be
 * counted, a determinant) the target has its log density and the gradient,
 *
 *     d/dtheta = d log prior / dtheta + S(y) - E[S | theta];
 *
 * else it is CS_TARGET_UNNORMALISED. A target of this kind has one of these as
 * the first member of its `self`. */
#pragma once

#include "simd/vmath.h"
#include "target/target.h"
#include "targets/intractable/past.h"
#include "targets/intractable/state_counts.h"

enum { CS_FAMILY_THETA = 3 /* parameters at most */ };

typedef struct cs_family cs_family;
struct cs_family {
    size_t parameters, n_data;
    const char *const *names; /* [parameters] */
    /* S of as many data sets y[n_data][stride] as a vector has lanes, aligned:
     * s[parameters][CS_PAD]. */
    void (*statistics)(const cs_family *f, const double *y, size_t stride,
                       double *s);
    /* OPTIONAL, in place of counts. log Z and E[S] of theta[parameters].
     * Asked by family.c of its own instruction set alone. */
    cs_vd (*log_z)(const cs_family *f, const cs_vd *theta, cs_vd *mean);
    cs_state_counts counts;                             /* n 0: none [own] */
    double low[CS_FAMILY_THETA], high[CS_FAMILY_THETA]; /* the box */
    double mean[CS_FAMILY_THETA];                       /* of the prior */
    double precision[CS_FAMILY_THETA]; /* 1 / sd^2; 0: uniform */
    double observed[CS_FAMILY_THETA];  /* S of the data */
    double limit;                      /* updates that a draw may take */
    double *data;                      /* [n_data] [own] */
};

/* The rows that such targets begin with, in this order. */
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
        .help = "path of a CSV file with the data, in place of `data`; "       \
                without_},                                                     \
    [CS_FAMILY_TRUTH] = CS_FAMILY_LIST("truth", theta_                         \
        " that simulated data come from, by an exact draw"),                   \
    [CS_FAMILY_SEED] = {.name = "seed", .kind = CS_PARAM_INT,                  \
        .flags = CS_PARAM_FIXED, .max = 9007199254740992.0, .def = 1,          \
        .help = "of simulated data"},                                          \
    [CS_FAMILY_LOW] = CS_FAMILY_LIST("low", "least values of " theta_),        \
    [CS_FAMILY_HIGH] = CS_FAMILY_LIST("high", "largest values of " theta_),    \
    [CS_FAMILY_PRIOR_MEAN] = CS_FAMILY_LIST("prior_mean",                      \
        "means of normal priors; 0 unless given"),                             \
    [CS_FAMILY_PRIOR_SD] = CS_FAMILY_LIST("prior_sd",                          \
        "standard deviations of normal priors between low and high; without "  \
        "them all values there are equally likely"),                           \
    [CS_FAMILY_LIMIT] = {.name = "limit", .kind = CS_PARAM_REAL,               \
        .flags = CS_PARAM_FIXED | CS_PARAM_LOG, .min = 1, .max = 1e15,         \
        .def = 1e8, .help = "updates of one number of the data that an exact " \
                            "draw may take; it is given up after as many"}
/* clang-format on */

/* What a kind of target says of its data and parameters. */
typedef struct cs_family_kind {
    const char *const *names;
    size_t parameters;
    double low[CS_FAMILY_THETA], high[CS_FAMILY_THETA], truth[CS_FAMILY_THETA];
    double least, most; /* whole numbers of the data are these; both 0: any
                           number */
    bool signs;         /* -1 is understood as 0 */
} cs_family_kind;

/* A matrix of numbers as it is given: by rows. */
typedef struct cs_given_data {
    size_t rows, cols; /* rows 0: none is given */
    double *number;    /* [rows][cols] [own] */
} cs_given_data;

/* Reads data[] or the file. [own, cs_free(d->number)] Cold. */
cs_status cs_family_read(const char *target, const cs_value *values,
                         cs_given_data *d, cs_error *err);

/* Fills what is common to all from values[CS_FAMILY_PARAMS]; f->n_data,
 * statistics, log_z, counts and t->simulate_words are there. Takes d->number
 * over; without data simulates them from the truth. Cold. */
cs_status cs_family_make(cs_target *t, cs_family *f, const cs_family_kind *kind,
                         const cs_value *values, cs_given_data *d,
                         cs_error *err);

/* Frees what f owns. */
void cs_family_free(cs_family *f);

/* Functions of target types. The last: the middle half of the box. */
void cs_family_coordinate(const cs_target *t, size_t i, char *text,
                          size_t size);
void cs_family_start(const cs_target *t, const double *uniform, double *x);

/* Those of hot files. */
void CS_VARIANT(cs_family_log_density)(const cs_target *t, const cs_point *at,
                                       double *logp);
void CS_VARIANT(cs_family_gradient)(const cs_target *t, const cs_point *at,
                                    double *logp, double *g);
void CS_VARIANT(cs_family_prior)(const cs_target *t, const cs_point *at,
                                 double *logp, double *g);
void CS_VARIANT(cs_family_log_factor)(const cs_target *t, const cs_point *at,
                                      const double *data, double *log_f);
