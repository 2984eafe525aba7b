/* firefly: a random walk that reads only the bright rows of data.
 *
 * With lower bounds B_i <= L_i of the likelihoods L_i = exp term_i, each row
 * has an auxiliary variable z_i in {0, 1}, which is 1 (bright) with probability
 * 1 - B_i / L_i given x. Then
 *
 *   log p(x, z) = prior(x) + sum_all log B_i(x) + sum_bright o_i(x),
 *   o_i = log(L_i / B_i - 1),
 *
 * where the sum over all rows is a quadratic form in x, computed without
 * reading the rows. A step
 *
 *   moves x given z:  y = x + step n,  n ~ N(0, I),  accepted by the change of
 *                     log p(x, z): the bright rows are read at y;
 *   moves z given x:  each dark row is proposed with probability q, and becomes
 *                     bright with probability min(1, exp o_i / q); each bright
 *                     row becomes dark with probability min(1, q / exp o_i).
 *
 * Maclaurin and Adams, "Firefly Monte Carlo: exact MCMC with subsets of data"
 * (2014), Algorithm 1 and section 3.2. Geometric skips find the proposed rows,
 * so the cost of a step, in rows, is the number of bright rows plus q N.
 *
 * The memory of a chain holds the number of bright rows, a bit for each row,
 * and the index and o_i(x) of each bright row. A step depends on x and this
 * memory only. A chain fails if the term of a row is below its bound. */
#include "base/memory.h"
#include "kernel/accept.h"
#include "kernel/step_row.h"
#include "kernel/step_trace.h"
#include "kernels/auxiliary/row_draws.h"
#include "target/lower_bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEP, Q };

/* Columns of a draw: number of rows evaluated in the step, and number of bright
 * rows after the step. */
enum { TOUCHED, BRIGHT };

/* Number of rows of a lane that are evaluated in one call of the target. */
enum { PIECE = 256 };

/* ---- memory -------------------------------------------------------------- */

/* Layout of a lane's memory: number of bright rows; sum of log B at x; one bit
 * per row; the indices of the bright rows, two per word; the o_i of the bright
 * rows. */
enum { COUNT, LOWER, BITS };

static size_t list_word(size_t rows)
{
    return BITS + (rows + 63) / 64;
}

static size_t odds_word(size_t rows)
{
    return list_word(rows) + (rows + 1) / 2;
}

static size_t memory_words(const cs_target *t, const double *values)
{
    (void)values;
    return odds_word(t->n_rows) + t->n_rows;
}

static double *word_of(const cs_move *m, size_t word, size_t l)
{
    return m->memory + word * m->lanes + l;
}

static size_t rows_of(const cs_move *m)
{
    return m->eval->target->n_rows;
}

static double *count_of(const cs_move *m, size_t l)
{
    return word_of(m, COUNT, l);
}

/* Returns a pointer to o_i of bright row number i. */
static double *odds_of(const cs_move *m, size_t l, size_t i)
{
    return word_of(m, odds_word(rows_of(m)) + i, l);
}

static uint32_t row_at(const cs_move *m, size_t l, size_t i)
{
    uint32_t two[2];
    memcpy(two, word_of(m, list_word(rows_of(m)) + i / 2, l), sizeof two);
    return two[i % 2];
}

static void put_row(const cs_move *m, size_t l, size_t i, uint32_t row)
{
    uint32_t two[2];
    double *word = word_of(m, list_word(rows_of(m)) + i / 2, l);
    memcpy(two, word, sizeof two);
    two[i % 2] = row;
    memcpy(word, two, sizeof two);
}

static bool is_bright(const cs_move *m, size_t l, uint32_t row)
{
    uint64_t bits;
    memcpy(&bits, word_of(m, BITS + row / 64, l), sizeof bits);
    return bits >> row % 64 & 1;
}

static void turn(const cs_move *m, size_t l, uint32_t row)
{
    uint64_t bits;
    double *word = word_of(m, BITS + row / 64, l);
    memcpy(&bits, word, sizeof bits);
    bits ^= UINT64_C(1) << row % 64;
    memcpy(word, &bits, sizeof bits);
}

