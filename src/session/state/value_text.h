/* Values of parameters as texts that restore them. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* Writes a parameter of an arm as a text that restores it: a number, or the
 * schedule that drives it; writes nothing for a function of the script. */
void cs_put_value(const cs_run *r, size_t arm, const cs_param *row, cs_page *p);
/* Writes a value of that row as a text that restores it. */
void cs_put_number(const cs_param *row, double value, char *text, size_t size);
