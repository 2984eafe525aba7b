#include "screen/canvas/factors.h"

#include "kernels/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the formula --------------------------------------------------------- */

/* Draws one line of a formula. Text between two ~ is struck out; *struck is
 * true while such a part continues on the next line. */
static void draw_line(const cs_area *a, int y, const char *text, size_t n,
                      bool *struck)
{
    cs_print(a, 0, y, CS_ROLE_EVENT, "%.*s", (int)n, text);
    for (size_t i = 0; i < n; i++) {
        bool mark = text[i] == '~' && strncmp(text + i, "~ ", 2) != 0;
        bool end = text[i] == '~' && *struck;
        if (mark || end)
            *struck = !*struck;
        else if (*struck)
            cs_attribute(a, (int)i, y, 1, CS_STRIKE);
    }
}

static int draw_text(const cs_area *a, int y, const char *text)
{
    int lines = 0;
    bool struck = false;
    while (text && *text && a->w > 0) {
        size_t n = cs_text_line(text, a->w);
        draw_line(a, y + lines++, text, n, &struck);
        for (text += n; *text == ' '; text++)
            ;
    }
    return lines;
}

static int lines_of(const char *text, int width)
{
    int lines = 0;
    for (; text && *text && width > 0; lines++)
        for (text += cs_text_line(text, width); *text == ' '; text++)
            ;
    return lines;
}

int cs_draw_formula(const cs_area *a, int y, const char *kernel, bool ratio,
                    int lines)
{
    const cs_formula *f = cs_formula_of(kernel, NULL);
    if (!f || a->w < 24)
        return 0;
    const char *move = ratio && f->ratio ? NULL : f->move;
    if (lines_of(move, a->w) + lines_of(f->ratio, a->w) > lines)
        return 0;
    int used = draw_text(a, y, move);
    return used + draw_text(a, y + used, f->ratio);
}

int cs_draw_formula_text(const cs_area *a, int y, const char *text, int lines)
{
    return lines_of(text, a->w) <= lines ? draw_text(a, y, text) : 0;
}

/* ---- the factors --------------------------------------------------------- */

enum { NAME = 27 }; /* width of a factor's name and a blank, in columns */

cs_number cs_nats(double value)
{
    cs_number out;
    snprintf(out.text, sizeof out.text, fabs(value) < 1e6 ? "%.3f" : "%.3g",
             value);
    if (isnan(value))
        snprintf(out.text, sizeof out.text, "NaN");
    return out;
}

/* Bars use a logarithmic scale, because factors differ by orders of magnitude.
 * An arrow marks a bar that is cut off. */
void cs_draw_factor(const cs_area *a, int y, const char *name, double value)
{
    enum { FIGURE = 9, AT = NAME + FIGURE + 1 };
    static const double most = 1e4;
    if (y >= a->h)
        return;
    int x = cs_print(a, 0, y, CS_ROLE_LABEL, "%s", name);
    x = a->w >= AT ? NAME : x + 1;
    if (isnan(value))
        cs_print(a, x, y, CS_ROLE_ERROR, "%*s", FIGURE, cs_nats(value).text);
    else
        cs_print(a, x, y, CS_ROLE_VALUE, "%+*.3f", FIGURE, value);
    int capacity = (a->w - AT - 1) / 2;
    if (capacity < 3 || !isfinite(value))
        return;
    double share = log1p(fabs(value)) / log1p(most);
    int n = (int)(fmin(share, 1) * capacity + 0.5), sign = value < 0 ? -1 : 1;
    cs_role role = value < 0 ? CS_ROLE_REJECT : CS_ROLE_ACCEPT;
    cs_put(a, AT + capacity, y, CS_ROLE_FAINT, 0x2502);
    for (int i = 1; i <= n; i++)
        cs_put(a, AT + capacity + sign * i, y, role, 0x2588);
    if (share > 1)
        cs_put(a, AT + capacity + sign * n, y, role,
               sign < 0 ? 0x2190 : 0x2192);
}

