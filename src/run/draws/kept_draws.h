/* The draws that a run keeps, and those that it passes to its sink. */
#pragma once

#include "run/arms/spec.h"

/* Copies the kept draws of a chain to out[n][1 + shown + aux]: rows of log p,
 * the quantities and the auxiliary variables of the arm's first kernel (see
 * cs_run_aux). Returns n (out NULL: only the count); *every = steps between
 * them. Skips states that are not draws of the target (of a hot chain), and
 * those after a chain has stopped. */
size_t cs_run_draws(const cs_run *r, size_t arm, size_t chain, double *out,
                    uint64_t *every);

/* Does the same, and fills log_weight[n], the logarithm of each weight up to a
 * constant of the chain; 0 for unweighted draws. Either may be NULL. */
size_t cs_run_weighed_draws(const cs_run *r, size_t arm, size_t chain,
                            double *out, double *log_weight, uint64_t *every);

/* cs_run_weighs: true if the draws of an arm carry log weights, which its first
 * kernel decides. cs_run_loses_weights: true if they do not although the draws
 * are weighted by now, because the kernel was replaced. */
bool cs_run_weighs(const cs_run *r, size_t arm);
bool cs_run_loses_weights(const cs_run *r, size_t arm);

/* Lists the columns before x in a row of the sink, and returns their number:
 * lp__ (log p), accept_stat__ (acceptance probability of that step), stepsize__
 * if the arm's first kernel has a step, log_weight__ if its draws have weights,
 * and that kernel's own stats. Another kernel writes NAN if it has no such
 * column. */
size_t cs_run_columns(const cs_run *r, size_t arm, const char *const **name);

/* Returns the number of rows of auxiliary variables after x in every draw; the
 * second function returns the name of one, "theta_a.3". NAN while the arm has
 * another kernel than at its start. */
size_t cs_run_aux(const cs_run *r, size_t arm);
void cs_run_aux_name(const cs_run *r, size_t arm, size_t i, char *text,
                     size_t size);

/* Receives a block of draws on the owner's thread as they are made (see spec):
 * rows[n][columns + shown + aux] of one chain. Skips states that are not draws
 * of the target (weight 0: of a hot chain), and those after a chain has
 * stopped. For writers. */
typedef void (*cs_draw_sink)(void *self, size_t arm, size_t chain,
                             const double *rows, size_t n);
/* Sets the sink; `thin`: one draw per this many steps, from now on. NULL: no
 * sink. */
cs_status cs_run_sink(cs_run *r, cs_draw_sink sink, void *self, uint64_t thin,
                      cs_error *err);

/* Also passes the states of warm-ups to the sink, one per so many steps, as
 * rows like those of draws; `ended` is called when an arm's warm-up is over,
 * before its first draw. Call it after cs_run_sink, which resets it. */
typedef void (*cs_warmup_sink)(void *self, size_t arm);
void cs_run_sink_warmups(cs_run *r, cs_warmup_sink over);
