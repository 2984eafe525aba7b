/* The kernels of a run's arms as a Lua file that recreates them. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Writes a file that returns the kernels of all arms by name. */
void cs_plans_text(const cs_run *r, cs_page *p);
