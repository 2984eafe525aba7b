/* Implements `event` and `break`: goes to events, and sets breakpoints and stop
 * rules. */
#include "base/count.h"
#include "base/text.h"
#include "run/arms/arms.h"
#include "run/history/event_list.h"
#include "run/rewind.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "session/commands/command.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- words --------------------------------------------------------------- */

/* The events and rules for breakpoints. The first word of the command
 * selects one. */
static const struct of {
    const char *word, *probe; /* word: first word of the command; probe: probe
                                 that detects the event; NULL: no probe is
                                 needed */
    cs_rule rule;
    unsigned kinds;
    bool number; /* true if a number follows the word */
    const char *help;
} table[] = {
    {"mode", "modes", 0, 1u << CS_EVENT_VISIT | 1u << CS_EVENT_JUMP, true,
     "N [ARM [CHAIN]]: a chain reaches mode N, for example `mode 7 acs 3`"},
    {"visit", "modes", 0, 1u << CS_EVENT_VISIT, false,
     "[ARM [CHAIN]]: a chain reaches a mode for the first time"},
    {"jump", "modes", 0, 1u << CS_EVENT_VISIT | 1u << CS_EVENT_JUMP, false,
     "[ARM [CHAIN]]: a chain moves from one mode to another"},
    {"reject", "acceptance", 0, 1u << CS_EVENT_REJECTIONS, true,
     "N [ARM [CHAIN]]: at least N consecutive rejections"},
    {"divergence", "acceptance", 0, 1u << CS_EVENT_DIVERGENCE, false,
     "[ARM [CHAIN]]: a trajectory diverges"},
    {"nan", "acceptance", 0, 1u << CS_EVENT_NAN, false,
     "[ARM [CHAIN]]: log p, a gradient or a ratio is not a number"},
    {"swap", "acceptance", 0, 1u << CS_EVENT_SWAP, false,
     "[ARM [CHAIN]]: two chains exchange their temperatures"},
    {"stop", NULL, 0, 1u << CS_EVENT_STOP, false,
     "[ARM [CHAIN]]: a chain stops because of an error"},
    {"rhat", "diagnostics", CS_RULE_RHAT, 0, true,
     "< N [ARM]: the largest R-hat is below N"},
    {"ess", "diagnostics", CS_RULE_ESS, 0, true,
     "> N [ARM]: the smallest effective sample size is above N"},
    {"modes", "modes", CS_RULE_MODES, 0, false,
     "= all [ARM]: all modes have been visited"},
    {"steps", NULL, CS_RULE_STEPS, 0, true,
     "> N [ARM]: each chain has made N steps"},
    {"gradients", NULL, CS_RULE_GRADIENTS, 0, true,
     "> N [ARM]: an arm has evaluated N gradients"},
    {"log_densities", NULL, CS_RULE_DENSITIES, 0, true,
     "> N [ARM]: an arm has evaluated N log densities"},
    {"seconds", NULL, CS_RULE_SECONDS, 0, true,
     "> N [ARM]: the run has computed for N seconds"},
};

enum { WORDS = sizeof table / sizeof *table };

const char *cs_break_word(size_t i)
{
    return i < WORDS ? table[i].word : i == WORDS ? "off" : NULL;
}

const char *cs_break_help(const char *word)
{
    const char *help = NULL;
    for (size_t i = 0; i < WORDS && !help; i++)
        help = strcmp(table[i].word, word) == 0 ? table[i].help : NULL;
    return help;
}

static cs_status find(const char *word, const struct of **out, cs_error *err)
{
    const char *names[WORDS + 2] = {NULL};
    for (size_t i = 0; i <= WORDS; i++)
        names[i] = cs_break_word(i);
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(table[i].word, word) == 0) {
            *out = &table[i];
            return CS_OK;
        }
    cs_fail(err, CS_UNKNOWN, "unknown event or rule '%s'", word);
    const char *near = cs_text_nearest(word, names);
    cs_hint(err,
            near ? "did you mean '%s'?"
                 : "list the events and rules with help break",
            near);
    return CS_UNKNOWN;
}

