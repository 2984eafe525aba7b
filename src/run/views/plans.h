/* What moves the arms of a run, as Lua that makes it again. */
#ifndef CS_RUN_VIEWS_PLANS_H
#define CS_RUN_VIEWS_PLANS_H

#include "base/page.h"
#include "run/run.h"

/* A file that returns the kernels of all arms by name. */
void cs_plans_text(const cs_run *r, cs_page *p);

#endif