/* Makes a dark row bright, and appends it to the list of bright rows. */
static void lighten(const cs_move *m, size_t l, uint32_t row, double odds)
{
    size_t last = (size_t)(*count_of(m, l))++;
    put_row(m, l, last, row);
    *odds_of(m, l, last) = odds;
    turn(m, l, row);
}

/* Makes bright row number i dark. The last bright row takes its place. */
static void darken(const cs_move *m, size_t l, size_t i)
{
    size_t last = (size_t)--(*count_of(m, l));
    turn(m, l, row_at(m, l, i));
    put_row(m, l, i, row_at(m, l, last));
    *odds_of(m, l, i) = *odds_of(m, l, last);
}

/* ---- pieces of rows ------------------------------------------------------ */

/* Up to PIECE rows of each lane, stored lane after lane. */
typedef struct piece {
    size_t *first;  /* [live + 1] index of each lane's first row */
    uint32_t *row;  /* [live PIECE] indices of the rows */
    double *odds;   /* [live PIECE] terms of the rows, later their o_i */
    double *log_b;  /* [live PIECE] log of the lower bounds */
    double *coin;   /* [live PIECE] log uniforms, one per row of the piece */
    double *cursor; /* [lanes] next row that may be proposed in each lane */
    double *lower;  /* [lanes] sum of log B at y */
    double *next;   /* [live N] o_i of the bright rows at y */
} piece;

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + 2 + PIECE / 2 + 3 * PIECE + 2 + t->n_rows;
}

static piece open_piece(const cs_move *m)
{
    size_t lanes = m->lanes;
    double *scratch = m->scratch + m->dim * lanes;
    piece p = {.first = (size_t *)(void *)scratch};
    p.row = (uint32_t *)(void *)(scratch + 2 * lanes);
    p.odds = scratch + (2 + PIECE / 2) * lanes;
    p.log_b = p.odds + PIECE * lanes;
    p.coin = p.log_b + PIECE * lanes;
    p.cursor = p.coin + PIECE * lanes;
    p.lower = p.cursor + lanes;
    p.next = p.lower + lanes;
    return p;
}

/* Reasons why a chain failed. Each defines the meaning of `row`, `value` and
 * `bound` in cs_reason. */
enum {
    BROKEN = 1, /* the term of row `row` is below its bound; value: the term */
    NO_NUMBER,  /* the term of row `row` is NaN */
    FAR         /* the sum of log B is too large; value: the sum */
};

/* Largest magnitude of the sum of log B. If the sum is larger, a double has too
 * few digits: the error of the log ratio would be 0.01. Such states have
 * practically no posterior mass. */
static const double max_lower = 1e13;

static __attribute__((noinline)) void give_up(cs_move *m, size_t l, int code,
                                              uint32_t row, double value,
                                              double bound)
{
    if (m->failed[l])
        return;
    m->failed[l] = true;
    m->why[l] = (cs_reason){code, row, value, bound};
}

/* Returns, for eight rows, whether the term is below its bound by more than a
 * rounding error. Returns false for a NaN, which only causes a rejection of the
 * proposal. */
static cs_vi is_broken(cs_vd term, cs_vd log_b)
{
    cs_vd slack = 1e-9 * (1 + cs_vabs(term) + cs_vabs(log_b));
    return cs_vless(term + slack, log_b) | (term == -CS_VM_INF);
}

static void judge(cs_move *m, size_t l, const uint32_t *row, size_t n,
                  cs_vd term, cs_vd log_b, bool here)
{
    cs_vi broken = is_broken(term, log_b),
          odd = here ? term != term : term < term;
    for (size_t a = 0; a < n && cs_vbits(broken | odd); a++)
        if (broken[a] || odd[a])
            give_up(m, l, odd[a] ? NO_NUMBER : BROKEN, row[a], term[a],
                    log_b[a]);
}

