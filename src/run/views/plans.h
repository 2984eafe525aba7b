/* Writes the kernels of a run's arms as a Lua file. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Writes a Lua file that returns the kernels of all arms by name. */
void cs_plans_text(const cs_run *r, cs_page *p);
