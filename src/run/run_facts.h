/* Facts about an open run (figure/facts.h): numbers of its arms and reports of
 * its probes. They are computed at the first query and kept until the facts are
 * freed. They describe the present step of the run; free them before the run
 * moves. */
#pragma once

#include "figure/facts.h"
#include "run/derived.h"
#include "run/draws/sample.h"
#include "run/run.h"

typedef struct cs_run_facts cs_run_facts;

/* Creates facts about an arm, and about all chains of the other arms. `groups`:
 * number of groups of chains, at most CS_RUN_GROUPS; a sample may leave out one
 * of them. NULL: out of memory. [own] */
cs_run_facts *cs_run_facts_new(cs_run *r, size_t arm, size_t groups);
/* Creates facts about a sample of the arm's chains, and about all chains of the
 * other arms. `without`: the group to leave out; CS_RUN_GROUPS: none. Results
 * that all samples share are stored in `whole` [borrowed], which must exist as
 * long as the sample. [own] */
cs_run_facts *cs_run_facts_sample(cs_run_facts *whole,
                                  const cs_run_sample *sample, size_t without);
void cs_run_facts_free(cs_run_facts *f);

/* Returns the facts in the form that queries need. Errors of invalid queries
 * are written to `err` [borrowed] (or NULL) until the next call. */
const cs_facts *cs_run_facts_of(cs_run_facts *f, cs_error *err);

/* Adds a quantity that a function computes from each draw of the whole arm, for
 * these facts and their samples. Returns its number k, from CS_FACTS_DERIVED on;
 * 0: an error, or `value` has returned false and *stopped is true. */
size_t cs_run_facts_derive(cs_run_facts *f, cs_draw_value *value, void *self,
                           bool *stopped, cs_error *err);

/* Returns the arm that the facts describe. */
size_t cs_run_facts_arm(const cs_run_facts *f);
