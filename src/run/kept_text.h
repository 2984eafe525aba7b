/* What the functions of a script kept (run/remembered.h) as lines of a journal:
 *
 *     STEP kept HEAD TAIL TEXT
 *
 * After the events at STEP it was the text before it, of which the first HEAD and the
 * last TAIL bytes stay, with TEXT between them. In TEXT a backslash is two, and a byte
 * that is not printable ASCII is \xHH. */
#pragma once

#include "base/page.h"
#include "run/remembered.h"

/* How far the lines were written: zeroed at the start. */
typedef struct cs_kept_text {
    size_t next; /* entry */
    cs_remembered before;
} cs_kept_text;

/* Adds the lines up to `step`; without memory p->full is set. */
void cs_kept_put(cs_kept_text *k, const cs_run *r, uint64_t step, cs_page *p);
void cs_kept_done(cs_kept_text *k);

/* Reads the rest of a line, from HEAD to its end, as the text [own, cs_free] that
 * follows the one of `m`. CS_INPUT: it is no such line; CS_MEMORY. */
cs_status cs_kept_read(const cs_remembered *m, const char *line, char **text,
                       cs_error *err);
/* The same as an entry of `m`; CS_INPUT, too: it is of a step before the last. */
cs_status cs_kept_add(cs_remembered *m, uint64_t step, const char *line,
                      cs_error *err);
