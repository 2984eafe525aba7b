/* A compiled Stan model as a target: see targets/outside/stan_library.h. */
#pragma once

#include "target/target.h"

/* Opens the model in the shared object `library`. `data` is a JSON object in
 * CmdStan's format, as a string (NULL: no data), and `seed` is the seed of the
 * transformed data. Chains move in the unconstrained space, as in Stan. The
 * generated quantities are the parameters and, if `transformed` is true, the
 * transformed parameters. [own: release] */
cs_status cs_stan_target(const char *library, const char *data, unsigned seed,
                         bool transformed, cs_target **out, cs_error *err);