static bool has_probe(const cs_run *r, const char *name)
{
    const cs_probe_type *type;
    for (size_t i = 0; name && (type = cs_run_probe(r, i)); i++)
        if (strcmp(type->name, name) == 0)
            return true;
    return !name;
}

static cs_status watched(const cs_session *s, const struct of *of,
                         cs_error *err)
{
    if (has_probe(s->open.run, of->probe))
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "this run does not detect '%s'", of->word);
    if (strcmp(of->probe, "modes") == 0 &&
        cs_run_target(s->open.run)->exact.n_modes == 0)
        cs_hint(err, "the modes of this target are not known");
    else
        cs_hint(err, "add the probe %s to the field `probes` of the scenario",
                of->probe);
    return CS_UNSUPPORTED;
}

/* Parses "[ARM [CHAIN]]" from n words. */
static cs_status read_where(cs_session *s, char **word, size_t n, cs_break *b,
                            cs_error *err)
{
    uint64_t chain;
    b->arm = b->chain = CS_EVERY;
    if (n == 0)
        return CS_OK;
    cs_status status = cs_command_arm(s, word[0], &b->arm, err);
    if (status == CS_OK)
        snprintf(b->name, sizeof b->name, "%s",
                 cs_run_arm_name(s->open.run, b->arm));
    if (status != CS_OK || n == 1)
        return status;
    if (n > 2)
        return cs_fail(err, CS_INPUT, "unexpected argument '%s'", word[2]);
    status = cs_command_count(word[1], &chain, err);
    size_t chains = cs_run_arm(s->open.run, b->arm).chains;
    if (status == CS_OK && (chain < 1 || chain > chains))
        status = cs_fail(err, CS_RANGE,
                         "chain '%s' is outside the range from 1 to %zu",
                         word[1], chains);
    b->chain = (size_t)chain - 1;
    return status;
}

/* ---- going to events --------------------------------------------------- */

static cs_status read_kinds(const char *word, unsigned *kinds, cs_error *err)
{
    const char *names[CS_EVENT_KINDS + 2] = {"any"}, *name;
    *kinds = (1u << CS_EVENT_KINDS) - 1;
    if (strcmp(word, "any") == 0)
        return CS_OK;
    for (size_t k = 0; (name = cs_event_word(k)); k++) {
        names[k + 1] = name;
        *kinds = 1u << k;
        if (strcmp(name, word) == 0)
            return CS_OK;
    }
    cs_fail(err, CS_UNKNOWN, "unknown event '%s'", word);
    const char *near = cs_text_nearest(word, names);
    cs_hint(err,
            near ? "did you mean '%s'?" : "list the events with help event",
            near);
    return CS_UNKNOWN;
}

/* The newest of the events found so far that precede a given step. */
typedef struct newest {
    unsigned kinds;
    uint64_t before;
    bool found;
    cs_event e;
} newest;

static void take(void *self, const cs_event *e)
{
    newest *to = self;
    if (!(to->kinds >> e->kind & 1) || e->step >= to->before ||
        (to->found && e->step <= to->e.step))
        return;
    to->found = true;
    to->e = *e;
}

static cs_status previous(cs_session *s, const cs_break *b, cs_error *err)
{
    char text[256];
    cs_run *r = s->open.run;
    newest to = {.kinds = b->kinds, .before = cs_run_steps(r)};
    cs_session_pause(s);
    for (size_t i = s->periods.now + 1; i-- > 0 && !to.found;)
        cs_run_events(cs_period_run(s, i), b->arm, b->chain, 0, take, &to);
    if (!to.found) {
        cs_break_words(s, b, text, sizeof text);
        cs_session_say(s, "no %s before step %s", text,
                       cs_count((double)to.before).text);
        return CS_OK;
    }
    cs_event_words(r, &to.e, text, sizeof text);
    cs_status status = cs_record_none(s->record, err);
    if (status == CS_OK)
        status = cs_session_travel(s, to.e.step, err);
    if (status)
        return status;
    cs_command_stand(s);
    cs_breaks_show(s, &to.e);
    cs_session_say(s, "back at step %s: %s", cs_count((double)to.e.step).text,
                   text);
    return CS_OK;
}

