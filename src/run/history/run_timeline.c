#include "run/history/run_timeline.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/history/changes.h"
#include "run/history/marks.h"
#include "run/history/remembered.h"

#include <string.h>

void cs_change_forget(cs_timeline *t, size_t from)
{
    for (size_t i = from; i < t->n_all; i++)
        cs_redo_clear(&t->redo[i]);
    t->n_all = from < t->n_all ? from : t->n_all;
    t->n = from < t->n ? from : t->n;
}

static bool grow(void **at, size_t old, size_t next, size_t size)
{
    void *bigger = cs_resize(*at, old * size, next * size);
    if (bigger)
        *at = bigger;
    return bigger != NULL;
}

cs_status cs_change_room(cs_timeline *t, size_t n, cs_error *err)
{
    size_t capacity = t->capacity ? t->capacity : 16;
    while (capacity < n)
        capacity *= 2;
    if (capacity == t->capacity)
        return CS_OK;
    void *journal = t->journal, *how = t->redo;
    bool ok = grow(&journal, t->capacity, capacity, sizeof *t->journal);
    t->journal = journal;
    ok = ok && grow(&how, t->capacity, capacity, sizeof *t->redo);
    t->redo = how;
    if (!ok)
        return cs_fail(err, CS_MEMORY, "out of memory for the journal");
    t->capacity = capacity;
    return CS_OK;
}

size_t cs_run_journal(const cs_run *r, const cs_change **changes)
{
    *changes = r->timeline->journal;
    return r->timeline->n;
}

size_t cs_run_changes(const cs_run *r, const cs_change **changes)
{
    *changes = r->timeline->journal;
    return r->timeline->n_all;
}

uint64_t cs_run_end(const cs_run *r)
{
    return r->timeline->end > r->steps ? r->timeline->end : r->steps;
}

/* ---- later changes ---- */

void cs_future_cut(cs_run *r)
{
    r->timeline->end = r->steps;
    cs_remembered_cut(r->remembered, NULL, NULL);
    cs_marks_forget_after(r->marks, r->steps);
    for (size_t i = 0; i < CS_RECORDERS * r->n_items; i++) {
        cs_recorder *recorder =
            &r->item[i / CS_RECORDERS].block->recorder[i % CS_RECORDERS];
        recorder->valid = recorder->used;
    }
}

void cs_branch_free(cs_timeline *t)
{
    cs_branch *b = &t->branch;
    for (size_t i = 0; i < b->n; i++)
        cs_redo_clear(&b->redo[i]);
    cs_free(b->journal);
    cs_free(b->redo);
    cs_remembered_free_list(b->memory, b->n_memory);
    *b = (cs_branch){.there = false};
}

uint64_t cs_run_branch(const cs_run *r)
{
    return r->timeline->branch.there ? r->timeline->branch.end : 0;
}

/* Moves the changes after the present step to the branch. If memory runs out,
 * the branch is lost. */
void cs_future_part(cs_run *r)
{
    cs_timeline *t = r->timeline;
    size_t n = t->n_all - t->n;
    cs_marks_begin(r);
    if (cs_run_end(r) == r->steps && n == 0)
        return;
    cs_branch_free(t);
    cs_branch *b = &t->branch;
    *b = (cs_branch){.from = r->steps, .end = cs_run_end(r)};
    b->journal = cs_alloc(n + 1, sizeof *b->journal);
    b->redo = cs_alloc(n + 1, sizeof *b->redo);
    b->there = b->journal && b->redo;
    if (b->there) {
        memcpy(b->journal, t->journal + t->n, n * sizeof *b->journal);
        memcpy(b->redo, t->redo + t->n, n * sizeof *b->redo);
        b->n = n;
        t->n_all = t->n;
        cs_remembered_cut(r->remembered, &b->memory, &b->n_memory);
    }
    cs_change_forget(t, t->n);
    cs_future_cut(r);
}
