/* Reports on single quantities, from a copy. */
#pragma once

#include "run/views/reports.h"

/* Copies the draws into a cs_copy (run/run.h). (quantity_copy.c) */
cs_status cs_copy_take_draws(cs_copy *c, const cs_run *r, size_t arm,
                             cs_error *err);
void cs_copy_report_draws(const cs_copy *c, cs_flat *out);
void cs_copy_free_wanted(cs_copy *c);
