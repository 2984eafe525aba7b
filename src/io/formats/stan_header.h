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

/* Returns the method that the comment names, if the rows of its files are not
 * draws of a Markov chain: `variational`, `optimize` or `pathfinder`, or the
 * algorithm of such a method, as rstan writes it. Otherwise returns an empty
 * word. */
cs_word_span cs_stan_other_method(cs_word_span line);

/* Fails if the header names such a method. */
cs_status cs_stan_check_method(const char *path, const cs_draw_head *h,
                               cs_error *err);
