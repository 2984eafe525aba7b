/* Writes parameter values as texts that set the same values again. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* Writes the value of an arm's parameter as a text that sets it again: a
 * number, or the schedule that drives it. Writes nothing if a function of the
 * script drives it. */
void cs_put_value(const cs_run *r, size_t arm, const cs_param *row, cs_page *p);
/* Writes a number as a text that sets the parameter `row` to the same value. */
void cs_put_number(const cs_param *row, double value, char *text, size_t size);
