/* What the functions of a script keep from one call to the next, as a part of the
 * run's state: a text of the host's after each of its events, by steps. It is saved
 * with the run, goes back and forth with it, and is the same in all parts. */
#ifndef CS_RUN_REMEMBERED_H
#define CS_RUN_REMEMBERED_H

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
void cs_remembered_free_list(cs_memory_entry *entry, size_t n);
/* Why the text, which a file has, cannot be put; changes nothing. */
cs_status cs_remembered_look(cs_run *r, const char *text, cs_error *err);
/* The text [borrowed], one for a run that goes on from here: it is put at once. One
 * that cannot be put changes nothing. */
cs_status cs_remembered_load(cs_run *r, const char *text, cs_error *err);
/* Why the text of a part is not that of the run, by the name of what differs. */
cs_status cs_remembered_same(const cs_run *r, const char *text, cs_error *err);
/* What the functions of the run before kept, in those of this one; where these are
 * others they begin anew. */
void cs_remembered_adopt(cs_run *r, const cs_run *from);
void cs_remembered_free(cs_run *r);

#endif