/* Computes log(exp a - 1), or -HUGE_VAL for a <= 0. */
static cs_vd log_odds(cs_vd a)
{
    cs_vd small = cs_vlog(cs_vexpm1(cs_vselect(a > 40.0, cs_vset(40), a)));
    cs_vd odds = cs_vselect(a > 40.0, a, small);
    return cs_vselect(a <= 0.0, cs_vset(-CS_VM_INF), odds);
}

/* Evaluates the rows of a piece at x, then computes the o_i from the terms and
 * the bounds. */
static void touch(cs_move *m, const piece *p, const double *x)
{
    cs_batch b = {.row = p->row, .first = p->first};
    cs_eval_lower_terms(m->eval, x, &b, p->odds, p->log_b);
    for (size_t l = 0; l < m->live; l++) {
        size_t end = p->first[l + 1];
        m->info.stat[TOUCHED * m->lanes + l] += (double)(end - p->first[l]);
        for (size_t i = p->first[l]; i < end; i += CS_VECTOR) {
            size_t n = end - i < CS_VECTOR ? end - i : CS_VECTOR;
            cs_vd term = cs_vset(0), log_b = cs_vset(0);
            memcpy(&term, p->odds + i, n * sizeof(double));
            memcpy(&log_b, p->log_b + i, n * sizeof(double));
            judge(m, l, p->row + i, n, term, log_b, x == m->x);
            cs_vd odds = log_odds(term - log_b);
            memcpy(p->odds + i, &odds, n * sizeof(double));
        }
    }
}

/* Draws the log uniforms of one lane for one piece. The first log uniform is
 * random number `at` of the lane's stream. */
static void numbers(const cs_move *m, size_t l, cs_purpose purpose, size_t at,
                    double *out)
{
    cs_streams alone = cs_streams_alone(&m->streams, l);
    size_t some = rows_of(m) < PIECE ? rows_of(m) : PIECE;
    alone.skip = at;
    cs_fill_log_uniform(&alone, purpose, some, out);
}

/* Prefetches rows and the stored data of their bounds. */
static void fetch(const cs_move *m, const uint32_t *row, size_t n)
{
    const cs_lower_bound *b = m->eval->target->lower;
    cs_eval_fetch(m->eval, row, n);
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(b->row[row[i]]);
}

/* Records a row and its log odds in the step trace of the first chain. */
static void tell(const cs_move *m, cs_row_use use, uint32_t row, double here,
                 double there, double chance, bool turned)
{
    cs_note_row(cs_step_trace_of(m),
                (cs_row_note){.row = row,
                              .use = use,
                              .bound = (double)NAN,
                              .here = here,
                              .there = there,
                              .chance = chance,
                              .kept = turned,
                              .part = use == CS_ROW_WEIGHS ? there - here
                                                           : (double)NAN});
}

/* ---- x given z ----------------------------------------------------------- */

static void propose(cs_move *m, double *y)
{
    const double *step = cs_move_param(m, STEP);
    cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            cs_store(y + at,
                     cs_load(m->x + at) + cs_load(step + l) * cs_load(y + at));
}

/* Returns true if the proposal of lane l is rejected before any row is read. */
static bool is_idle(const cs_move *m, size_t l)
{
    return m->failed[l] || !(m->info.logp_proposal[l] > -HUGE_VAL);
}

/* Fills the piece with bright rows, starting at number `from` of their list.
 * Returns false if no lane has more bright rows. */
static bool pick_bright(const cs_move *m, const piece *p, size_t from)
{
    size_t used = 0;
    for (size_t l = 0; l < m->live; l++) {
        size_t end = is_idle(m, l) ? 0 : (size_t)*count_of(m, l);
        end = end < from + PIECE ? end : from + PIECE;
        p->first[l] = used;
        for (size_t i = from; i < end; i++)
            p->row[used++] = row_at(m, l, i);
    }
    p->first[m->live] = used;
    fetch(m, p->row, used);
    return used > 0;
}

