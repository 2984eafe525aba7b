/* The probes that a run has without being told. */
#ifndef CS_RUN_DRAWS_USUAL_H
#define CS_RUN_DRAWS_USUAL_H

#include "run/run.h"

/* Whether it is of use to some of these arms, arm[n], and need not be asked
 * for. Whether it can watch their target is another question. */
bool cs_probe_is_usual(const cs_probe_type *type, const cs_arm_spec *arm,
                       size_t n);

#endif