bool cs_has_accept_step(const char *kernel)
{
    const cs_formula *f = cs_formula_of(kernel, NULL);
    bool composed = strstr(kernel, "cycle(") || strstr(kernel, "mixture(");
    return !composed && (!f || f->ratio);
}

const char *cs_outcome(const cs_decision *d, bool accepts, cs_role *role)
{
    bool accepted = d->accepted != 0, moved = d->moved != 0;
    *role = accepted ? CS_ROLE_ACCEPT : CS_ROLE_REJECT;
    if (!accepts)
        return !accepted ? "\u25BC stays: no way there"
               : moved   ? "\u25B2 moved"
                         : "\u25CB same state";
    return !accepted ? "\u25BC rejected"
           : moved   ? "\u25B2 accepted"
                     : "\u25CB accepted, same state";
}

/* Draws the energy, the kinetic energy and their change. log q is -K, the log
 * density of the momentum. K at the end of an abandoned trajectory is not
 * known. */
static int draw_energies(const cs_area *a, const cs_decision *d, bool brief)
{
    char name[64];
    double before = -d->log_q_forward, after = -d->log_q_back;
    int y = 0, n = snprintf(name, sizeof name, "K %.4g to %.4g, change", before,
                            after);
    if (brief) {
        cs_draw_factor(a, 0, "change of H", -d->log_ratio);
        return 1;
    }
    cs_draw_factor(a, y++, "U(x') - U(x), energy", -d->logp_change);
    if (isfinite(d->logp_change))
        cs_draw_factor(a, y++, n < NAME ? name : "K(p') - K(p), kinetic",
                       after - before);
    cs_draw_factor(a, y++, "change of H, their sum", -d->log_ratio);
    return y;
}

/* Draws the change of log p, or of its estimate. If the acceptance ratio is an
 * estimate, draws two changes: that of the known part of log p (the log prior),
 * and the estimate of the rest. If the ratio is not an estimate and log p is
 * not known, draws nothing. Returns the number of lines used. */
static int draw_change(const cs_area *a, const cs_factors *f,
                       const cs_formula *by, bool tempered)
{
    const cs_decision *d = f->step;
    char name[64] = "change of log p";
    if (by && by->logp)
        snprintf(name, sizeof name, tempered ? "1/T [%s]" : "%s", by->logp);
    else if (d->estimates != 0)
        snprintf(name, sizeof name, "change of the log prior");
    if (f->no_logp && d->estimates == 0)
        return 0;
    cs_draw_factor(a, 0, f->estimate ? "change of the estimate" : name,
                   d->logp_change);
    if (d->estimates == 0)
        return 1;
    cs_draw_factor(a, 1, by && by->aux ? by->aux : "estimate of the rest",
                   d->log_aux);
    return 2;
}

/* Draws log q in both directions, with a separate line for the auxiliary
 * variable coupled to x. */
static int draw_q(const cs_area *a, const cs_factors *f, const cs_formula *by)
{
    const cs_decision *d = f->step;
    bool apart = isfinite(f->coupled) && isfinite(f->coupled_there);
    double here = apart ? f->coupled : 0, there = apart ? f->coupled_there : 0;
    int y = 0;
    if (apart)
        cs_draw_factor(a, y++, "log p(a'|x') - log p(a|x)", there - here);
    if (!by || by->back)
        cs_draw_factor(a, y++, by && !apart ? by->back : "log q(x|x'), back",
                       d->log_q_back - there);
    if (!by || by->forward)
        cs_draw_factor(a, y++,
                       by && !apart ? by->forward : "- log q(x'|x), there",
                       here - d->log_q_forward);
    return y;
}

/* Draws the probability and u beside the decision, or below it if the area is
 * narrow. Returns the number of lines used below the decision. */
static int draw_chance(const cs_area *a, int x, int y, double ratio, double u)
{
    double chance = exp(fmin(ratio, 0));
    const char *sign = u < chance ? "below" : "not below";
    if (isfinite(ratio) && cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                                        "u = %.3g is %s min(1, e^%.3g) = %.3g",
                                        u, sign, ratio, chance) > x)
        return 0;
    int room = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                            "u = %.3g is %s %.3g", u, sign, chance);
    if (room > x || y + 1 >= a->h)
        return 0;
    cs_print_cut(a, 0, y + 1, a->w, CS_ROLE_LABEL, "u = %.3g is %s %.3g", u,
                 sign, chance);
    return 1;
}

