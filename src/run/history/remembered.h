/* Values that the functions of a script keep between calls. They are a part of
 * the run's state, stored as a text after each of the script's events. They are
 * saved with the run and restored when the run goes back. In a divided run, all
 * parts have the same values. */
#pragma once

#include "run/history/script_memory.h"

/* The text after the events at `step`: the first `head` bytes of the previous
 * text, then text[n], then the last `tail` bytes of the previous text. */
typedef struct cs_memory_entry {
    uint64_t step;
    size_t head, tail;
    char *text; /* [n] [own] */
    size_t n;
} cs_memory_entry;

typedef struct cs_remembered {
    /* [n] ascending [own]; the first is always applied */
    cs_memory_entry *entry;
    size_t n, capacity;
    size_t at; /* number of applied entries, [0 .. at) */
    char *now; /* [length + 1] present text [own]; NULL: none */
    size_t length;
    size_t bytes; /* total size of the entries, in bytes */
    cs_recall *recall;
    void *self;
} cs_remembered;

/* Applies an entry to m->now. Returns false if memory runs out. */
bool cs_remembered_apply(cs_remembered *m, const cs_memory_entry *e);
/* Returns the entry that changes m->now to text[n]. Its step is not set, and
 * its bytes text[head .. head + n) are not copied. If m->now is NULL, the entry
 * is for the complete text. */
cs_memory_entry cs_remembered_difference(const cs_remembered *m,
                                         const char *text, size_t n);
/* Applies the entries before the events at `step`. */
cs_status cs_remembered_place(cs_run *r, uint64_t step, cs_error *err);
/* Applies the next entry that is not yet applied. */
cs_status cs_remembered_next(cs_run *r, cs_error *err);
/* Returns the step of the next entry that is not yet applied; UINT64_MAX:
 * none. */
uint64_t cs_remembered_step(const cs_remembered *m);
/* Removes the entries that are not applied, or moves them to *out. */
void cs_remembered_cut(cs_remembered *m, cs_memory_entry **out, size_t *n);
/* Restores the entries that cs_remembered_cut moved to a list, and frees the
 * list. */
void cs_remembered_join(cs_remembered *m, cs_memory_entry *entry, size_t n);
/* Restores copies of entry[n], unless later entries already exist. */
cs_status cs_remembered_keep_ahead(cs_remembered *m,
                                   const cs_memory_entry *entry, size_t n,
                                   cs_error *err);
void cs_remembered_free_list(cs_memory_entry *entry, size_t n);
/* Checks that a text from a file can be applied. Changes nothing. */
cs_status cs_remembered_look(cs_run *r, const char *text, cs_error *err);
/* Applies a text [borrowed] that was kept at the present step, in a run that is
 * being repeated. If the first entry of a run is after the start of the run,
 * the run cannot go back to steps before this entry. */
cs_status cs_remembered_again(cs_run *r, const char *text, cs_error *err);
/* Adds an entry for the text [borrowed] that was kept after the events at
 * `step`, without applying the entry. `step` must not be before the step of the
 * last entry. If the text equals the present text, adds no entry. May return
 * CS_MEMORY. */
cs_status cs_remembered_add(cs_remembered *m, uint64_t step, const char *text,
                            cs_error *err);
/* Discards the older half of the entries if all entries use too much memory.
 * Returns true if entries were discarded; the run can then no longer go back to
 * the steps of these entries. */
bool cs_remembered_forget_old(cs_remembered *m);
/* Replaces the entries of the run by the entries of `past`, without applying
 * them. */
void cs_remembered_take(cs_run *r, cs_remembered *past);
/* Applies the text [borrowed] of a run that continues from the present step. If
 * the last of the earlier entries gives this text, keeps the earlier entries.
 * If the text cannot be applied, nothing changes. */
cs_status cs_remembered_load(cs_run *r, const char *text, cs_error *err);
/* Checks that the text of a part equals the text of the run. The error names
 * the first difference. */
cs_status cs_remembered_same(const cs_remembered *m, const char *text,
                             cs_error *err);
/* Transfers the values kept by functions of the earlier run to the same
 * functions of this run. Functions that differ start without values. */
void cs_remembered_transfer(cs_run *r, const cs_run *from);
/* Frees all entries and the present text. */
void cs_remembered_free(cs_remembered *m);
