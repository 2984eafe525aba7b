/* The comments and the header of CmdStan CSV, which rstan and cmdstanr write
 * too. */
#pragma once

#include "data/lines.h"
#include "io/formats/formats.h"

/* Returns the value in the comment "#  key = value"; blanks around the equals
 * sign are optional. Empty if the comment is another one. */
cs_word_span cs_stan_value(cs_word_span line, const char *key);

/* Returns true if the file can be read as draws of this program. */
bool cs_stan_is_native(const cs_draw_head *h);

/* Fails if the header names a method other than sample: rows of `variational`,
 * `optimize` or `pathfinder` are not draws of a Markov chain. */
cs_status cs_stan_check_method(const char *path, const cs_draw_head *h,
                               cs_error *err);
