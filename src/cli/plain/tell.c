#include "cli/plain/tell.h"

#include "figure/figure.h"
#include "kernel/composed.h"
#include "race/race.h"
#include "screen/parts/tell_course.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Appends a number, or "not known" if it is not finite. */
static void put(cs_page *p, double x)
{
    if (isnan(x))
        cs_page_put(p, "not known");
    else
        cs_page_put(p, "%.4g", x);
}

static const char *plural(double n)
{
    return n == 1 ? "" : "s";
}

static double count_of(const cs_shot *s, size_t arm, const char *what)
{
    return cs_shot_number(s, 0, "arm/%zu/%s", arm, what);
}

/* ---- state of the run
 * ---------------------------------------------------------- */

static void tell_status(const cs_shot *s, cs_page *p)
{
    const char *state = cs_shot_text(s, "run/state");
    double steps = cs_shot_number(s, 0, "run/steps");
    double done = cs_shot_number(s, (double)NAN, "run/progress");
    double left = cs_shot_number(s, (double)NAN, "run/eta");
    double rate = cs_shot_number(s, (double)NAN, "run/rate");
    if (!*state || strcmp(state, "empty") == 0) {
        cs_page_put(p, "No scenario is open.\n");
        return;
    }
    cs_page_put(p, "%c%s at step %.0f", state[0] - 'a' + 'A', state + 1, steps);
    if (done >= 0 && done <= 1)
        cs_page_put(p, ", %.0f percent of the budget", floor(100 * done));
    if (strcmp(state, "running") == 0 && rate > 0)
        cs_page_put(p, ", %.3g chain-steps per second", rate);
    if (strcmp(state, "running") == 0 && left > 0 && left < 1e7)
        cs_page_put(p, ", %.0f seconds left", ceil(left));
    cs_page_put(p, ".\n");
}

static void tell_arms(const cs_shot *s, cs_page *p)
{
    const cs_table_facts facts = cs_shot_facts(s);
    for (size_t arm = 0; arm < cs_shot_all_arms(s); arm++) {
        double chains = count_of(s, arm, "chains");
        char name[64];
        const cs_figure_of of = cs_figure_of_arm(arm);
        cs_figure rhat = cs_figure_ask(&cs_figure_rhat, &facts.facts, of);
        cs_figure ess = cs_figure_ask(&cs_figure_ess, &facts.facts, of);
        cs_page_put(p, "%s is %s, %.0f chain%s, %.0f steps",
                    cs_shot_arm(s, arm), cs_shot_text(s, "arm/%zu/kernel", arm),
                    chains, plural(chains), count_of(s, arm, "steps"));
        double accepted = cs_shot_accepted(s, arm);
        if (!isnan(accepted))
            cs_page_put(p, ", %.1f percent accepted", 100 * accepted);
        cs_page_put(p, ". ");
        if (!isnan(rhat.value) &&
            cs_shot_word(cs_shot_text(s, "arm/%zu/diagnostics/names", arm),
                         rhat.at, name, sizeof name)) {
            cs_page_put(
                p,
                "The worst R-hat is %.3f, for %s; the smallest effective "
                "sample size is ",
                rhat.value, name);
            put(p, ess.value);
            cs_page_put(p, ". ");
        }
        if (count_of(s, arm, "failed") > 0)
            cs_page_put(p, "%.0f of its chains failed.  ",
                        count_of(s, arm, "failed"));
        cs_page_put(p, "\n");
    }
}

static void tell_params(const cs_shot *s, cs_page *p)
{
    for (size_t arm = 0; arm < cs_shot_all_arms(s); arm++) {
        double n = count_of(s, arm, "params");
        for (size_t k = 0; k < 64 && (double)k < n; k++) {
            const cs_row_param *row = cs_shot_param(s, arm, k);
            char value[40];
            if (!row || row->idle != 0)
                continue;
            cs_shot_value(s, arm, k, row->value, value, sizeof value);
            cs_page_put(p, "%s.%s is %s, from %.4g to %.4g: %s.\n",
                        cs_shot_arm(s, arm),
                        cs_shot_text(s, "arm/%zu/param/%zu/name", arm, k),
                        value, row->min, row->max,
                        cs_shot_text(s, "arm/%zu/param/%zu/help", arm, k));
        }
    }
}

/* ---- the displayed chain
 * -------------------------------------------------- */

