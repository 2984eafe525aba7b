#include "session/state/check_marks.h"

#include "base/hash.h"
#include "base/memory.h"
#include "check/check.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "session/state/session_state.h"

#include <stdio.h>
#include <string.h>

/* Returns the arm's index in the table. For an unknown arm, returns the first
 * free index; if the table is full, CS_CHECKED_ARMS. */
static size_t place_of(const cs_checked_run *c, const char *arm)
{
    size_t k = 0;
    while (k < CS_CHECKED_ARMS && *c->arm[k].name &&
           strcmp(c->arm[k].name, arm) != 0)
        k++;
    return k;
}

/* Passes the results of the checks to the run. */
static void tell_run(const cs_session *s)
{
    char held[128];
    for (size_t i = 0; s->open.run && i < cs_run_arms(s->open.run); i++) {
        const char *broken =
            cs_checked_mark(&s->checked, cs_run_arm_name(s->open.run, i));
        cs_session_held(s, i, held, sizeof held);
        cs_run_set_checked(s->open.run, i, *broken || *held, broken);
    }
}

/* Returns the entry of an arm. If the arm has no entry, creates it. If the
 * table is full, returns NULL. */
static cs_checked_arm *known(cs_session *s, const char *arm)
{
    size_t k = place_of(&s->checked, arm);
    if (k == CS_CHECKED_ARMS)
        return NULL;
    snprintf(s->checked.arm[k].name, sizeof s->checked.arm[k].name, "%s", arm);
    return &s->checked.arm[k];
}

static void forget(cs_checked_arm *at)
{
    *at->broken = 0;
    at->held = 0;
}

void cs_session_mark(cs_session *s, const char *arm, const char *law)
{
    cs_checked_arm *at = arm ? known(s, arm) : NULL;
    for (size_t k = 0; !arm && k < CS_CHECKED_ARMS; k++)
        forget(&s->checked.arm[k]);
    if (at && !law)
        forget(at);
    else if (at && !*at->broken)
        snprintf(at->broken, sizeof at->broken, "%s", law);
    tell_run(s);
}

const char *cs_checked_mark(const cs_checked_run *c, const char *arm)
{
    size_t k = place_of(c, arm);
    return k < CS_CHECKED_ARMS ? c->arm[k].broken : "";
}

/* ---- laws that held ------------------------------------------------------ */

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = cs_hash_word(h, (uint64_t)*text);
    return h;
}

static uint64_t hash_number(uint64_t h, double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return cs_hash_word(h, word);
}

/* Returns a digest of an arm's kernel, of the kernel's parameter values, and of
 * the changes that users made during the run. The digest does not include
 * values found by a tuner or the states of chains. */
static uint64_t print_of(const cs_run *run, size_t arm)
{
    const cs_arm_view v = cs_run_arm(run, arm);
    const cs_kernel *k = v.kernel;
    const cs_change *c;
    uint64_t h = hash_text(0, k->type->name);
    for (size_t i = 0; i < k->type->n_params; i++)
        if (!cs_tuner_drives(v.tuning.tuner, i))
            h = hash_number(h, k->values[i]);
    for (size_t i = 0, n = cs_run_journal(run, &c); i < n; i++, c++)
        if (c->arm == arm && strcmp(c->what, "state") != 0)
            h = hash_number(hash_text(h, c->what), c->value);
    return h;
}

static size_t find_arm(const cs_run *run, const char *name)
{
    size_t i = 0;
    while (i < cs_run_arms(run) && strcmp(cs_run_arm_name(run, i), name) != 0)
        i++;
    return i;
}

void cs_session_hold(cs_session *s, const char *name, const char *law)
{
    cs_checked_arm *at = known(s, name);
    size_t i = find_arm(s->open.run, name);
    if (!at || i == cs_run_arms(s->open.run))
        return;
    uint64_t as = print_of(s->open.run, i);
    at->held = at->as == as ? at->held : 0;
    at->as = as;
    for (size_t k = 0; cs_arm_laws[k].name; k++)
        if (strcmp(cs_arm_laws[k].name, law) == 0)
            at->held |= 1U << k;
    tell_run(s);
}

