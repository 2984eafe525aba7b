/* A compiled Stan model as a target: see targets/outside/stan_library.h. */
#pragma once

#include "target/target.h"

/* Opens the model in the shared object `library` with `data`, the text of a
 * JSON object in CmdStan's form (NULL: none), and the seed of its transformed
 * data. Chains move in its unconstrained space, as in Stan; its parameters and,
 * with `transformed`, its transformed parameters are the generated quantities.
 * [own: release] */
cs_status cs_stan_target(const char *library, const char *data, unsigned seed,
                         bool transformed, cs_target **out, cs_error *err);
