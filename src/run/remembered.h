/* What the functions of a script keep from one call to the next, as a part of the
 * run's state: a text of the host's after each of its events, by steps. It is saved
 * with the run, goes back and forth with it, and is the same in all parts. */
#pragma once

#include "run/run.h"

/* As it was after the events at `step`: the text before it, of which the first
 * `head` and the last `tail` bytes stay, with other bytes between them. */
typedef struct cs_memory_entry {
    uint64_t step;
    size_t head, tail;
    char *text; /* [n] [own] */
    size_t n;
} cs_memory_entry;

typedef struct cs_remembered {
    cs_memory_entry
        *entry; /* [n] ascending [own]; the first is always in force */
    size_t n, room;
    size_t at; /* [0 .. at) are in force */
    char *now; /* [length] and a 0: the text in force [own]; NULL: none */
    size_t length;
    size_t bytes; /* of all entries */
    cs_recall *recall;
    void *self;
} cs_remembered;

/* Makes m->now what it is after an entry; false: no memory. */
bool cs_remembered_apply(cs_remembered *m, const cs_memory_entry *e);
/* The entry that leads from m->now to text[n]: whole where m->now is NULL. Its step and
 * its text, text[head .. head + n), are not set. */
cs_memory_entry cs_remembered_difference(const cs_remembered *m,
                                         const char *text, size_t n);
/* Puts what is in force before the events at `step`. */
cs_status cs_remembered_place(cs_run *r, uint64_t step, cs_error *err);
/* Puts the next of what lies ahead. */
cs_status cs_remembered_next(cs_run *r, cs_error *err);
/* The step of the next of what lies ahead, UINT64_MAX: there is none. */
uint64_t cs_remembered_step(const cs_run *r);
/* Takes out what lies ahead: with `out` it is moved there. */
void cs_remembered_cut(cs_run *r, cs_memory_entry **out, size_t *n);
/* Puts it back. Frees the list. */
void cs_remembered_join(cs_run *r, cs_memory_entry *entry, size_t n);
/* Puts copies of it back, unless something lies ahead. */
cs_status cs_remembered_keep_ahead(cs_run *r, const cs_memory_entry *entry,
                                   size_t n, cs_error *err);
void cs_remembered_free_list(cs_memory_entry *entry, size_t n);
/* Why the text, which a file has, cannot be put; changes nothing. */
cs_status cs_remembered_look(cs_run *r, const char *text, cs_error *err);
/* What was kept here in the run that is made again [borrowed]: it is put at once. A run
 * whose first is later than its start does not go back before it. */
cs_status cs_remembered_again(cs_run *r, const char *text, cs_error *err);
/* Adds the text [borrowed] as kept after the events at `step`, which is not before that
 * of the last entry; nothing where it is the one in force. Not put. CS_MEMORY. */
cs_status cs_remembered_add(cs_remembered *m, uint64_t step, const char *text,
                            cs_error *err);
/* Forgets the older half of the past where it takes too much; whether it did: the run does
 * not go back there any more. */
bool cs_remembered_forget_old(cs_remembered *m);
/* Moves `past` to the run, in the place of what it had; it is not put. */
void cs_remembered_take(cs_run *r, cs_remembered *past);
/* The text [borrowed], that of a run which goes on from here: it is put at once. What
 * there is before it stays where it leads to the text. One that cannot be put changes
 * nothing. */
cs_status cs_remembered_load(cs_run *r, const char *text, cs_error *err);
/* Why the text of a part is not that of the run, by the name of what differs. */
cs_status cs_remembered_same(const cs_run *r, const char *text, cs_error *err);
/* What the functions of the run before kept, in those of this one; where these are
 * others they begin anew. */
void cs_remembered_adopt(cs_run *r, const cs_run *from);
/* Frees all of it. */
void cs_remembered_free(cs_remembered *m);