/* Runs at full speed until the event of the breakpoint happens. */
static cs_status next(cs_session *s, const cs_break *b, cs_error *err)
{
    char text[256];
    cs_status status = cs_record_none(s->record, err);
    if (status == CS_OK)
        status = cs_session_go(s, UINT64_MAX, true, err);
    if (status)
        return status;
    s->breaks.next = *b;
    cs_break_words(s, b, text, sizeof text);
    cs_session_say(s, "running to the next event: %s", text);
    return CS_OK;
}

cs_status cs_command_event(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run && n >= 1);
    cs_break b = {.kinds = 0};
    bool back = strcmp(word[1], "previous") == 0;
    if (!back && strcmp(word[1], "next") != 0) {
        cs_fail(err, CS_INPUT, "event: expected `next` or `previous`, not '%s'",
                word[1]);
        cs_hint(err, "use `event next` or `event previous`");
        return CS_INPUT;
    }
    cs_status status = read_kinds(n > 1 ? word[2] : "any", &b.kinds, err);
    if (status == CS_OK)
        status = read_where(s, word + 3, n > 2 ? n - 2 : 0, &b, err);
    if (status)
        return status;
    return back ? previous(s, &b, err) : next(s, &b, err);
}

/* ---- breakpoints --------------------------------------------------------- */

static cs_status list(cs_session *s)
{
    char text[2048] = "no breakpoints", row[256];
    size_t at = 0;
    for (size_t i = 0; i < s->breaks.n && at < sizeof text; i++) {
        const cs_break *b = &s->breaks.row[i];
        cs_break_words(s, b, row, sizeof row);
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%u  %s",
                               i ? "\n" : "", b->number, row);
        if (b->held && at < sizeof text)
            at += (size_t)snprintf(text + at, sizeof text - at,
                                   ", reached at step %s",
                                   cs_count((double)b->held).text);
    }
    cs_command_answer(s, "%s", text);
    return CS_OK;
}

/* Removes breakpoint number `word`. If `word` is missing, removes all
 * breakpoints. */
static cs_status off(cs_session *s, const char *word, cs_error *err)
{
    uint64_t number = 0;
    cs_breaks *all = &s->breaks;
    size_t kept = 0, n = all->n;
    cs_status status = word ? cs_command_count(word, &number, err) : CS_OK;
    for (size_t i = 0; status == CS_OK && i < n; i++)
        if (word && all->row[i].number != number)
            all->row[kept++] = all->row[i];
    if (status != CS_OK)
        return status;
    if (word && kept == n)
        return cs_fail(err, CS_UNKNOWN, "unknown breakpoint '%s'", word);
    all->n = kept;
    s->show.dirty = true;
    cs_command_answer(
        s, n == kept + 1 ? "1 breakpoint removed" : "%zu breakpoints removed",
        n - kept);
    return CS_OK;
}

/* Finds the sign (<, = or >) and the value in a condition such as "rhat<1.01",
 * which is written as one word or as three words. Returns the number of words
 * used, or 0 if the words are not a condition. */
static size_t cut(char **word, size_t n, char *sign, const char **value)
{
    size_t at = strcspn(word[0], "<>=");
    bool one = word[0][at] != 0;
    *sign = one ? word[0][at] : n > 2 && !word[1][1] ? *word[1] : 0;
    *value = one ? word[0] + at + 1 : n > 2 ? word[2] : "";
    return **value ? one ? 1 : 3 : 0;
}

