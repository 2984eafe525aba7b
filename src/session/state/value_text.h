/* Values of parameters as texts that set them again. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* What a parameter of an arm is, as a text that sets it again: a number, or the
 * schedule that drives it; nothing of a function of the script. */
void cs_put_value(const cs_run *r, size_t arm, const cs_param *row, cs_page *p);
/* A value of that row, as a text that sets it. */
void cs_put_number(const cs_param *row, double value, char *text, size_t size);
