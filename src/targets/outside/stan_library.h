/* A compiled Stan model: a shared object with BridgeStan's C interface, version
 * 2 (Roualdes, Ward, Carpenter, Seyboldt and Axen 2023, BridgeStan: Efficient
 * in-memory access to the methods of a Stan model). The code of the model runs
 * in this process, without a sandbox. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct bs_model bs_model;
typedef struct bs_rng bs_rng;

/* The functions of BridgeStan that are used, with their types. A string that is
 * returned in `error` must be freed by bs_free_error_msg. Functions that return
 * an int return 0 on success. */
#define CS_STAN_FUNCTIONS(X)                                                   \
    X(model_construct, bs_model *,                                             \
      (const char *data, unsigned seed, char **error))                         \
    X(model_destruct, void, (bs_model * m))                                    \
    X(free_error_msg, void, (char *error))                                     \
    X(name, const char *, (const bs_model *m))                                 \
    X(model_info, const char *, (const bs_model *m))                           \
    X(param_names, const char *,                                               \
      (const bs_model *m, bool include_tp, bool include_gq))                   \
    X(param_num, int, (const bs_model *m, bool include_tp, bool include_gq))   \
    X(param_unc_names, const char *, (const bs_model *m))                      \
    X(param_unc_num, int, (const bs_model *m))                                 \
    X(param_constrain, int,                                                    \
      (const bs_model *m, bool include_tp, bool include_gq,                    \
       const double *theta_unc, double *theta, bs_rng *rng, char **error))     \
    X(param_unconstrain, int,                                                  \
      (const bs_model *m, const double *theta, double *theta_unc,              \
       char **error))                                                          \
    X(log_density, int,                                                        \
      (const bs_model *m, bool propto, bool jacobian, const double *theta_unc, \
       double *logp, char **error))                                            \
    X(log_density_gradient, int,                                               \
      (const bs_model *m, bool propto, bool jacobian, const double *theta_unc, \
       double *logp, double *g, char **error))

typedef struct cs_stan_library {
    void *handle;
#define CS_STAN_FIELD(name, result, arguments) result(*name) arguments;
    CS_STAN_FUNCTIONS(CS_STAN_FIELD)
#undef CS_STAN_FIELD
} cs_stan_library;

/* Loads the shared object at `path`. If a symbol is missing or the version is
 * wrong, the error says so. Output that the models print is discarded, because
 * the program uses the entire screen. [own: cs_stan_library_close] */
cs_status cs_stan_library_open(cs_stan_library *library, const char *path,
                               cs_error *err);
void cs_stan_library_close(cs_stan_library *library);
