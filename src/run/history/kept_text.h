/* Values kept by the functions of a script (run/history/remembered.h) as lines
 * of a journal:
 *
 * STEP kept HEAD TAIL TEXT
 *
 * After the events at STEP the kept text consists of the first HEAD bytes of
 * the previous text, TEXT, and the last TAIL bytes of the previous text. In
 * TEXT every backslash is doubled, and a byte that is not printable ASCII is
 * \xHH. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"
#include "run/history/remembered.h"

/* Progress of writing the lines; zero-initialized. */
typedef struct cs_kept_text {
    size_t next; /* next entry to write */
    cs_remembered before;
} cs_kept_text;

/* Writes the lines up to `step`; sets p->full if memory runs out. */
void cs_kept_put(cs_kept_text *k, const cs_run *r, uint64_t step, cs_page *p);
void cs_kept_done(cs_kept_text *k);

/* Reads the rest of a line, from HEAD to its end. *text [own, cs_free] is the
 * text after this line, given the present text of `m`. Returns CS_INPUT for an
 * invalid line, or CS_MEMORY. */
cs_status cs_kept_read(const cs_remembered *m, const char *line, char **text,
                       cs_error *err);
/* Reads a line as cs_kept_read does, and adds the text as an entry of `m`. Also
 * returns CS_INPUT if `step` is before the step of the last entry. */
cs_status cs_kept_add(cs_remembered *m, uint64_t step, const char *line,
                      cs_error *err);