static void put_state(const cs_shot *s, const char *key, cs_page *p)
{
    enum { MOST = 12 };
    size_t r, n;
    char name[64];
    const double *x = cs_shot_array(s, &r, &n, "%s", key);
    for (size_t i = 0; x && i < n && i < MOST; i++) {
        if (!cs_shot_word(cs_shot_text(s, "coordinates"), i, name, sizeof name))
            snprintf(name, sizeof name, "x.%zu", i + 1);
        cs_page_put(p, "%s%s %.4g", i ? ", " : "", name, x[i]);
    }
    if (x && n > MOST)
        cs_page_put(p, " and %zu more coordinates", n - MOST);
}

static void put_factor(cs_page *p, const char *name, double value)
{
    if (!isnan(value))
        cs_page_put(p, " %s is %+.4g nats.", name, value);
}

static void tell_state(const cs_shot *s, cs_page *p)
{
    size_t n, r, c;
    const cs_row_look *look = cs_shot_look(s);
    const cs_decision *d = CS_SHOT_ROWS(s, cs_decision, &n, CS_KEY_STEP);
    if (!look) {
        cs_page_put(p, "No chain is displayed.\n");
        return;
    }
    cs_page_put(p, "Chain %.0f of %s is at ", look->chain + 1,
                cs_shot_arm(s, (size_t)look->arm));
    put_state(s, "look/x", p);
    if (!d || n != 1) {
        cs_page_put(p, ".\n");
        return;
    }
    if (!isnan(d->logp))
        cs_page_put(p, ", where log p is %.4g", d->logp);
    cs_page_put(p, ".\n");
    if (!cs_shot_array(s, &r, &c, "look/proposal") || isnan(d->accepted))
        return;
    cs_page_put(p, "It proposed ");
    put_state(s, "look/proposal", p);
    cs_page_put(p, ", and this was %s.",
                d->accepted == 0 ? "rejected"
                : d->moved == 0  ? "accepted, but equals the current state"
                                 : "accepted");
    put_factor(p, "The change of log p", d->logp_change);
    put_factor(p, "Log q backward minus forward",
               d->log_q_back - d->log_q_forward);
    put_factor(p, "The log ratio", d->log_ratio);
    put_factor(p, "The log of the uniform random number", d->log_uniform);
    cs_page_put(p, "\n");
}

/* ---- panels ------------------------------------------------------------------------ */

/* Describes the members of a cycle or a mixture. Returns false if the kernel has
 * no members. */
static bool tell_members(const cs_shot *s, size_t arm, cs_page *p)
{
    size_t n, columns;
    const double *row =
        cs_shot_array(s, &n, &columns, "arm/%zu/kernel/members", arm);
    if (!row || columns != CS_MEMBER_COLUMNS)
        return false;
    for (size_t i = 0; i < n; i++, row += columns) {
        double aim =
            cs_shot_number(s, NAN, "arm/%zu/kernel/member/%zu/aim", arm, i);
        double rate = row[CS_MEMBER_OF_ACCEPTANCE];
        cs_page_put(p, "Member %s (%s) of %s ",
                    cs_shot_text(s, "arm/%zu/kernel/member/%zu/name", arm, i),
                    cs_shot_text(s, "arm/%zu/kernel/member/%zu/kernel", arm, i),
                    cs_shot_arm(s, arm));
        if (row[CS_MEMBER_OF_STEPS] == 0 || isnan(rate)) {
            cs_page_put(p, "%s.\n",
                        isnan(rate) && row[CS_MEMBER_OF_STEPS] > 0
                            ? "has an acceptance that is not known"
                            : "made no steps");
            continue;
        }
        cs_page_put(p, "accepts %.1f percent of its steps", 100 * rate);
        if (!isnan(aim))
            cs_page_put(p, ", best is %.1f", 100 * aim);
        cs_page_put(p, "; %.1f percent of them moved.\n",
                    100 * row[CS_MEMBER_OF_MOVED]);
    }
    return true;
}

static void tell_acceptance(const cs_shot *s, cs_page *p)
{
    for (size_t arm = 0; arm < cs_shot_all_arms(s); arm++) {
        size_t n;
        if (tell_members(s, arm, p))
            continue;
        const cs_row_acceptance *row =
            CS_SHOT_ROWS(s, cs_row_acceptance, &n, CS_KEY_ACCEPTANCE, arm);
        for (size_t c = 0; row && c < n; c++)
            if (!isnan(row[c].rolling))
                cs_page_put(p,
                            "Chain %zu of %s recently accepted %.1f percent.\n",
                            c + 1, cs_shot_arm(s, arm), 100 * row[c].rolling);
    }
}

