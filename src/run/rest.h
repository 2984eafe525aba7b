/* Puts a run aside while another run continues, so that it costs no threads. */
#pragma once

#include "run/arms/spec.h"

/* cs_run_rest ends the threads of the run, which cannot make steps then.
 * cs_run_wake starts them again; it does nothing if the run is not put aside.
 */
void cs_run_rest(cs_run *r);
cs_status cs_run_wake(cs_run *r, cs_error *err);
/* Tells a run that it is put aside because another run makes the steps after
 * the present one. A later change at the present step replaces those steps. */
void cs_run_followed(cs_run *r);
/* Returns about the number of bytes of the run's chains, of its stored states
 * and of its diagnosed draws. */
uint64_t cs_run_bytes(const cs_run *r);
