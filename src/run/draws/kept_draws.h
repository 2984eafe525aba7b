/* The draws that a run keeps in memory, and the draws that it passes to a
 * sink. */
#pragma once

#include "run/arms/spec.h"
#include "stat/diagnostics.h"

/* Copies the kept draws of a chain to out[n][1 + shown + aux]: log p, the
 * quantities, and the auxiliary variables of the arm's first kernel (see
 * cs_run_aux). Returns n; if out is NULL, only counts. *every is the number of
 * steps between draws. States that are not draws of the target (of a hot chain)
 * and states after the chain stopped are skipped. */
size_t cs_run_draws(const cs_run *r, size_t arm, size_t chain, double *out,
                    uint64_t *every);

/* Copies the kept draws to `out`, and their log weights to log_weight[n]. Each
 * chain's log weights are known up to a constant. Unweighted draws have the log
 * weight 0. Either output may be NULL. */
size_t cs_run_weighed_draws(const cs_run *r, size_t arm, size_t chain,
                            double *out, double *log_weight, uint64_t *every);

/* Sets the probabilities of the quantiles that are reported for all arms; they
 * are 5, 50 and 95 % by default. cs_run_quantiles returns them. */
void cs_run_set_quantiles(cs_run *r, const cs_probabilities *p);
const cs_probabilities *cs_run_quantiles(const cs_run *r);

/* cs_run_weighs returns true if the draws of an arm have log weights. This
 * depends on the arm's first kernel. cs_run_loses_weights returns true if the
 * present kernel weights its draws, but the draws have no log weights. */
bool cs_run_weighs(const cs_run *r, size_t arm);
bool cs_run_loses_weights(const cs_run *r, size_t arm);

/* Lists the columns before x in a row of the sink and returns their number:
 * lp__ (log p), accept_stat__ (acceptance probability of the step), stepsize__
 * if the arm's first kernel has a step, log_weight__ if this kernel weights its
 * draws, and the kernel's own stats. A later kernel writes NAN to columns that
 * it does not have. */
size_t cs_run_columns(const cs_run *r, size_t arm, const char *const **name);

/* cs_run_aux returns the number of auxiliary variables after x in each draw.
 * cs_run_aux_name writes the name of variable i, as in "theta_a.3". While the
 * arm has a kernel other than its first one, the values of these variables are
 * NAN. */
size_t cs_run_aux(const cs_run *r, size_t arm);
void cs_run_aux_name(const cs_run *r, size_t arm, size_t i, char *text,
                     size_t size);

/* Receives a block of new draws on the owner's thread: rows[n][columns + shown
 * + aux] of one chain. States that are not draws of the target (weight 0, of a
 * hot chain) and states after the chain stopped are skipped. Used by writers of
 * files. */
typedef void (*cs_draw_sink)(void *self, size_t arm, size_t chain,
                             const double *rows, size_t n);
/* Sets the sink; NULL: no sink. From now on the sink receives one draw per
 * `thin` steps. */
cs_status cs_run_sink(cs_run *r, cs_draw_sink sink, void *self, uint64_t thin,
                      cs_error *err);

/* Passes the states of the warm-up to the sink as well, one per `thin` steps,
 * in rows with the same columns as draws. `over` is called at the end of an
 * arm's warm-up, before the arm's first draw. cs_run_sink turns this off, so
 * call this function after each call of cs_run_sink. */
typedef void (*cs_warmup_sink)(void *self, size_t arm);
void cs_run_sink_warmups(cs_run *r, cs_warmup_sink over);