/* Sets log_aux to the change of log p(x, z) without the prior. */
static void weigh(cs_move *m, const piece *p, const double *y)
{
    double *change = m->info.log_aux;
    cs_lower_bound_sum(m->eval->target->lower, y, m->lanes, p->lower);
    for (size_t l = 0; l < m->lanes; l++)
        change[l] = fabs(p->lower[l]) < max_lower
                        ? p->lower[l] - *word_of(m, LOWER, l)
                        : (double)NAN;
    for (size_t from = 0; pick_bright(m, p, from); from += PIECE) {
        touch(m, p, y);
        for (size_t l = 0; l < m->live; l++) {
            double *next = p->next + l * rows_of(m) + from;
            size_t n = p->first[l + 1] - p->first[l];
            memcpy(next, p->odds + p->first[l], n * sizeof *next);
            for (size_t i = 0; i < n; i++)
                change[l] += next[i] - *odds_of(m, l, from + i);
            for (size_t i = 0; i < n && l == 0 && cs_step_trace_of(m); i++)
                tell(m, CS_ROW_WEIGHS, p->row[i], *odds_of(m, 0, from + i),
                     next[i], (double)NAN, false);
        }
    }
    for (size_t l = 0; l < m->lanes; l++)
        if (l >= m->live || is_idle(m, l))
            change[l] = l < m->live ? 0 : change[m->live - 1];
}

/* Replaces the stored values at x by the values at y. */
static void keep(const cs_move *m, const piece *p)
{
    for (size_t l = 0; l < m->lanes; l++) {
        if (!m->info.accepted[l])
            continue;
        *word_of(m, LOWER, l) = p->lower[l];
        size_t n = l < m->live ? (size_t)*count_of(m, l) : 0;
        for (size_t i = 0; i < n; i++)
            *odds_of(m, l, i) = p->next[l * rows_of(m) + i];
    }
}

/* ---- z given x ----------------------------------------------------------- */

static cs_vd log_of(double a)
{
    return cs_vlog(cs_vset(a));
}

/* Fills the piece with the dark rows found by the next PIECE skips of lane l,
 * and stores the log uniforms of these rows. Each skip passes over floor(log u
 * / log(1 - q)) rows, a number with a geometric distribution. */
static size_t skip_some(const cs_move *m, const piece *p, size_t l, size_t from,
                        size_t used)
{
    double skip[PIECE] __attribute__((aligned(CS_ALIGN)));
    double coin[PIECE] __attribute__((aligned(CS_ALIGN)));
    double rows = (double)rows_of(m), at = p->cursor[l];
    double miss = cs_vlog1p(cs_vset(-cs_move_param(m, Q)[l]))[0];
    numbers(m, l, CS_FOR_DATA, from, skip);
    numbers(m, l, CS_FOR_SITE, from, coin);
    for (size_t k = 0; k < PIECE && at < rows; k++) {
        at += floor(skip[k] / miss);
        if (!(at < rows))
            break;
        uint32_t row = (uint32_t)at++;
        if (is_bright(m, l, row))
            continue;
        p->row[used] = row;
        p->coin[used++] = coin[k];
    }
    p->cursor[l] = at;
    return used;
}

/* Fills the piece with the next proposed dark rows. Returns false if all lanes
 * have reached their last row. */
static bool pick_dark(const cs_move *m, const piece *p, size_t from)
{
    size_t used = 0;
    bool any = false;
    for (size_t l = 0; l < m->live; l++) {
        bool left = p->cursor[l] < (double)rows_of(m) && !m->failed[l];
        any |= left;
        p->first[l] = used;
        if (left)
            used = skip_some(m, p, l, from, used);
    }
    p->first[m->live] = used;
    fetch(m, p->row, used);
    return any;
}

