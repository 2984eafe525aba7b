/* The facts of a run that is open (figure/facts.h): numbers of its arms and reports
 * of its probes, made when they are first asked for and kept until the facts are
 * freed. They are of the run as it was then: whoever moves it frees them. */
#pragma once

#include "figure/facts.h"
#include "run/run.h"

typedef struct cs_run_facts cs_run_facts;

/* Of an arm, and of all chains of the others; `groups`: of which samples will leave
 * out one each, at most CS_RUN_GROUPS. NULL: out of memory. [own] */
cs_run_facts *cs_run_facts_new(cs_run *r, size_t arm, size_t groups);
/* Of a sample of the arm's chains, and of all chains of the others; `without`: the
 * group that it leaves out, CS_RUN_GROUPS: none. What is best found for all samples
 * at once lies in `whole` [borrowed], which must last as long. [own] */
cs_run_facts *cs_run_facts_sample(cs_run_facts *whole,
                                  const cs_run_sample *sample, size_t without);
void cs_run_facts_free(cs_run_facts *f);

/* The same as facts are asked. Messages on a question that is wrong go to `err`
 * [borrowed] until it is set again; NULL allowed. */
const cs_facts *cs_run_facts_of(cs_run_facts *f, cs_error *err);

/* The arm that they are of. */
size_t cs_run_facts_arm(const cs_run_facts *f);