/* Describes the energy of each chain: its first value, its last value and its
 * recent mean. */
static void tell_trace(const cs_shot *s, cs_page *p)
{
    for (size_t arm = 0; arm < cs_shot_all_arms(s); arm++) {
        size_t chains, bins, r, n;
        const double *low =
            cs_shot_array(s, &chains, &bins, "arm/%zu/trace/0/low", arm);
        const double *high =
            cs_shot_array(s, &r, &n, "arm/%zu/trace/0/high", arm);
        if (!low || !high || r != chains || n != bins)
            continue;
        for (size_t c = 0; c < chains; c++) {
            double least = HUGE_VAL, most = -HUGE_VAL, last = NAN;
            for (size_t t = 0; t < bins; t++) {
                double a = low[c * bins + t], b = high[c * bins + t];
                least = a < least ? a : least;
                most = b > most ? b : most;
                last = isnan(a) ? last : (a + b) / 2;
            }
            if (least <= most)
                cs_page_put(p,
                            "The energy of chain %zu of %s went from %.4g to "
                            "%.4g with a recent mean of about %.4g.\n",
                            c + 1, cs_shot_arm(s, arm), least, most, last);
        }
    }
}

static void put_mode(const cs_shot *s, size_t arm, size_t m, cs_page *p)
{
    size_t chains, modes, r, n;
    const double *visits =
        cs_shot_array(s, &chains, &modes, "arm/%zu/modes/visits", arm);
    const double *first = cs_shot_array(s, &r, &n, "arm/%zu/modes/first", arm);
    const double *weight =
        cs_shot_array(s, &r, &n, "arm/%zu/modes/weight", arm);
    double sum = 0, all = 0, earliest = HUGE_VAL;
    for (size_t c = 0; c < chains; c++)
        for (size_t k = 0; k < modes; k++) {
            all += visits[c * modes + k];
            sum += k == m ? visits[c * modes + k] : 0;
            if (first && k == m && first[c * modes + k] < earliest)
                earliest = first[c * modes + k];
        }
    if (sum == 0) {
        cs_page_put(p, "Mode %zu was never visited", m + 1);
    } else {
        cs_page_put(p, "Mode %zu has %.1f percent of the visits", m + 1,
                    100 * sum / all);
        if (earliest < HUGE_VAL)
            cs_page_put(p, ", the first at step %.0f", earliest);
    }
    if (weight && n == modes)
        cs_page_put(p, "; the exact share is %.1f percent", 100 * weight[m]);
    cs_page_put(p, ".\n");
}

static void tell_visits(const cs_shot *s, cs_page *p)
{
    enum { MOST = 30 };
    for (size_t arm = 0; arm < cs_shot_all_arms(s); arm++) {
        size_t chains, modes;
        if (!cs_shot_array(s, &chains, &modes, "arm/%zu/modes/visits", arm))
            continue;
        cs_page_put(p, "%s:\n", cs_shot_arm(s, arm));
        for (size_t m = 0; m < modes && m < MOST; m++)
            put_mode(s, arm, m, p);
        if (modes > MOST)
            cs_page_put(p, "There are %zu more modes.\n", modes - MOST);
    }
}

static void tell_distance(const cs_shot *s, cs_page *p)
{
    for (size_t arm = 0; arm < cs_shot_all_arms(s); arm++) {
        size_t r, n, m;
        char name[64];
        const double *v =
            cs_shot_array(s, &r, &n, "arm/%zu/distance/values", arm);
        const double *floor =
            cs_shot_array(s, &r, &m, "arm/%zu/distance/floor", arm);
        const char *names = cs_shot_text(s, "arm/%zu/distance/names", arm);
        for (size_t i = 0; v && i < n; i++)
            if (cs_shot_word(names, i, name, sizeof name)) {
                cs_page_put(
                    p, "The distance %s of %s from the exact distribution is ",
                    name, cs_shot_arm(s, arm));
                put(p, v[i]);
                if (floor && i < m) {
                    cs_page_put(p, "; independent draws would give ");
                    put(p, floor[i]);
                }
                cs_page_put(p, ".\n");
            }
    }
}

