/* What a run says in the end: per arm its work and acceptance, per coordinate
 * mean, sd, R-hat, effective sizes and Monte Carlo error of the kept draws. */
#ifndef CS_SESSION_SUMMARY_H
#define CS_SESSION_SUMMARY_H

#include "run/run.h"

/* The first coordinates that are summed up. */
enum { CS_SUMMARY_COORDINATES = 32 };

/* A table for people, and the same as JSON (what is undefined is null), into
 * out[size]; they return the bytes written. */
size_t cs_summary_text(cs_run *run, char *out, size_t size);
size_t cs_summary_json(cs_run *run, char *out, size_t size);

#endif
