/* Reports on quantities from a copy of the draws. */
#pragma once

#include "run/views/reports.h"

/* Copies the draws of an arm to a cs_copy (run/views/reports.h). */
cs_status cs_copy_take_draws(cs_copy *c, const cs_run *r, size_t arm,
                             cs_error *err);
void cs_copy_report_draws(const cs_copy *c, cs_flat *out);
void cs_copy_free_wanted(cs_copy *c);