static void tell_race(const cs_shot *s, cs_page *p)
{
    static cs_racers racers;
    char text[2048] = "";
    const cs_figure_look at = {.of = ""};
    cs_race_line_up(s, &at, &racers);
    cs_race_say(&racers, text, sizeof text);
    cs_page_put(p, "%s\n", *text ? text : "The arms cannot be ranked yet.");
}

static void tell_lesson(const cs_shot *s, cs_page *p)
{
    if (cs_tells_course(s))
        cs_tell_course(s, p);
    if (!cs_shot_hides(s)) /* the texts would answer a question */
        cs_page_put(p, "%s. %s\n%s\n", cs_shot_text(s, "run/title"),
                    cs_shot_text(s, "run/shows"),
                    cs_shot_text(s, "run/lesson"));
}

static const cs_teller table[] = {
    {"status", "the state of the run", tell_status},
    {"arms", "each arm: steps, acceptance, R-hat, effective sample size",
     tell_arms},
    {"params", "the parameters that can be set, and their values", tell_params},
    {"state", "the displayed chain and its last decision", tell_state},
    {"trace", "the energy of each chain", tell_trace},
    {"acceptance", "the recent acceptance rate of each chain", tell_acceptance},
    {"visits", "the share of visits of each mode, and its first visit",
     tell_visits},
    {"distance", "distances from the exact distribution", tell_distance},
    {"race", "the ranking of the arms", tell_race},
    {"lesson", "the lesson of the scenario", tell_lesson},
};

/* ---- other panels ---------------------------------------------------------- */

/* Returns true if a text is a number or a word. Returns false for a part of a
 * drawing, such as "oo" or "+". */
static bool is_word(const char *text, size_t n)
{
    size_t letters = 0, digits = 0, others = 0;
    for (size_t i = 0; i < n; i++) {
        letters += isalpha((unsigned char)text[i]) != 0;
        digits += isdigit((unsigned char)text[i]) != 0;
        others += text[i] != text[0];
    }
    return digits > 0 || (letters >= 2 && others > 0 && 2 * letters >= n);
}

/* Appends the words and numbers of a line of a panel, without its drawing. Skips
 * a line without words, such as one with a tick of an axis. */
static void put_line(const cs_cell *cell, int n, cs_page *p)
{
    enum { MOST = 512 };
    char text[MOST], token[MOST];
    size_t used = 0, length = 0;
    bool words = false;
    for (int x = 0; x <= n && used + length + 2 < MOST; x++) {
        unsigned code = x < n ? cell[x].code : ' ';
        if (code > ' ' && code < 127) {
            token[length++] = (char)code;
            continue;
        }
        if (length && is_word(token, length)) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s",
                                     used ? " " : "", (int)length, token);
            words |= isalpha((unsigned char)token[0]) && length > 1;
        }
        length = 0;
    }
    if (words)
        cs_page_put(p, "%.*s\n", (int)used, text);
}

cs_selection cs_tell_look(const cs_shot *s, const cs_panel_type *type)
{
    cs_selection at = {.pinned = CS_NO_PIN,
                       .focused = true,
                       .detail = true, /* all words and numbers */
                       .of = "",
                       .panel = type->name};
    const cs_row_look *look = cs_shot_look(s);
    if (look) {
        at.arm = cs_shot_whole(look->arm, CS_SHOT_ARMS - 1);
        at.chain = cs_shot_whole(look->chain, 1 << 20);
        at.coordinate = cs_shot_whole(look->coordinate, 1 << 20);
    }
    return at;
}

bool cs_tell_panel(const cs_shot *s, const cs_panel_type *type, cs_page *p)
{
    enum { WIDE = 100, HIGH = 40 };
    cs_canvas canvas = {0};
    const cs_selection at = cs_tell_look(s, type);
    if (cs_canvas_init(&canvas, WIDE, HIGH, CS_ASCII, NULL) != CS_OK)
        return false;
    canvas.theme = cs_theme_at(0);
    const cs_area area = cs_canvas_area(&canvas);
    cs_panel_draw(type, &area, s, &at);
    cs_page_put(p, "%s of %s:\n", type->title, cs_shot_arm(s, at.arm));
    for (int y = 0; y < HIGH; y++)
        put_line(canvas.cell + (size_t)y * WIDE, WIDE, p);
    cs_canvas_fini(&canvas);
    return true;
}

const cs_teller *cs_teller_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const cs_teller *cs_teller_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
