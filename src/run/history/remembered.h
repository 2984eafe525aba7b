/* Values that the functions of a script keep between calls, as a part of the
 * run's state: a text of the host after each of its events, by steps. They
 * are saved with the run, go back and forward with it, and are equal in all
 * parts. */
#pragma once

#include "run/history/script_memory.h"

/* The text after the events at `step`: the first `head` and the last `tail`
 * bytes of the text before it, with other bytes between them. */
typedef struct cs_memory_entry {
    uint64_t step;
    size_t head, tail;
    char *text; /* [n] [own] */
    size_t n;
} cs_memory_entry;

typedef struct cs_remembered {
    cs_memory_entry *entry; /* [n] ascending [own]; the first always applies */
    size_t n, room;
    size_t at; /* [0 .. at) are applied */
    char *now; /* [length] and a 0: the present text [own]; NULL: none */
    size_t length;
    size_t bytes; /* total of all entries */
    cs_recall *recall;
    void *self;
} cs_remembered;

/* Updates m->now by an entry; false: out of memory. */
bool cs_remembered_apply(cs_remembered *m, const cs_memory_entry *e);
/* Returns the entry that leads from m->now to text[n]: complete if m->now is
 * NULL. Its step and its text, text[head .. head + n), are not set. */
cs_memory_entry cs_remembered_difference(const cs_remembered *m,
                                         const char *text, size_t n);
/* Applies the entries before the events at `step`. */
cs_status cs_remembered_place(cs_run *r, uint64_t step, cs_error *err);
/* Applies the next entry ahead. */
cs_status cs_remembered_next(cs_run *r, cs_error *err);
/* Returns the step of the next entry ahead; UINT64_MAX: none. */
uint64_t cs_remembered_step(const cs_remembered *m);
/* Removes the entries ahead; with `out` they are moved there. */
void cs_remembered_cut(cs_remembered *m, cs_memory_entry **out, size_t *n);
/* Restores them. Frees the list. */
void cs_remembered_join(cs_remembered *m, cs_memory_entry *entry, size_t n);
/* Restores copies of them, unless entries are ahead already. */
cs_status cs_remembered_keep_ahead(cs_remembered *m,
                                   const cs_memory_entry *entry, size_t n,
                                   cs_error *err);
void cs_remembered_free_list(cs_memory_entry *entry, size_t n);
/* Checks that a text from a file can be applied; changes nothing. */
cs_status cs_remembered_look(cs_run *r, const char *text, cs_error *err);
/* Applies a text [borrowed] that was kept at this step of the run that is being
 * repeated. A run whose first entry is later than its start cannot go back
 * before it. */
cs_status cs_remembered_again(cs_run *r, const char *text, cs_error *err);
/* Adds the text [borrowed] as kept after the events at `step`, which must not
 * be before the last entry; nothing if it equals the present text. Does not
 * apply it. CS_MEMORY. */
cs_status cs_remembered_add(cs_remembered *m, uint64_t step, const char *text,
                            cs_error *err);
/* Discards the older half of the past if it takes too much memory; true if it
 * did: the run can no longer go back there. */
bool cs_remembered_forget_old(cs_remembered *m);
/* Moves `past` to the run, replacing its entries; not applied. */
void cs_remembered_take(cs_run *r, cs_remembered *past);
/* Applies the text [borrowed] of a run that continues from here. Earlier
 * entries stay if they lead to the text. A text that cannot be applied changes
 * nothing. */
cs_status cs_remembered_load(cs_run *r, const char *text, cs_error *err);
/* Checks that the text of a part equals that of the run; the error names the
 * difference. */
cs_status cs_remembered_same(const cs_remembered *m, const char *text,
                             cs_error *err);
/* Transfers the values kept by the functions of the earlier run to those of
 * this one; functions that differ start without any. */
void cs_remembered_transfer(cs_run *r, const cs_run *from);
/* Frees all of it. */
void cs_remembered_free(cs_remembered *m);
