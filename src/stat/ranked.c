#include "stat/ranked.h"

#include "base/memory.h"
#include "stat/effective_size.h"
#include "stat/moments.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool cs_ranked_begin(cs_draws d, cs_scores *scores, cs_ranked *r)
{
    size_t size = d.n * d.chains;
    /* the sort needs two words per draw, before there are scores */
    double *at = size > SIZE_MAX / 8
                     ? NULL
                     : cs_scores_scratch(scores, 3 * size + (size + 1) / 2);
    if (!at)
        return false;
    *r = (cs_ranked){.d = d, .z = at};
    r->all = (cs_sort_order){at + 2 * size, (uint32_t *)(at + 3 * size), size};
    if (!cs_sort_order_of(d.x, &r->all, at))
        return false;
    r->median = cs_quantile_of(r->all.value, size, 0.5);
    r->below = size / 2;
    while (r->below > 0 && r->all.value[r->below - 1] > r->median)
        r->below--;
    while (r->below < size && r->all.value[r->below] <= r->median)
        r->below++;
    return true;
}

/* ---- draws by rank ---- */

/* A place in the order: the next draw is low - 1, if low > 0, or `high`,
 * whichever is closer to the median. By value, low is always 0. */
typedef struct place {
    size_t low, high;
} place;

/* The next draws in ascending order: value or distance, number of the draw, and
 * index in the order of values. */
enum { BLOCK = 1024 };
typedef struct block {
    double value[BLOCK];
    uint32_t at[BLOCK], from[BLOCK];
    size_t n;
} block;

/* Neighbouring draws are added to different sums, since they are often from the
 * same half of a chain, and a sum waits for its previous value. */
enum { WAYS = 4 };

/* Numbers that are handled together. */
enum { LANES = 8 };

/* Sums of the scores of the halves, and where to store the scores. */
typedef struct sums {
    const cs_ranked *r;
    cs_scores *scores;
    double *part;       /* [WAYS][parts][2] sums and sums of squares */
    double *z;          /* NULL or [n] */
    size_t ranks, rank; /* number of draws in halves, and of those added */
    uint64_t inverse;   /* 2^64 / draws of a chain, rounded up */
} sums;

/* Returns the half of a draw. The middle draw of a chain with an odd number of
 * draws has none. */
static inline size_t half_of(const sums *s, uint32_t at)
{
    size_t n = s->r->d.n;
    size_t chain = (size_t)((unsigned __int128)s->inverse * at >> 64);
    return 2 * chain + (at - chain * n >= n - n / 2);
}

static inline bool is_middle(const sums *s, uint32_t at)
{
    size_t n = s->r->d.n;
    return n % 2 && at % n == n / 2;
}

/* Stores the score of draw number i of several draws, to be added later in the
 * order of the draws, or adds it. */
static inline void add_score(const sums *s, size_t i, uint32_t at, double score)
{
    if (s->z) {
        s->z[at] = score;
        return;
    }
    double *to = s->part + 2 * (i % WAYS * 2 * s->r->d.chains + half_of(s, at));
    to[0] += score;
    to[1] += score * score;
}

/* Returns the score of the rank that follows the next one by `more`. */
static double score_at(const sums *s, double more)
{
    return cs_score(s->scores, 1 + (double)s->rank + more, s->ranks);
}

/* Numbers of draws. */
typedef struct range {
    const uint32_t *at;
    size_t n;
} range;

static size_t count_ranks(const sums *s, range a)
{
    size_t n = 0;
    if (s->r->d.n % 2 == 0)
        return a.n;
    for (size_t i = 0; i < a.n; i++)
        n += !is_middle(s, a.at[i]);
    return n;
}

static void add_range(const sums *s, range a, double score)
{
    const bool odd = s->r->d.n % 2;
    for (size_t i = 0; i < a.n; i++)
        if (!odd || !is_middle(s, a.at[i]))
            add_score(s, i, a.at[i], score);
}