static void lighten_some(cs_move *m, const piece *p)
{
    for (size_t l = 0; l < m->lanes; l++)
        p->cursor[l] = 0;
    for (size_t from = 0; pick_dark(m, p, from); from += PIECE) {
        touch(m, p, m->x);
        for (size_t l = 0; l < m->live; l++) {
            double log_q = log_of(cs_move_param(m, Q)[l])[0];
            for (size_t i = p->first[l]; i < p->first[l + 1]; i++) {
                bool lit = p->coin[i] < p->odds[i] - log_q;
                if (lit)
                    lighten(m, l, p->row[i], p->odds[i]);
                if (l == 0 && cs_step_trace_of(m))
                    tell(m, CS_ROW_LIGHTENS, p->row[i], p->odds[i], (double)NAN,
                         exp(fmin(p->odds[i] - log_q, 0)), lit);
            }
        }
    }
}

/* Proposes to darken each of the first `bright` rows of the list, from the last
 * to the first. In this order, the row that takes the place of a darkened row
 * was already proposed or has just become bright. */
static void darken_some(const cs_move *m, size_t l, size_t bright)
{
    double coin[PIECE] __attribute__((aligned(CS_ALIGN)));
    double log_q = log_of(cs_move_param(m, Q)[l])[0];
    for (size_t i = bright; i-- > 0;) {
        if (i + 1 == bright || i % PIECE == PIECE - 1)
            numbers(m, l, CS_FOR_AUXILIARY, i - i % PIECE, coin);
        double odds = *odds_of(m, l, i);
        bool out = coin[i % PIECE] < log_q - odds;
        if (l == 0 && cs_step_trace_of(m))
            tell(m, CS_ROW_DARKENS, row_at(m, l, i), odds, (double)NAN,
                 exp(fmin(log_q - odds, 0)), out);
        if (out)
            darken(m, l, i);
    }
}

static void move_bright(cs_move *m, const piece *p)
{
    for (size_t l = 0; l < m->live; l++)
        p->lower[l] = *count_of(m, l);
    lighten_some(m, p);
    for (size_t l = 0; l < m->live; l++)
        if (!m->failed[l])
            darken_some(m, l, (size_t)p->lower[l]);
}

/* ---- a step -------------------------------------------------------------- */

static void show_counts(cs_move *m)
{
    for (size_t l = 0; l < m->live; l++)
        m->info.stat[BRIGHT * m->lanes + l] = *count_of(m, l);
}

static void clear_counts(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        m->info.stat[TOUCHED * m->lanes + l] = 0;
        m->info.stat[BRIGHT * m->lanes + l] = 0;
    }
}

static void step(cs_move *m)
{
    piece p = open_piece(m);
    double *y = m->scratch;
    m->info.proposal = y;
    clear_counts(m);
    propose(m, y);
    cs_eval_prior(m->eval, y, m->info.logp_proposal, NULL);
    cs_refuse_overflow(m);
    weigh(m, &p, y);
    cs_accept(m);
    keep(m, &p);
    move_bright(m, &p);
    show_counts(m);
}

/* Fills the piece with the rows from index `from` on, bright or dark. Returns
 * false if no rows are left. */
static bool pick_all(const cs_move *m, const piece *p, size_t from)
{
    size_t rows = rows_of(m), used = 0;
    size_t end = rows < from + PIECE ? rows : from + PIECE;
    for (size_t l = 0; l < m->live; l++) {
        p->first[l] = used;
        for (size_t i = from; i < end && !m->failed[l]; i++)
            p->row[used++] = (uint32_t)i;
    }
    p->first[m->live] = used;
    return used > 0 && from < rows;
}

/* Makes each row bright with its conditional probability, exp o / (1 + exp o).
 * A uniform number u is below that probability if and only if o > log(u / (1 -
 * u)). */
static void light_up(cs_move *m, const piece *p, size_t l, size_t from)
{
    double coin[PIECE] __attribute__((aligned(CS_ALIGN)));
    size_t ahead =
        (m->dim + PIECE - 1) / PIECE * PIECE; /* number of random numbers that
                                                 are used to draw the starting
                                                 point */
    numbers(m, l, CS_FOR_START, ahead + from, coin);
    for (size_t i = p->first[l]; i < p->first[l + 1]; i++) {
        double u = coin[i - p->first[l]];
        double limit = u - cs_vlog1p(-cs_vexp(cs_vset(u)))[0];
        if (limit < p->odds[i])
            lighten(m, l, p->row[i], p->odds[i]);
    }
}

