/* What a run was made of when it was opened, for summaries: two runs are compared
 * by it. */
#ifndef CS_RUN_MADE_OF_H
#define CS_RUN_MADE_OF_H

#include "run/run.h"

/* Lines "arm small: step = 0.5", see base/parts.h. [borrowed] */
const char *cs_run_made_of(const cs_run *r);

#endif