/* Adds the draws of two ranges, which are all tied. */
static void add_tied(sums *s, range a, range b)
{
    size_t n = count_ranks(s, a) + count_ranks(s, b);
    if (n == 0)
        return;
    double score = score_at(s, 0.5 * (double)(n - 1));
    add_range(s, a, score);
    add_range(s, b, score);
    s->rank += n;
}

/* Returns whether two of n ascending values are equal. */
static bool has_ties(const double *value, size_t n)
{
    int64_t equal[LANES] = {0}, all = 0;
    size_t i = 1;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            equal[k] += value[i + k] == value[i + k - 1];
    for (; i < n; i++)
        all += value[i] == value[i - 1];
    for (size_t k = 0; k < LANES; k++)
        all += equal[k];
    return all > 0;
}

/* Sets twice[i] to the sum of the first and the last index of the draws that are
 * tied with draw i. Has no branches, since the processor could not predict how
 * many rounded draws are equal. */
static void find_ties(const double *value, size_t n, uint32_t twice[BLOCK])
{
    uint32_t first = 0, last = (uint32_t)n - 1;
    twice[0] = 0;
    for (uint32_t i = 1; i < n; i++) {
        first += (value[i] != value[i - 1]) * (i - first);
        twice[i] = first;
    }
    twice[last] += last;
    for (uint32_t i = last; i-- > 0;) {
        last -= (value[i] != value[i + 1]) * (last - i);
        twice[i] += last;
    }
}

static bool has_nan(const double *x, size_t n)
{
    double sum[LANES] = {0}, all = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += x[i + k];
    for (; i < n; i++)
        all += x[i];
    for (size_t k = 0; k < LANES; k++)
        all += sum[k];
    return isnan(all);
}

/* Sets score[n] to the scores of the next n draws, which are not tied. Returns
 * false if some of them are not yet computed. */
static bool find_scores(const sums *s, size_t n, double *score)
{
    const double *known = cs_scores_known(s->scores, s->ranks, 0);
    size_t middle = (s->ranks + 1) / 2, last = s->ranks - 1 - s->rank;
    size_t low = s->rank < middle ? middle - s->rank : 0;
    low = low < n ? low : n;
    for (size_t i = 0; known && i < low; i++)
        score[i] = known[s->rank + i];
    for (size_t i = low; known && i < n; i++)
        score[i] = -known[last - i];
    return known && !has_nan(score, n);
}

/* The same for tied draws. */
static bool find_tied(const sums *s, const uint32_t *twice, size_t n,
                      double *score)
{
    const size_t most = 2 * s->ranks - 2; /* twice the largest rank, from 0 */
    const double *known[] = {cs_scores_known(s->scores, s->ranks, 0),
                             cs_scores_known(s->scores, s->ranks, 1)};
    bool good = known[0] && known[1];
    for (size_t i = 0; good && i < n; i++) {
        size_t low = 2 * s->rank + twice[i], high = most - low;
        size_t least = low < high ? low : high;
        score[i] = known[least % 2][least / 2];
        score[i] = low < high ? score[i] : -score[i];
    }
    return good && !has_nan(score, n);
}

/* Adds up to BLOCK draws in ascending order, which are not the middle draws of
 * chains and not tied with other draws. */
static void add_some(sums *s, const double *value, const uint32_t *at, size_t n)
{
    enum { AHEAD = 48 }; /* scores whose places are fetched in advance */
    uint32_t twice[BLOCK];
    double score[BLOCK];
    bool ties = has_ties(value, n);
    if (ties)
        find_ties(value, n, twice);
    bool good = ties ? find_tied(s, twice, n, score) : find_scores(s, n, score);
    for (size_t i = 0; !good && i < n; i++)
        score[i] = score_at(s, ties ? 0.5 * twice[i] : (double)i);
    for (size_t i = 0; i < n; i++) {
        if (s->z && i + AHEAD < n)
            __builtin_prefetch(s->z + at[i + AHEAD], 1);
        add_score(s, i, at[i], score[i]);
    }
    s->rank += n;
}

/* Adds the stored scores of all halves. Their order in memory is fixed, so that
 * the sums of several lanes need no memory. */
