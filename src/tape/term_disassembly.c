/* Disassembly of a target that is a sum over rows. Lists its programs over
 * rows, timed on one chunk; for its other programs prints only the number of
 * instructions. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "simd/simd.h"
#include "tape/disassembly.h"
#include "tape/term_target.h"

#include <math.h>

enum { TIMES = 50, ROUNDS = 20 };

static void send(const cs_disassembly *l, cs_page *page)
{
    if (page->text && page->used)
        l->print(l->to, page->text, page->used);
    cs_free(page->text);
}

/* Returns the time of instruction i over the rows, in seconds; for i = n_code,
 * the time of a run without instructions. */
static double time_one(const cs_program *p, size_t i, const cs_rows *rows)
{
    cs_program one = *p;
    one.code = p->code + i;
    one.n_code = i < p->n_code;
    double start = cs_clock();
    for (size_t k = 0; k < TIMES; k++)
        cs_program_run_rows(&one, rows);
    return (cs_clock() - start) / TIMES;
}

static void time_all(const cs_program *p, const cs_rows *rows, double *seconds)
{
    for (size_t i = 0; i <= p->n_code; i++)
        seconds[i] = HUGE_VAL;
    for (size_t k = 0; k < ROUNDS; k++) {
        cs_program_run_rows(p, rows);
        for (size_t i = 0; i <= p->n_code; i++)
            seconds[i] = fmin(seconds[i], time_one(p, i, rows));
    }
    for (size_t i = 0; i < p->n_code; i++)
        seconds[i] = fmax(seconds[i] - seconds[p->n_code], 0);
}

static bool list_pass(const cs_terms *t, cs_pass pass, const char *name,
                      const cs_disassembly *l)
{
    const cs_program *p = t->pass[pass];
    cs_chunk chunk = cs_columns_chunk(&t->columns, 0);
    double *seconds = cs_alloc(p->n_code + 1, sizeof *seconds), all = 0;
    cs_rows rows = {.column = chunk.column,
                    .constants = p->constants,
                    .lanes = chunk.lanes,
                    .live = chunk.live};
    rows.scratch = cs_alloc(p->slots * chunk.lanes, sizeof(double));
    rows.total = cs_alloc(p->totals * CS_PAD, sizeof(double));
    bool good = seconds && rows.scratch && rows.total;
    if (good) {
        cs_page page = {0};
        time_all(p, &rows, seconds);
        for (size_t i = 0; i < p->n_code; i++)
            all += seconds[i];
        cs_page_put(&page,
                    "\n%s: %zu instructions, %zu columns, %zu slots, %.3g ns "
                    "per row\n",
                    name, p->n_code, p->dim, p->slots - p->dim,
                    1e9 * all / (double)chunk.live);
        send(l, &page);
        good = cs_disassembly_program(l, p, seconds);
    }
    CS_FREE_ALL(seconds, rows.scratch, rows.total);
    return good;
}

static void list_head(const cs_target *t, const cs_terms *terms,
                      const cs_disassembly *l)
{
    char name[200];
    cs_page page = {0};
    const cs_columns *c = &terms->columns;
    cs_text_clean(t->name, name, sizeof name);
    cs_page_put(
        &page,
        "target %s on %s(%zu): a sum over %zu rows, %zu numbers each, "
        "%zu rows at a time\n"
        "once per state: %zu instructions before the rows, which compute "
        "%zu numbers k, %zu after them\n",
        name, cs_space_name(t->space.kind), t->space.dim, c->rows, c->width,
        c->chunk, terms->before->n_code, terms->pass[CS_PASS_GRADIENT]->numbers,
        terms->whole->n_code);
    send(l, &page);
}

cs_status cs_term_list(const cs_target *t, const cs_disassembly *l,
                       cs_error *err)
{
    const cs_terms *terms = cs_term_target_terms(t);
    if (!terms)
        return cs_fail(err, CS_UNSUPPORTED, "target %s has no tape", t->name);
    list_head(t, terms, l);
    if (list_pass(terms, CS_PASS_VALUE, "log density, over rows", l) &&
        list_pass(terms, CS_PASS_GRADIENT, "gradient, over rows", l))
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for the disassembly");
}
