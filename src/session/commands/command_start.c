/* Implements `start`: moves chains to other states, from which they
 * continue. */
#include "base/count.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "rng/stream.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/views/view.h"
#include "session/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of coordinates, over all chains, that are stored for undo. */
enum { UNDO_MOST = 4096 };

/* Chains first .. first + n - 1 of an arm, and the words after `at` or
 * `from`. */
typedef struct start {
    cs_session *s;
    size_t arm, first, n;
    char **word;
    size_t words;
} start;

/* Computes the new state x[dim] of a chain; on entry x is its current state. */
typedef cs_status place(const start *p, size_t chain, double *x, cs_error *err);

static const cs_target *target_of(const start *p)
{
    return cs_run_target(p->s->open.run);
}

static size_t dim_of(const start *p)
{
    return target_of(p)->space.dim;
}

/* ---- `at`: given numbers
 * --------------------------------------------------- */

/* Parses the next number in a text such as "1,2 3;4". Returns false at the
 * end, or if the next word is not a number. */
static bool next_number(const char **at, double *out)
{
    char *end;
    *at += strspn(*at, ",; ");
    *out = strtod(*at, &end);
    bool is = end != *at && isfinite(*out);
    *at = end;
    return is;
}

/* Returns all words joined by commas. [own] */
static char *join(const start *p)
{
    cs_page page = {0};
    for (size_t i = 0; i < p->words; i++)
        cs_page_put(&page, "%s%s", i ? "," : "", p->word[i]);
    if (page.full) {
        cs_free(page.text);
        return NULL;
    }
    return page.text;
}

static size_t count_numbers(const char *text)
{
    size_t n = 0;
    double unused;
    while (next_number(&text, &unused))
        n++;
    return n;
}

/* Parses "1=0.5", which sets only coordinate 1. */
static cs_status place_coordinates(const start *p, double *x, cs_error *err)
{
    for (size_t i = 0; i < p->words; i++) {
        char *end;
        size_t k = strtoul(p->word[i], &end, 10);
        if (*end != '=' || k < 1 || k > dim_of(p)) {
            cs_fail(err, CS_INPUT,
                    "'%s' does not name a coordinate from 1 to %zu", p->word[i],
                    dim_of(p));
            cs_hint(err, "for example `start at 1=0.5 2=-3`");
            return CS_INPUT;
        }
        cs_status status = cs_command_number(end + 1, &x[k - 1], err);
        if (status)
            return status;
    }
    return CS_OK;
}

/* Reads the new state of a chain. If only one state is given, it is used for
 * all chains; otherwise there is one state per chain, in order. */
static cs_status place_numbers(const start *p, size_t chain, double *x,
                               cs_error *err)
{
    char *text = join(p);
    if (!text)
        return cs_fail(err, CS_MEMORY, "out of memory for the states");
    size_t dim = dim_of(p), n = count_numbers(text);
    size_t states = n / dim, skip = states ? chain % states * dim : 0;
    const char *at = text;
    cs_status status = CS_OK;
    if (!n || n % dim || at[strspn(at, "0123456789+-.eE,; ")]) {
        status = cs_fail(err, CS_INPUT,
                         "a state of this target has %zu numbers", dim);
        cs_hint(err, "use `start at 1=0.5` to set only coordinate 1");
    }
    double unused;
    for (size_t i = 0; status == CS_OK && i < skip; i++)
        next_number(&at, &unused);
    for (size_t i = 0; status == CS_OK && i < dim; i++)
        next_number(&at, &x[i]);
    cs_free(text);
    return status;
}

/* For a target that displays transformed states, finds the state whose
 * displayed numbers are x. */
static cs_status from_shown(const start *p, size_t chain, double *x,
                            cs_error *err)
{
    const cs_target *t = target_of(p);
    if (!t->type->free_point) {
        cs_fail(err, CS_UNSUPPORTED,
                "the displayed quantities are functions of the state: they "
                "cannot be set");
        cs_hint(err, "use `start from prior`, or set the state itself with "
                     "chain:set_state");
        return CS_UNSUPPORTED;
    }
    cs_chain_view v = cs_run_chain(p->s->open.run, p->arm, chain);
    size_t n = t->free_numbers;
    double *y = cs_alloc(n + 1, sizeof *y);
    if (!y)
        return cs_fail(err, CS_MEMORY, "out of memory for the state");
    memcpy(y, v.shown, n * sizeof *y);
    start shown = *p;
    cs_status status = place_coordinates(&shown, y, err);
    if (status == CS_OK)
        status = t->type->free_point(t, y, x, err);
    cs_free(y);
    return status;
}