static void add_stored(const sums *s)
{
    const cs_draws d = s->r->d;
    const size_t half = d.n / 2;
    for (size_t c = 0; c < 2 * d.chains; c++) {
        const double *z = s->z + c / 2 * d.n + c % 2 * (d.n - half);
        double one[LANES] = {0}, two[LANES] = {0};
        size_t i = 0;
        for (; i + LANES <= half; i += LANES)
            for (size_t k = 0; k < LANES; k++) {
                one[k] += z[i + k];
                two[k] += z[i + k] * z[i + k];
            }
        for (; i < half; i++) {
            one[i % LANES] += z[i];
            two[i % LANES] += z[i] * z[i];
        }
        for (size_t k = 0; k < LANES; k++) {
            s->part[2 * c] += one[k];
            s->part[2 * c + 1] += two[k];
        }
    }
}

/* The same for draws among which may be the middle draws of chains. */
static void add_but_middles(sums *s, const double *value, const uint32_t *at,
                            size_t n)
{
    double some[BLOCK];
    uint32_t from[BLOCK];
    size_t k = 0;
    if (s->r->d.n % 2 == 0) {
        add_some(s, value, at, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        some[k] = value[i];
        from[k] = at[i];
        k += !is_middle(s, at[i]);
    }
    if (k)
        add_some(s, some, from, k);
}

/* Adds n draws in ascending order. The first and the last are not tied with
 * other draws. */
static void add_draws(sums *s, const double *value, const uint32_t *at,
                      size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        end = n - i < BLOCK ? n : i + BLOCK;
        while (end < n && end > i && value[end] == value[end - 1])
            end--;
        if (end > i) {
            add_but_middles(s, value + i, at + i, end - i);
            continue;
        }
        while (end < n && value[end] == value[i])
            end++;
        add_tied(s, (range){at + i, end - i}, (range){NULL, 0});
    }
}

/* Takes the next draw, of which there is one below and one above the median. Has
 * no branches. */
static inline void take_closer(const cs_ranked *r, place *p, block *b, size_t i)
{
    double below = fabs(r->all.value[p->low - 1] - r->median);
    double above = fabs(r->all.value[p->high] - r->median);
    size_t down = below <= above;
    b->from[i] = (uint32_t)(p->high - down * (p->high + 1 - p->low));
    b->value[i] = down ? below : above;
    p->low -= down;
    p->high += 1 - down;
}

/* Returns the place after k more draws, if there are at least k draws below p
 * and k above. */
static place skip(const cs_ranked *r, place p, size_t k)
{
    const double *x = r->all.value;
    size_t low = 0, high = k; /* number of draws below among the next k */
    while (low < high) {
        size_t i = low + (high - low) / 2;
        if (fabs(x[p.low - 1 - i] - r->median) <=
            fabs(x[p.high + k - 1 - i] - r->median))
            low = i + 1;
        else
            high = i;
    }
    return (place){p.low - low, p.high + (k - low)};
}

/* Fills the block, if there are at least BLOCK draws below and above. Takes each
 * quarter of the block in turn, since every draw of a quarter depends on the one
 * before. */
static place fill_quarters(const cs_ranked *r, place p, block *b)
{
    enum { PART = BLOCK / 4 };
    place q[] = {p, skip(r, p, PART), skip(r, p, 2 * PART),
                 skip(r, p, 3 * PART)};
    for (size_t i = 0; i < PART; i++) {
        take_closer(r, &q[0], b, i);
        take_closer(r, &q[1], b, PART + i);
        take_closer(r, &q[2], b, 2 * PART + i);
        take_closer(r, &q[3], b, 3 * PART + i);
    }
    b->n = BLOCK;
    return q[3];
}

/* Fills the block with the next draws. */
static place fill(const cs_ranked *r, place p, block *b)
{
    const double *x = r->all.value, middle = r->median;
    size_t n = r->all.n, i = 0;
    if (p.low >= BLOCK && n - p.high >= BLOCK)
        return fill_quarters(r, p, b);
    for (; i < BLOCK && p.low > 0 && p.high < n; i++)
        take_closer(r, &p, b, i);
    for (; i < BLOCK && p.low > 0; i++) {
        b->from[i] = (uint32_t)--p.low;
        b->value[i] = fabs(x[p.low] - middle);
    }
    for (; i < BLOCK && p.high < n; i++) {
        b->from[i] = (uint32_t)p.high;
        b->value[i] = fabs(x[p.high++] - middle);
    }
    b->n = i;
    return p;
}