static void init(cs_move *m)
{
    piece p = open_piece(m);
    size_t words = odds_word(rows_of(m)) * m->lanes;
    memset(m->memory, 0, words * sizeof *m->memory);
    clear_counts(m);
    cs_eval_prior(m->eval, m->x, m->info.logp, NULL);
    cs_lower_bound_sum(m->eval->target->lower, m->x, m->lanes,
                       word_of(m, LOWER, 0));
    for (size_t l = 0; l < m->live; l++)
        if (!(fabs(*word_of(m, LOWER, l)) < max_lower))
            give_up(m, l, FAR, 0, *word_of(m, LOWER, l), max_lower);
    for (size_t from = 0; pick_all(m, &p, from); from += PIECE) {
        touch(m, &p, m->x);
        for (size_t l = 0; l < m->live; l++)
            light_up(m, &p, l, from);
    }
    for (size_t l = 0; l < m->lanes; l++)
        m->info.log_q_forward[l] = m->info.log_q_back[l] = 0;
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    for (size_t l = 0; l < m->lanes; l++) {
        double s = cs_move_param(m, STEP)[l], sum = 0;
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            sum += (to[at] - from[at]) / s * ((to[at] - from[at]) / s);
        out[l] = -0.5 * sum;
    }
}

/* ---- table of the kernel ------------------------------------------------- */

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    if (t->row_bounds & CS_ROW_LOWER)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "kernel firefly needs cheaply summed lower bounds on the terms; "
            "target %s has none",
            t->name);
    cs_hint(err, "use logistic_regression or robust_regression (quadratic "
                 "terms equal their bounds: no row is bright)");
    return CS_UNSUPPORTED;
}

static cs_status prepare(cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    return cs_lower_bound_make(t, err);
}

static void explain(const cs_reason *why, char *text, size_t size)
{
    if (why->code == FAR)
        snprintf(text, size,
                 "too far from the mode: the sum of the lower bounds is %g "
                 "(start closer)",
                 why->value);
    else if (why->code == NO_NUMBER)
        snprintf(text, size, "the term of row %.0f is not a number",
                 why->row + 1);
    else
        snprintf(text, size,
                 "row %.0f: its term %.10g is below its lower bound %.10g: the "
                 "target's bounds are wrong",
                 why->row + 1, why->value, why->bound);
}

static const char *const stats[] = {
    [TOUCHED] = "rows__", [BRIGHT] = "bright__", NULL};

static const cs_param rows[] = {
    [STEP] = CS_STEP_ROW(1, "standard deviation of the move"),
    [Q] = {.name = "q",
           .flags = CS_PARAM_LOG,
           CS_PARAM_RANGE(1e-9, 1, 0.01),
           .help =
               "share of the dark rows that each step proposes to make bright",
           .ref = "Maclaurin and Adams 2014, section 3.2"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_firefly) = {
    .name = "firefly",
    .title = "Firefly Monte Carlo",
    .ref = "Maclaurin and Adams, Firefly Monte Carlo: exact MCMC with subsets "
           "of data, 2014",
    .help = "A random walk that evaluates only the likelihood of the bright "
            "rows of data. For all other (dark) rows it uses a lower bound of "
            "their likelihood, which is cheap to compute and equal to the "
            "likelihood at the mode. Rows become bright or dark at random.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_ACCEPTS | CS_KERNEL_PARTS |
             CS_KERNEL_ESTIMATES,
    CS_PARAM_TABLE(rows),
    .stats = stats,
    .memory_words = memory_words,
    .carried_words = memory_words,
    .scratch_words = scratch_words,
    .check = check,
    .prepare = prepare,
    .logp = cs_row_draws_logp,
    .explain = explain,
    .acceptance = 0.234,
    .acceptance_of_one = 0.206,
    .init = init,
    .step = step,
    .log_q = log_q,
};