static cs_status at_numbers(const start *p, size_t chain, double *x,
                            cs_error *err)
{
    if (!strchr(p->word[0], '='))
        return place_numbers(p, chain - p->first, x, err);
    if (target_of(p)->outputs.n)
        return from_shown(p, chain, x, err);
    cs_status status = place_coordinates(p, x, err);
    for (size_t i = 0; i < dim_of(p); i++)
        /* uses the lattice point nearest to the given point, for example to
         * a click */
        if (cs_space_is_whole(&target_of(p)->space, i))
            x[i] = round(x[i]);
    return status;
}

/* ---- `from`: known states
 * -------------------------------------------------- */

/* Computes a new initial state of the chain, with new random numbers. */
static cs_status from_prior(const start *p, size_t chain, double *x,
                            cs_error *err)
{
    const cs_run *r = p->s->open.run;
    uint64_t number = chain;
    for (size_t i = 0; i < p->arm; i++)
        number += cs_run_arm(r, i).chains;
    cs_streams streams =
        cs_streams_of(cs_run_seed(r), cs_run_steps(r) + 1, &number, 1, 1);
    double *uniform = cs_alloc(dim_of(p) + 1, sizeof *uniform);
    if (!uniform)
        return cs_fail(err, CS_MEMORY, "out of memory for the state");
    cs_fill_uniform(&streams, CS_FOR_START, dim_of(p), uniform);
    cs_target_start(target_of(p), uniform, x);
    cs_free(uniform);
    return CS_OK;
}

static cs_status from_mode(const start *p, size_t chain, double *x,
                           cs_error *err)
{
    const cs_exact *e = &target_of(p)->exact;
    double k = 0;
    (void)chain;
    if (!e->n_modes || !e->modes) {
        cs_fail(err, CS_UNSUPPORTED, "the modes of this target are not known");
        cs_hint(err, "give the coordinates: start at X Y ...");
        return CS_UNSUPPORTED;
    }
    cs_status status =
        p->words < 2 ? cs_fail(err, CS_INPUT,
                               "`start from mode` needs the number of a mode")
                     : cs_command_number(p->word[1], &k, err);
    if (status == CS_OK &&
        !(k >= 1 && k <= (double)e->n_modes && k == floor(k)))
        status = cs_fail(err, CS_RANGE,
                         "the number of a mode must be between 1 and %zu",
                         e->n_modes);
    if (status == CS_OK)
        memcpy(x, e->modes + ((size_t)k - 1) * dim_of(p),
               dim_of(p) * sizeof *x);
    return status;
}

/* Copies the state of the chain whose log p is lowest among the chains of the
 * arm. */
static cs_status from_worst(const start *p, size_t chain, double *x,
                            cs_error *err)
{
    cs_run *r = p->s->open.run;
    size_t worst = 0;
    double least = HUGE_VAL;
    (void)chain, (void)err;
    for (size_t i = 0; i < cs_run_arm(r, p->arm).chains; i++) {
        double logp = cs_run_decision(r, p->arm, i).last.logp;
        if (logp < least) {
            least = logp;
            worst = i;
        }
    }
    memcpy(x, cs_run_chain(r, p->arm, worst).x, dim_of(p) * sizeof *x);
    return CS_OK;
}

static place *find_place(const char *word)
{
    static const struct {
        const char *word;
        place *place;
    } table[] = {
        {"prior", from_prior}, {"mode", from_mode}, {"worst", from_worst}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].word, word) == 0)
            return table[i].place;
    return NULL;
}

/* ---- command ------------------------------------------------------------- */

/* Copies the current states to states[n][dim], for the command that restores
 * them. */
static void take_states(const start *p, double *states)
{
    size_t dim = dim_of(p);
    for (size_t i = 0; i < p->n; i++)
        memcpy(states + i * dim,
               cs_run_chain(p->s->open.run, p->arm, p->first + i).x,
               dim * sizeof *states);
}

static void can_undo(const start *p, const double *states, const char *who)
{
    cs_page line = {0};
    char said[160], digits[CS_DECIMAL];
    size_t dim = dim_of(p);
    const char *arm = cs_run_arm_name(p->s->open.run, p->arm);
    if (p->n == 1)
        cs_page_put(&line, "start %s %zu at ", arm, p->first + 1);
    else
        cs_page_put(&line, "start %s all at ", arm);
    for (size_t i = 0; i < p->n * dim && p->n * dim <= UNDO_MOST; i++) {
        size_t n = cs_decimal_put(states[i], digits);
        cs_page_put(&line, "%s%.*s", i ? "," : "", (int)n, digits);
    }
    snprintf(said, sizeof said, "%s back at the state where %s had been", who,
             p->n == 1 ? "it" : "they");
    bool whole = !line.full && p->n * dim <= UNDO_MOST;
    cs_way_back_add(&p->s->back, whole ? line.text : NULL, said);
    cs_free(line.text);
}