/* Removes the last draws if they may be tied with the next one. */
static place trim(const cs_ranked *r, place p, block *b)
{
    if (b->n == 0 || (p.low == 0 && p.high == r->all.n))
        return p;
    double last = b->value[b->n - 1];
    while (b->n && b->value[b->n - 1] == last) {
        bool down = b->from[--b->n] < r->below;
        p.low += down ? 1 : 0;
        p.high -= down ? 0 : 1;
    }
    return p;
}

/* Adds the next draws, which all have the same distance. */
static place add_equal(sums *s, place p, double distance)
{
    const cs_ranked *r = s->r;
    const double *x = r->all.value;
    place end = p;
    while (end.low > 0 && fabs(x[end.low - 1] - r->median) == distance)
        end.low--;
    while (end.high < r->all.n && fabs(x[end.high] - r->median) == distance)
        end.high++;
    add_tied(s, (range){r->all.at + end.low, p.low - end.low},
             (range){r->all.at + p.high, end.high - p.high});
    return end;
}

static void add_by_distance(sums *s)
{
    const cs_ranked *r = s->r;
    place p = {r->below, r->below};
    block b;
    while (p.low > 0 || p.high < r->all.n) {
        const place was = p;
        p = trim(r, fill(r, p, &b), &b);
        if (b.n == 0) {
            p = add_equal(s, was, b.value[0]);
            continue;
        }
        for (size_t i = 0; i < b.n; i++)
            b.at[i] = r->all.at[b.from[i]];
        add_draws(s, b.value, b.at, b.n);
    }
}

/* Computes the sums of the halves in the first row of part[WAYS][2 * parts]. If z
 * is not NULL, stores the scores of the draws of the halves. */
static void add_scores(const cs_ranked *r, cs_rank_by by, cs_scores *scores,
                       double *part, double *z)
{
    sums s = {.r = r,
              .scores = scores,
              .part = part,
              .z = z,
              .ranks = r->d.n / 2 * 2 * r->d.chains,
              .inverse = UINT64_MAX / r->d.n + 1};
    size_t row = 4 * r->d.chains;
    memset(part, 0, WAYS * row * sizeof *part);
    if (by == CS_BY_VALUE)
        add_draws(&s, r->all.value, r->all.at, r->all.n);
    else
        add_by_distance(&s);
    for (size_t k = row; k < WAYS * row; k++)
        part[k % row] += part[k];
    if (z)
        add_stored(&s);
}

/* Returns true if all draws of the halves are equal, or all their distances. The
 * middle draws of chains are at most one per chain, and are skipped. */
static bool are_equal(const cs_ranked *r, cs_rank_by by)
{
    size_t n = r->d.n, from = by == CS_BY_VALUE ? 0 : r->below;
    const double *x = r->all.value, at = by == CS_BY_VALUE ? x[0] : r->median;
    double least = HUGE_VAL, most = -HUGE_VAL;
    size_t ends[] = {0, from, from, r->all.n};
    for (size_t e = 0; e < 4; e++) {
        size_t k = ends[e], low = e < 2 ? 0 : from,
               high = e < 2 ? from : ends[3];
        bool down = e % 2;
        /* the first draw of a half, upwards or downwards */
        while (n % 2 && (down ? k > low : k < high) &&
               r->all.at[k - down] % n == n / 2)
            k = down ? k - 1 : k + 1;
        if (down ? k == low : k == high)
            continue;
        double v =
            by == CS_BY_VALUE ? x[k - down] - at : fabs(x[k - down] - at);
        least = fmin(least, v);
        most = fmax(most, v);
    }
    return most - least < DBL_EPSILON;
}

/* Returns R-hat from the sums, and turns them into the means of the parts. The
 * mean of all scores is near 0 and their variance near 1, so the sums of squares
 * lose no digits. */