static cs_status read_rule(cs_session *s, const struct of *of, char **word,
                           size_t n, cs_break *b, cs_error *err)
{
    const char *value;
    char sign, want = of->rule == CS_RULE_RHAT    ? '<'
                      : of->rule == CS_RULE_MODES ? '='
                                                  : '>';
    size_t used = cut(word, n, &sign, &value);
    if (!used || sign != want) {
        cs_fail(err, CS_INPUT, "%s must be compared with %c", of->word, want);
        cs_hint(err, "use `break %s %c %s`", of->word, want,
                of->number ? "NUMBER" : "all");
        return CS_INPUT;
    }
    cs_status status =
        of->number ? cs_command_number(value, &b->limit, err) : CS_OK;
    if (!of->number && strcmp(value, "all") != 0)
        status =
            cs_fail(err, CS_INPUT, "the only rule for modes is `modes = all`");
    if (status == CS_OK && of->number && !(b->limit > 0))
        status =
            cs_fail(err, CS_RANGE, "the limit must be above 0, not %s", value);
    return status ? status : read_where(s, word + used, n - used, b, err);
}

static bool is_count(const char *word)
{
    return word[strspn(word, "0123456789")] == 0;
}

/* For n words "mode ...": returns true if the number of the mode is the last
 * word, as in "mode acs 3 7". Returns false if it is the first word, followed
 * by an arm or by nothing. */
static bool number_is_last(char **word, size_t n)
{
    return strcmp(word[0], "mode") == 0 &&
           !(n > 2 && is_count(word[1]) && !is_count(word[2]));
}

/* Parses "mode N [ARM [CHAIN]]" or "mode [ARM [CHAIN]] N", "reject N [ARM
 * [CHAIN]]", "jump [ARM [CHAIN]]". */
static cs_status read_event(cs_session *s, const struct of *of, char **word,
                            size_t n, cs_break *b, cs_error *err)
{
    uint64_t number = 0;
    bool mode = strcmp(of->word, "mode") == 0;
    bool last = number_is_last(word, n);
    double least = mode ? 1 : CS_EVENT_LONG;
    double most =
        mode ? (double)cs_run_target(s->open.run)->exact.n_modes : 1e9;
    if (of->number && n < 2) {
        cs_fail(err, CS_INPUT, "`break %s` needs a number", of->word);
        cs_hint(err, "usage: break %s %s", of->word, of->help);
        return CS_INPUT;
    }
    cs_status status =
        of->number ? cs_command_count(word[last ? n - 1 : 1], &number, err)
                   : CS_OK;
    if (status)
        return status;
    b->limit = (double)number;
    if (of->number && (b->limit < least || b->limit > most)) {
        cs_fail(err, CS_RANGE, "%.0f is outside the range from %.0f to %.0f",
                b->limit, least, most);
        cs_hint(err, mode ? "give the number of a mode of this target"
                          : "give a larger number: fewer consecutive "
                            "rejections are not recorded");
        return CS_RANGE;
    }
    return read_where(s, word + 1 + (of->number && !last), n - 1 - of->number,
                      b, err);
}

cs_status cs_command_break(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    char name[32], text[256];
    const struct of *of;
    cs_break b = {.arm = CS_EVERY};
    if (n == 0)
        return list(s);
    if (strcmp(word[1], "off") == 0)
        return off(s, n > 1 ? word[2] : NULL, err);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word[1], "<>="), word[1]);
    cs_status status = find(name, &of, err);
    if (status == CS_OK)
        status = watched(s, of, err);
    if (status)
        return status;
    b.rule = of->rule;
    b.kinds = of->kinds;
    status = of->rule ? read_rule(s, of, word + 1, n, &b, err)
                      : read_event(s, of, word + 1, n, &b, err);
    if (status == CS_OK && s->breaks.n == CS_BREAKS)
        status =
            cs_fail(err, CS_INPUT,
                    "there are already %d breakpoints, which is the maximum",
                    CS_BREAKS);
    if (status)
        return status;
    b.number = ++s->breaks.numbers;
    s->breaks.row[s->breaks.n++] = b;
    s->show.dirty = true;
    cs_break_words(s, &b, text, sizeof text);
    cs_command_answer(s, "breakpoint %u: %s", b.number, text);
    return CS_OK;
}
