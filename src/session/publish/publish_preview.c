/* Publishes the preview of the next step of the selected chain. */
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/preview/step_preview.h"
#include "run/views/view.h"
#include "session/client/preview_rows.h"
#include "session/publish/publish.h"
#include "session/state/session_state.h"

#include <math.h>
#include <string.h>

enum { WIDE = 4096 };

static void put_numbers(cs_flat *f, const char *key, const double *x, size_t n)
{
    double *to = x ? cs_flat_array(f, 1, n, "%s", key) : NULL;
    if (to)
        memcpy(to, x, n * sizeof *to);
}

static void put_sites(cs_flat *f, const cs_step_preview *c)
{
    size_t n = (size_t)c->odds.known;
    cs_proposal_odds *odds =
        c->site ? CS_FLAT_ROWS(f, cs_proposal_odds, 1, CS_KEY_ODDS) : NULL;
    cs_site_odds *to =
        odds ? CS_FLAT_ROWS(f, cs_site_odds, n, CS_KEY_SITES) : NULL;
    if (!to)
        return;
    *odds = c->odds;
    memcpy(to, c->site, n * sizeof *to);
}

static void put_others(cs_flat *f, const cs_step_preview *c)
{
    cs_other_step *to =
        c->n_others ? CS_FLAT_ROWS(f, cs_other_step, c->n_others, CS_KEY_OTHERS)
                    : NULL;
    if (!to)
        return;
    memcpy(to, c->other, c->n_others * sizeof *to);
    cs_flat_text(f, c->scaled, "look/preview/scaled");
}

static void put_notes(cs_flat *f, const cs_step_preview *c)
{
    const cs_step_trace *n = &c->notes;
    size_t rows = n->rows < n->row_capacity ? n->rows : n->row_capacity;
    size_t swaps = n->swaps < n->swap_capacity ? n->swaps : n->swap_capacity;
    cs_row_note *row =
        rows ? CS_FLAT_ROWS(f, cs_row_note, rows, CS_KEY_DRAWN) : NULL;
    cs_swap_note *swap =
        swaps ? CS_FLAT_ROWS(f, cs_swap_note, swaps, CS_KEY_SWAPS) : NULL;
    if (row)
        memcpy(row, n->row, rows * sizeof *row);
    if (swap)
        memcpy(swap, n->swap, swaps * sizeof *swap);
    if (rows)
        cs_flat_number(f, (double)n->rows, "look/preview/drawn_of");
    if (c->swap_step == 0)
        return;
    cs_flat_number(f, (double)c->swap_step, "look/preview/swap_step");
    cs_flat_number(f, c->swap_within, "look/preview/swap_within");
}

void cs_session_put_preview(cs_session *s, cs_flat *f)
{
    cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    cs_step_preview c;
    if (s->move.running || cs_run_finished(r) || t->space.dim > WIDE ||
        !cs_session_is_quick(s) ||
        !cs_session_wants(s, "preview", "proposal") ||
        cs_run_chain(r, s->look.arm, s->look.chain).failed)
        return;
    if (cs_run_preview(r, s->look.arm, s->look.chain, &c)) {
        cs_decision *step =
            CS_FLAT_ROWS(f, cs_decision, 1, CS_KEY_PREVIEW_STEP);
        if (step)
            *step = c.step;
        if (c.changes)
            cs_flat_text(f, c.kernel->name, "look/preview/kernel");
        put_numbers(f, "look/preview/x", c.x, c.dim);
        put_numbers(f, "look/preview/proposal", c.y, c.dim);
        put_numbers(f, "look/preview/drift", c.drift, c.dim);
        put_numbers(f, "look/preview/noise", c.noise, c.dim);
        put_numbers(f, "look/preview/carried", c.carried, c.dim);
        put_numbers(f, "look/preview/slope", c.slope, c.dim);
        const double rows[3] = {c.rows, c.kept, (double)t->n_rows};
        if (!isnan(c.rows))
            put_numbers(f, "look/preview/rows", rows, 3);
        if (!isnan(c.multiplier))
            cs_flat_number(f, c.multiplier, "look/preview/multiplier");
        const double coupled[2] = {c.coupled, c.coupled_there};
        if (!isnan(c.coupled))
            put_numbers(f, "look/preview/coupled", coupled, 2);
        put_sites(f, &c);
        put_others(f, &c);
        put_notes(f, &c);
    }
    cs_step_preview_clear(&c);
}