static double rhat_of_sums(double *part, size_t parts, double n)
{
    double within = 0;
    for (size_t c = 0; c < parts; c++) {
        double mean = part[2 * c] / n;
        within += (part[2 * c + 1] - n * mean * mean) / (n - 1);
        part[c] = mean;
    }
    within /= (double)parts;
    double between = cs_variance(part, parts);
    return within > 0 ? sqrt((n * between / within + n - 1) / n) : HUGE_VAL;
}

/* The same from stored scores, with the p-value. */
static double rhat_above(cs_ranked *r, const cs_halves *h, double *odds)
{
    double p;
    double rhat = cs_halves_rhat(h, NULL, &r->full);
    if (rhat > CS_RHAT_MOST && !isnan(cs_halves_rhat(h, &p, &r->full)))
        *odds = fmin(*odds, p);
    return rhat;
}

double cs_ranked_rhat(cs_ranked *r, cs_rank_by by, cs_scores *scores,
                      double *ess, double *odds, const char **why)
{
    size_t half = r->d.n / 2, parts = 2 * r->d.chains;
    const cs_halves h = cs_halves_of(r->z, r->d.n, r->d.chains);
    *why = half == 0          ? cs_why_too_short
           : are_equal(r, by) ? cs_why_all_equal
           : half < 2         ? cs_why_too_short
                              : NULL;
    double *part = *why ? NULL : cs_alloc(WAYS * 2 * parts, sizeof *part);
    if (!part) {
        r->full |= !*why;
        *why = *why ? *why : cs_why_no_memory;
        return (double)NAN;
    }
    add_scores(r, by, scores, part, ess ? r->z : NULL);
    double rhat = rhat_of_sums(part, parts, (double)half);
    if (rhat <= CS_RHAT_MOST) {
        if (ess)
            *ess = cs_halves_ess_about(&h, part, &r->full);
        cs_free(part);
        return rhat;
    }
    if (!ess)
        add_scores(r, by, scores, part, r->z);
    cs_free(part);
    rhat = rhat_above(r, &h, odds);
    if (isnan(rhat))
        *why = r->full ? cs_why_no_memory : cs_why_too_short;
    else if (ess)
        *ess = cs_halves_ess(&h, &r->full);
    return rhat;
}

/* ---- distances ---- */

/* Returns distance i below the median, or above it, in ascending order. */
static double distance_below(const cs_ranked *r, size_t i)
{
    return fabs(r->all.value[r->below - 1 - i] - r->median);
}

static double distance_above(const cs_ranked *r, size_t i)
{
    return fabs(r->all.value[r->below + i] - r->median);
}

double cs_ranked_distance(const cs_ranked *r, size_t k)
{
    size_t above = r->all.n - r->below;
    size_t low = k + 1 > above ? k + 1 - above : 0;
    size_t high = k + 1 < r->below ? k + 1 : r->below;
    /* the least number of distances below among the k + 1 smallest */
    while (low < high) {
        size_t i = low + (high - low) / 2;
        if (distance_below(r, i) < distance_above(r, k - i))
            low = i + 1;
        else
            high = i;
    }
    double of_below = low > 0 ? distance_below(r, low - 1) : 0;
    double of_above = k + 1 > low ? distance_above(r, k - low) : 0;
    return fmax(of_below, of_above);
}

double cs_ranked_mad(const cs_ranked *r)
{
    size_t low = (r->all.n - 1) / 2, high = r->all.n / 2;
    const double two[] = {cs_ranked_distance(r, low),
                          cs_ranked_distance(r, high)};
    return low == high ? two[0] : cs_quantile_of(two, 2, 0.5);
}

double cs_ranked_log_tail(const cs_ranked *r, size_t n)
{
    size_t below = r->below, above = r->all.n - r->below;
    double sum = 0;
    for (; n > 0; n--) {
        double down = below ? distance_below(r, below - 1) : -1;
        double up = above ? distance_above(r, above - 1) : -1;
        sum += log(fmax(down, up));
        below -= down > up ? 1 : 0;
        above -= down > up ? 0 : 1;
    }
    return sum;
}
