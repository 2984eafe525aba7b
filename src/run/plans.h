/* What moves the arms of a run, as Lua that makes it again. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* A file that returns the kernels of all arms by name. */
void cs_plans_text(const cs_run *r, cs_page *p);