/* Moves all chains. If one chain cannot be moved, moves none. On entry
 * was[n][dim] and states[n][dim] are the current states. On return
 * states[n][dim] are the new states. */
static cs_status put_all(const start *p, place *to, const double *was,
                         double *states, cs_error *err)
{
    size_t dim = dim_of(p), put = 0;
    cs_run *r = p->s->open.run;
    cs_status status = CS_OK;
    for (size_t i = 0; i < p->n && status == CS_OK; i++)
        status = to(p, p->first + i, states + i * dim, err);
    for (; put < p->n && status == CS_OK; put += status == CS_OK)
        status = cs_run_set_state(r, p->arm, p->first + put, states + put * dim,
                                  err);
    for (size_t i = 0; i < put && status; i++)
        cs_run_set_state(r, p->arm, p->first + i, was + i * dim, NULL);
    return status;
}

/* Finds the chains named by words[n]. No word means the selected chain; "all"
 * means all chains of the selected arm. */
static cs_status find_chains(start *p, char **word, size_t n, cs_error *err)
{
    cs_session *s = p->s;
    bool all = n && strcmp(word[n - 1], "all") == 0;
    double k = (double)s->look.chain + 1;
    cs_status status = CS_OK;
    p->arm = s->look.arm;
    if (n > 2)
        return cs_fail(err, CS_INPUT,
                       "start: expected an arm and a chain, or `all`");
    if (n > (size_t)all)
        status = cs_command_arm(s, word[0], &p->arm, err);
    if (status == CS_OK && n == 2 && !all)
        status = cs_command_number(word[1], &k, err);
    if (status)
        return status;
    size_t chains = cs_run_arm(s->open.run, p->arm).chains;
    if (!(k >= 1 && k <= (double)chains && k == floor(k)) && !all)
        return cs_fail(err, CS_RANGE, "there is no chain %g in arm %s", k,
                       cs_run_arm_name(s->open.run, p->arm));
    p->first = all ? 0 : (size_t)k - 1;
    p->n = all ? chains : 1;
    return CS_OK;
}

static void tell(const start *p, const double *states, const char *who)
{
    size_t dim = dim_of(p);
    char where[64] = "at new states";
    if (p->n == 1 && dim == 1)
        snprintf(where, sizeof where, "at %.4g", states[0]);
    else if (p->n == 1)
        snprintf(where, sizeof where, "at (%.4g, %.4g%s)", states[0], states[1],
                 dim > 2 ? ", ..." : "");
    cs_session_say(p->s, "%s %s %s from step %s on", who,
                   p->n == 1 ? "is" : "are", where,
                   cs_count((double)cs_run_steps(p->s->open.run)).text);
}

static cs_status move_chains(const start *p, place *to, cs_error *err)
{
    size_t words = p->n * dim_of(p);
    char who[100];
    const char *arm = cs_run_arm_name(p->s->open.run, p->arm);
    double *was = cs_alloc(words + 1, sizeof *was);
    double *states = cs_alloc(words + 1, sizeof *states);
    cs_status status =
        was && states ? CS_OK
                      : cs_fail(err, CS_MEMORY, "out of memory for the states");
    if (p->n == 1)
        snprintf(who, sizeof who, "chain %zu of %.60s", p->first + 1, arm);
    else
        snprintf(who, sizeof who, "all chains of %.60s", arm);
    if (status == CS_OK) {
        take_states(p, was);
        memcpy(states, was, words * sizeof *was);
        status = put_all(p, to, was, states, err);
    }
    if (status == CS_OK) {
        can_undo(p, was, who);
        tell(p, states, who);
        cs_command_answer(p->s, "%s", p->s->reported.newest);
    }
    cs_free(was);
    cs_free(states);
    return status;
}

cs_status cs_command_start(cs_session *s, char **word, size_t n, cs_error *err)
{
    start p = {.s = s};
    size_t i = 1;
    while (i <= n && strcmp(word[i], "at") != 0 && strcmp(word[i], "from") != 0)
        i++;
    bool at = i <= n && strcmp(word[i], "at") == 0;
    place *to = at || i >= n ? at_numbers : find_place(word[i + 1]);
    if (i >= n || !to) {
        cs_fail(err, CS_INPUT,
                "start: expected `at` and numbers, `from prior`, `from mode N` "
                "or `from worst`");
        cs_hint(err,
                "for example `start at 1=0.5 2=-3` or `start all from prior`");
        return CS_INPUT;
    }
    p.word = word + i + 1;
    p.words = n - i;
    cs_status status = find_chains(&p, word + 1, i - 1, err);
    return status ? status : move_chains(&p, to, err);
}
