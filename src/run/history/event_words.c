/* Describes events in words. */
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/history/event_list.h"
#include "run/views/stopped.h"

#include <stdio.h>

static const struct {
    const char *word, *title;
} kinds[CS_EVENT_KINDS] = {
    [CS_EVENT_STOP] = {"stop", "chain stopped"},
    [CS_EVENT_CHANGE] = {"change", "change"},
    [CS_EVENT_VISIT] = {"visit", "first visit"},
    [CS_EVENT_DIVERGENCE] = {"divergence", "divergence"},
    [CS_EVENT_NAN] = {"nan", "not a number"},
    [CS_EVENT_REJECTIONS] = {"reject", "long run of rejections"},
    [CS_EVENT_JUMP] = {"jump", "jump"},
    [CS_EVENT_SWAP] = {"swap", "swap"},
};

const char *cs_event_title(cs_event_kind kind)
{
    return kinds[kind].title;
}

const char *cs_event_word(size_t kind)
{
    return kind < CS_EVENT_KINDS ? kinds[kind].word : NULL;
}

static void change_words(const cs_run *r, const cs_event *e, char *text,
                         size_t size)
{
    const cs_change *c;
    size_t n = cs_run_changes(r, &c), i = (size_t)e->a;
    if (i < n)
        snprintf(text, size, "change: %s.%s",
                 c[i].arm < cs_run_arms(r) ? cs_run_arm_name(r, c[i].arm)
                                           : "run",
                 c[i].what);
}

/* Writes the reason for a NaN, if the target reports a reason. */
static void nan_words(const cs_run *r, char *text, size_t size)
{
    const cs_target *t = cs_run_target(r);
    char why[120];
    bool known =
        t->type->outside.why && t->type->outside.why(t, why, sizeof why);
    snprintf(text, size, "log p, a gradient or the ratio is not a number%s%s",
             known ? ": " : "", known ? why : "");
}

void cs_event_words(const cs_run *r, const cs_event *e, char *text, size_t size)
{
    char what[320], why[120];
    uint64_t step;
    const char *title = kinds[e->kind].title;
    snprintf(what, sizeof what, "%s", title);
    if (e->kind == CS_EVENT_VISIT)
        snprintf(what, sizeof what, "%s to mode %.0f", title, e->a);
    if (e->kind == CS_EVENT_JUMP && e->b > 0)
        snprintf(what, sizeof what, "jump from mode %.0f to mode %.0f", e->b,
                 e->a);
    else if (e->kind == CS_EVENT_JUMP)
        snprintf(what, sizeof what, "jump to mode %.0f", e->a);
    if (e->kind == CS_EVENT_REJECTIONS)
        snprintf(what, sizeof what, "%.0f consecutive rejections", e->a);
    if (e->kind == CS_EVENT_SWAP)
        snprintf(what, sizeof what, "swap with chain %.0f", e->a);
    if (e->kind == CS_EVENT_STOP &&
        cs_run_chain_stop(r, e->arm, e->chain, &step, why, sizeof why))
        snprintf(what, sizeof what, "stopped: %s", why);
    if (e->kind == CS_EVENT_NAN)
        nan_words(r, what, sizeof what);
    if (e->kind == CS_EVENT_CHANGE)
        change_words(r, e, text, size);
    else
        snprintf(text, size, "chain %zu of arm %s: %s", e->chain + 1,
                 cs_run_arm_name(r, e->arm), what);
}