/* Draws the interval from 0 to 1, split at the probability of acceptance, with a
 * mark at u: the step is accepted if u is in the left part. Returns the number
 * of lines used, 0 if there is no room. */
static int draw_interval(const cs_area *a, int y, double chance, double u)
{
    enum { LEAST = 30, ROOM = 18, ENDS = 4 };
    static const char accept[] = "accept", reject[] = "reject";
    if (a->w < LEAST || a->h - y < ROOM || !(chance >= 0) ||
        !(u >= 0 && u <= 1))
        return 0;
    int w = a->w - ENDS, split = (int)(chance * w), at = (int)(u * w);
    at = at < w ? at : w - 1;
    if (u >= chance && at < split)
        at = split < w ? split : w - 1;
    cs_put(a, 0, y + 1, CS_ROLE_LABEL, '0');
    cs_put(a, w + 3, y + 1, CS_ROLE_LABEL, '1');
    for (int x = 0; x < w; x++)
        cs_put(a, 2 + x, y + 1, x < split ? CS_ROLE_ACCEPT : CS_ROLE_REJECT,
               x < split ? 0x2501 : 0x2500);
    cs_put(a, 2 + at, y + 1, CS_ROLE_VALUE, 0x25CF);
    cs_put(a, 2 + at, y, CS_ROLE_VALUE, 'u');
    if (split > (int)sizeof accept)
        cs_print(a, 2, y + 2, CS_ROLE_ACCEPT, accept);
    if (w - split > (int)sizeof reject)
        cs_print(a, 3 + w - (int)sizeof reject, y + 2, CS_ROLE_REJECT, reject);
    return 3;
}

/* Draws the decision, and the probability of acceptance beside or below it.
 * Returns the number of lines used. */
static int draw_verdict(const cs_area *a, int y, const cs_decision *d,
                        bool accepts)
{
    cs_role role;
    const char *verdict = cs_outcome(d, accepts, &role);
    int x = cs_print(a, 0, y, role, "%s", verdict);
    if (!accepts || isnan(d->log_ratio)) {
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                     !accepts                  ? ", no accept step"
                     : isnan(d->logp_proposal) ? ": log p(x') is NaN"
                                               : ": log a is NaN");
        return 1;
    }
    double u = exp(d->log_uniform);
    if (!isfinite(u))
        return 1;
    int end = y + 1 + draw_chance(a, x + 2, y, d->log_ratio, u);
    return end - y + draw_interval(a, end, exp(fmin(d->log_ratio, 0)), u);
}

int cs_draw_factors(const cs_area *a, const cs_factors *f)
{
    const cs_decision *d = f->step;
    bool tempered;
    const cs_formula *by = cs_formula_of(f->kernel, &tempered);
    if (by && !by->aux && d->estimates != 0)
        by = NULL;
    bool accepts = cs_has_accept_step(f->kernel);
    bool q = isfinite(d->log_q_forward) && isfinite(d->log_q_back) &&
             (d->log_q_forward != 0 || d->log_q_back != 0);
    int y = 0;
    if (q && strcmp(f->kernel, "hmc") == 0) {
        y = draw_energies(a, d, f->brief);
    } else {
        if (!f->brief)
            y = draw_change(a, f, by, tempered);
        cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
        if (q && !f->brief)
            y += draw_q(&rest, f, by);
        if (accepts)
            cs_draw_factor(a, y,
                           d->estimates != 0    ? "log a, an estimate"
                           : f->brief || y == 1 ? "log a"
                                                : "log a, their sum",
                           d->log_ratio);
        y += accepts;
        if (!isnan(f->true_ratio))
            cs_draw_factor(a, y++, "true log ratio", f->true_ratio);
    }
    return y + draw_verdict(a, y, d, accepts);
}
