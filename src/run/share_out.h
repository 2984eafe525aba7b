/* Whose the chains of a run are, in parts and on ranks. */
#pragma once

#include "run/arms/spec.h"

/* Before the blocks are made: what is this run's own, and why arms, or all of
 * it, are whole. Refuses a budget whose end no two parts would find at one
 * step. */
cs_status cs_share_out(cs_run *r, const cs_run_spec *spec, cs_error *err);
