/* Facts about an open run (figure/facts.h): numbers of its arms and reports of
 * its probes, computed on the first query and kept until the facts are freed.
 * They describe the run at that step; free them before moving it. */
#pragma once

#include "figure/facts.h"
#include "run/draws/sample.h"
#include "run/run.h"

typedef struct cs_run_facts cs_run_facts;

/* Creates facts of an arm, and of all chains of the others. `groups`: samples
 * will leave out one each, at most CS_RUN_GROUPS. NULL: out of memory. [own] */
cs_run_facts *cs_run_facts_new(cs_run *r, size_t arm, size_t groups);
/* Creates facts of a sample of the arm's chains, and of all chains of the
 * others. `without`: the group that it leaves out; CS_RUN_GROUPS: none. Results
 * shared by all samples are stored in `whole` [borrowed], which must last as
 * long. [own] */
cs_run_facts *cs_run_facts_sample(cs_run_facts *whole,
                                  const cs_run_sample *sample, size_t without);
void cs_run_facts_free(cs_run_facts *f);

/* Returns the same as queryable facts. Errors of invalid queries go to `err`
 * [borrowed] until it is set again; may be NULL. */
const cs_facts *cs_run_facts_of(cs_run_facts *f, cs_error *err);

/* Returns their arm. */
size_t cs_run_facts_arm(const cs_run_facts *f);