void cs_session_held(const cs_session *s, size_t arm, char *text, size_t size)
{
    size_t used = 0,
           at = place_of(&s->checked, cs_run_arm_name(s->open.run, arm));
    *text = 0;
    if (at == CS_CHECKED_ARMS || *s->checked.arm[at].broken ||
        s->checked.arm[at].as != print_of(s->open.run, arm))
        return;
    for (size_t k = 0; cs_arm_laws[k].name && used < size; k++)
        if (s->checked.arm[at].held & 1U << k)
            used += (size_t)snprintf(text + used, size - used, "%s%s",
                                     used ? " " : "", cs_arm_laws[k].name);
}

/* ---- stored findings ----------------------------------------------------- */

/* Computes the key of the open scenario. Returns false if the run does not come
 * from a file. */
static bool find_key(const cs_session *s, uint64_t *key)
{
    if (s->open.scenario && !s->open.watch)
        *key = cs_checked_key(s->open.scenario, strlen(s->open.scenario),
                              (const char *const *)s->sets.set, s->sets.n);
    return s->open.scenario && !s->open.watch;
}

static void recall(cs_session *s, cs_checked_laws *of)
{
    char *rest = of->held, *law;
    if (!*of->arm) {
        snprintf(s->checked.target, sizeof s->checked.target, "%s", of->broken);
        return;
    }
    if (*of->broken)
        cs_session_mark(s, of->arm, of->broken);
    while ((law = strtok_r(rest, " ", &rest)))
        cs_session_hold(s, of->arm, law);
}

void cs_session_recall(cs_session *s)
{
    uint64_t key;
    cs_checked kept;
    memset(&s->checked, 0, sizeof s->checked);
    if (!s->open.run || !find_key(s, &key))
        return;
    char *list = cs_checked_read();
    cs_checked_find(list, key, &kept);
    cs_free(list);
    for (size_t i = 0; i < kept.n; i++)
        recall(s, &kept.of[i]);
    s->checked.whole = kept.whole;
    s->show.dirty = true;
}

/* Returns true if the arms have not been changed since the run was opened from
 * its file and settings. */
static bool is_as_opened(const cs_run *run)
{
    const cs_change *c;
    bool same = true;
    for (size_t i = 0, n = cs_run_journal(run, &c); i < n; i++, c++)
        same &= c->arm == CS_NO_ARM || strcmp(c->what, "state") == 0;
    return same;
}

void cs_session_keep_checked(const cs_session *s)
{
    uint64_t key;
    cs_checked kept = {.whole = s->checked.whole};
    if (!is_as_opened(s->open.run) || !find_key(s, &key))
        return;
    for (size_t i = 0; i < cs_run_arms(s->open.run) && kept.n < CS_CHECKED_ARMS;
         i++) {
        cs_checked_laws *to = &kept.of[kept.n];
        snprintf(to->arm, sizeof to->arm, "%s",
                 cs_run_arm_name(s->open.run, i));
        snprintf(to->broken, sizeof to->broken, "%s",
                 cs_checked_mark(&s->checked, to->arm));
        cs_session_held(s, i, to->held, sizeof to->held);
        kept.n += *to->broken || *to->held;
    }
    cs_checked_laws *to = &kept.of[kept.n];
    *to->arm = 0;
    snprintf(to->broken, sizeof to->broken, "%s", s->checked.target);
    kept.n += *to->broken != 0;
    /* without a home folder the findings exist only in this session */
    (void)cs_checked_keep(key, &kept, NULL);
}

/* ---- descriptions -------------------------------------------------------- */

void cs_session_laws(const cs_session *s, size_t arm, char *text, size_t size)
{
    char held[128];
    const char *broken =
        cs_checked_mark(&s->checked, cs_run_arm_name(s->open.run, arm));
    cs_session_held(s, arm, held, sizeof held);
    if (*broken)
        snprintf(text, size, "BROKEN: %s", broken);
    else if (*held)
        snprintf(text, size, "hold: %s", held);
    else
        snprintf(text, size, "not tried");
}

bool cs_session_is_checked(const cs_session *s)
{
    char text[160];
    bool any = *s->checked.target != 0;
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++) {
        cs_session_laws(s, i, text, sizeof text);
        any |= strcmp(text, "not tried") != 0;
    }
    return any;
}
