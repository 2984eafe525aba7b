/* Values kept by the functions of a script (run/history/remembered.h) as lines
 * of a journal:
 *
 * STEP kept HEAD TAIL TEXT
 *
 * The text after the events at STEP consists of the first HEAD bytes of the
 * text before it, TEXT, and its last TAIL bytes. In TEXT a backslash is
 * doubled, and a byte that is not printable ASCII is \xHH. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"
#include "run/history/remembered.h"

/* Progress of writing the lines; zero at the start. */
typedef struct cs_kept_text {
    size_t next; /* entry */
    cs_remembered before;
} cs_kept_text;

/* Writes the lines up to `step`; sets p->full if out of memory. */
void cs_kept_put(cs_kept_text *k, const cs_run *r, uint64_t step, cs_page *p);
void cs_kept_done(cs_kept_text *k);

/* Reads the rest of a line, from HEAD to its end, as the text [own, cs_free]
 * that follows the text of `m`. CS_INPUT: invalid line; CS_MEMORY. */
cs_status cs_kept_read(const cs_remembered *m, const char *line, char **text,
                       cs_error *err);
/* Does the same and adds the text as an entry of `m`; also CS_INPUT: its step
 * is before the last. */
cs_status cs_kept_add(cs_remembered *m, uint64_t step, const char *line,
                      cs_error *err);
