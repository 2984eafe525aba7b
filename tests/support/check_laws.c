/* Tests the laws of src/check on the small targets, with the code of
 * `chainscope check`. Any failure of a law fails the test, and there is no time
 * limit. */
#include "support/laws.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { DRAWS = 8000, SECONDS = 3600 };

typedef struct seen {
    const char *law;
    law_result result;
} seen;

/* Stores a finding of a law. A law may report several findings, for example
 * "inside". */
static void note(void *to, const cs_finding *f)
{
    seen *s = to;
    s->result.tried |= f->verdict == CS_BROKEN ||
                       (f->verdict != CS_UNTRIED && !strcmp(f->law, s->law));
    if (f->verdict != CS_BROKEN)
        return;
    s->result.holds = false;
    snprintf(s->result.text, sizeof s->result.text, "(%.250s)", f->text);
}

/* Creates a copy of the target without exact draws, for the law "balance". */
static cs_target *without_draws(const cs_target *t, cs_target_type *type)
{
    cs_target *blind = NULL;
    *type = *t->type;
    type->exact.draw = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &blind, NULL), CS_OK);
    return blind;
}

law_result law_check(const char *name, const setting *s, const points *p)
{
    return law_check_draws(name, s, p, DRAWS);
}

law_result law_check_draws(const char *name, const setting *s, const points *p,
                           size_t n)
{
    static const cs_plan undriven;
    const cs_law *law = cs_law_find(name);
    cs_target_type blind;
    const cs_arm_view arm = {.name = s->kernel.type->name,
                             .kernel = &s->kernel,
                             .plan = &undriven,
                             .metric = s->metric};
    bool draws = strcmp(name, "balance") != 0;
    seen found = {.law = name, .result.holds = true};
    cs_check c = {.say = note,
                  .to = &found,
                  .seconds = SECONDS,
                  .draws = n,
                  .strict = true,
                  .place = p->x,
                  .places = p->n > 1 ? p->n : 1};
    if (c.places > CS_CHECK_LANES)
        c.places = CS_CHECK_LANES;
    cs_target *t =
        draws ? cs_target_hold(p->target) : without_draws(p->target, &blind);
    if (draws)
        cs_check_list_states(&c, t);
    assert_true(!law->applies || law->applies(&c, t, &arm));
    assert_int_equal(law->attempt(&c, t, &arm, 11, NULL), CS_OK);
    cs_enumeration_clear(&c.listed);
    cs_target_release(t);
    return found.result;
}

/* ---- the list ------------------------------------------------------------ */

/* Returns false if the kernel declares a bias. The law "bias" then covers
 * it. */
static bool with_exact(const setting *s, const points *p)
{
    (void)p;
    return cs_law_find("stationarity")->owed(s->kernel.type);
}

static bool with_states(const setting *s, const points *p)
{
    return p->n > 1 && cs_law_find("transitions")->owed(s->kernel.type);
}

static bool with_reversible(const setting *s, const points *p)
{
    (void)p;
    return cs_law_find("balance")->owed(s->kernel.type) &&
           cs_kernel_is_reversible(&s->kernel);
}

/* Returns true if the kernel reaches all states of a finite space. Returns
 * false for a kernel whose steps change several values at once, because such
 * steps preserve a parity. */
static bool with_all_in_reach(const setting *s, const points *p)
{
    bool parity =
        strcmp(s->formula, "random_walk") == 0 && s->kernel.values[2] > 1;
    return p->n > 0 && !parity;
}

static bool with_proposals(const setting *s, const points *p)
{
    return p->n > 0 && cs_law_find("sums")->owed(s->kernel.type) &&
           !law_proposes_in_order(s);
}

const kernel_law check_laws[] = {
    {.name = "again"},
    {.name = "record"},
    {.name = "transitions", .applies = with_states},
    {.name = "stationarity", .applies = with_exact},
    {.name = "balance", .applies = with_reversible},
    {.name = "reach", .applies = with_all_in_reach},
    {.name = "sums", .applies = with_proposals},
    {.name = NULL}};
