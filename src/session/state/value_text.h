/* Writes parameter values as text from which commands restore the same
 * values. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* Writes the value of an arm's parameter as text from which a command restores
 * it: a number, or the schedule that drives the parameter. Writes nothing if a
 * function of the script drives the parameter. */
void cs_put_value(const cs_run *r, size_t arm, const cs_param *row, cs_page *p);
/* Writes a number as text from which a command sets the parameter `row` to the
 * same value. */
void cs_put_number(const cs_param *row, double value, char *text, size_t size);
