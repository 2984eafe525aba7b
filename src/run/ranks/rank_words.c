#include "run/ranks/rank_words.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/arms/share.h"
#include "run/arms/world.h"

#include <stdlib.h>
#include <string.h>

static void fill_in(size_t *n, size_t size, size_t each)
{
    for (size_t i = 0; i < size; i++)
        n[i] = each;
}

/* ---- chains by rank ---- */

cs_share cs_rank_share(const cs_run *r, size_t rank)
{
    return (cs_share){.part = rank, .parts = r->ranks->size};
}

/* Sets the number of words for each rank, and allocates memory for the words of
 * all ranks. */
static cs_status make_room(cs_run *r, cs_error *err)
{
    size_t size = r->ranks->size;
    r->comm->n = cs_alloc(2 * size, sizeof *r->comm->n);
    r->comm->words =
        cs_alloc(size * r->n_arms * CS_MET, sizeof *r->comm->words);
    return r->comm->n && r->comm->words
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for the ranks");
}

cs_status cs_ranks_share_out(cs_run *r, cs_error *err)
{
    size_t size = r->ranks->size;
    cs_status s = make_room(r, err);
    for (size_t i = 0; i < r->n_arms && s == CS_OK; i++) {
        cs_arm *a = &r->arm[i];
        a->share.of_rank = cs_alloc(size, sizeof *a->share.of_rank);
        if (!a->share.of_rank)
            return cs_fail(err, CS_MEMORY, "out of memory for the ranks");
        for (size_t k = 0; k < size; k++)
            a->share.of_rank[k] = cs_share_of(r, cs_rank_share(r, k), i);
        a->share.own = a->share.of_rank[r->ranks->rank];
        a->elsewhere.lives = a->share.own.end - a->share.own.first < a->chains;
    }
    return s;
}

void cs_ranks_free(cs_run *r)
{
    cs_free(r->comm->n);
    cs_free(r->comm->words);
    for (size_t i = 0; r->arm && i < r->n_arms; i++)
        cs_free(r->arm[i].share.of_rank);
}

bool cs_arm_is_split(const cs_run *r, const cs_arm *a)
{
    bool whole = false;
    for (size_t k = 0; cs_run_is_split(r) && k < r->ranks->size; k++)
        whole |=
            a->share.of_rank[k].end - a->share.of_rank[k].first == a->chains;
    return cs_run_is_split(r) && !whole;
}

bool cs_arm_is_elsewhere(const cs_run *r, const cs_arm *a)
{
    return cs_run_is_split(r) && cs_arm_chains_here(a) == 0 &&
           !cs_arm_is_split(r, a);
}

/* ---- rounds ---- */

/* Gathers words from all ranks and counts the words received from others. */
static void gather(cs_run *r, cs_words_of what, double *all, const size_t *n)
{
    const cs_world *k = r->ranks;
    for (size_t i = 0; i < k->size; i++)
        if (i != k->rank)
            r->comm->received[what] += (double)n[i];
    k->gather(all, n);
}

/* Returns the CS_MET words of an arm from a rank. The words of rank k and arm i
 * are at [(k * n_arms + i) * CS_MET]. */
double *cs_ranks_met(cs_run *r, size_t rank, size_t arm)
{
    return r->comm->words + (rank * r->n_arms + arm) * CS_MET;
}

void cs_ranks_meet_words(cs_run *r)
{
    fill_in(r->comm->n, r->ranks->size, r->n_arms * CS_MET);
    gather(r, CS_WORDS_ROUNDS, r->comm->words, r->comm->n);
}

void cs_ranks_meet(cs_run *r)
{
    enum { REACHED, LIVES };
    size_t mine = r->ranks->rank;
    for (size_t i = 0; i < r->n_arms; i++) {
        const cs_arm *a = &r->arm[i];
        bool lives = false;
        for (size_t b = 0; b < a->n_blocks; b++)
            lives |=
                cs_arm_moves(a, a->block[b]) && cs_block_lives(a->block[b]);
        cs_ranks_met(r, mine, i)[REACHED] = (double)a->round.reached;
        cs_ranks_met(r, mine, i)[LIVES] = lives;
    }
    cs_ranks_meet_words(r);
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        a->elsewhere.lives = false;
        for (size_t k = 0; k < r->ranks->size; k++) {
            const double *of = cs_ranks_met(r, k, i);
            uint64_t there = (uint64_t)of[REACHED];
            a->round.reached =
                there > a->round.reached ? there : a->round.reached;
            a->elsewhere.lives |= k != mine && of[LIVES] != 0;
        }
    }
}

void cs_ranks_count(cs_run *r)
{
    enum { DENSITIES, GRADIENTS, TERMS };
    const cs_budget *b = &r->budget;
    if (!b->gradients && !b->log_densities && !b->data_terms)
        return;
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_work w = cs_arm_work_here(&r->arm[i]).own;
        double *of = cs_ranks_met(r, r->ranks->rank, i);
        of[DENSITIES] = (double)w.log_densities;
        of[GRADIENTS] = (double)w.gradients;
        of[TERMS] = (double)w.data_terms;
    }
    cs_ranks_meet_words(r);
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_work sum = {0};
        for (size_t k = 0; k < r->ranks->size; k++) {
            const double *of = cs_ranks_met(r, k, i);
            bool other = k != r->ranks->rank;
            sum.log_densities += other ? (uint64_t)of[DENSITIES] : 0;
            sum.gradients += other ? (uint64_t)of[GRADIENTS] : 0;
            sum.data_terms += other ? (uint64_t)of[TERMS] : 0;
        }
        r->arm[i].elsewhere.work.own = sum;
    }
}

/* ---- words of chains ---- */

void cs_ranks_gather(cs_run *r, const cs_arm *a, cs_words_of what, size_t words,
                     double *all)
{
    for (size_t k = 0; k < r->ranks->size; k++)
        r->comm->n[k] =
            (a->share.of_rank[k].end - a->share.of_rank[k].first) * words;
    gather(r, what, all, r->comm->n);
}

static size_t rank_of(const cs_run *r, const cs_arm *a, size_t chain)
{
    size_t k = 0;
    while (k + 1 < r->ranks->size && chain >= a->share.of_rank[k].end)
        k++; /* a rank without chains is skipped too, since its `end` is 0 */
    return k;
}

/* If `out` is true, copies the rows that this rank sends to rank `rank` from
 * `state` to `to`. For each chain c of rank `rank`, the row from[c] is sent if
 * it is on this rank. If `out` is false, copies the rows that this rank
 * receives from rank `rank` from `to` to `state`. Both ranks copy the rows in
 * the order of c, so they count the same number of words. Returns the number of
 * words. */
static size_t rows_between(const cs_run *r, const cs_arm *a, const size_t *from,
                           size_t rank, bool out, size_t words, double *state,
                           double *to)
{
    size_t n = 0;
    cs_chains own = out ? a->share.of_rank[rank] : a->share.own;
    for (size_t c = own.first; c < own.end; c++) {
        size_t source = from[c];
        bool mine =
            out ? cs_arm_owns(a, source)
                : !cs_arm_owns(a, source) && rank_of(r, a, source) == rank;
        if (!mine || source == c)
            continue;
        double *row = state + source * words;
        memcpy(out ? to + n : row, out ? row : to + n, words * sizeof *row);
        n += words;
    }
    return n;
}

static size_t count_between(const cs_run *r, const cs_arm *a,
                            const size_t *from, size_t rank, size_t words)
{
    size_t n = 0;
    for (size_t c = a->share.own.first; c < a->share.own.end; c++)
        n += !cs_arm_owns(a, from[c]) && rank_of(r, a, from[c]) == rank;
    return n * words;
}

void cs_ranks_pass(cs_run *r, const cs_arm *a, const size_t *from, size_t words,
                   double *state, double *out, double *in)
{
    size_t size = r->ranks->size, at = 0;
    size_t *n_out = r->comm->n, *n_in = n_out + size;
    for (size_t k = 0; k < size; k++) {
        bool other = k != r->ranks->rank;
        n_out[k] =
            other ? rows_between(r, a, from, k, true, words, state, out + at)
                  : 0;
        n_in[k] = other ? count_between(r, a, from, k, words) : 0;
        at += n_out[k];
        r->comm->received[CS_WORDS_STATES] += (double)n_in[k];
    }
    r->ranks->exchange(out, n_out, in, n_in);
    at = 0;
    for (size_t k = 0; k < size; k++) {
        if (n_in[k])
            rows_between(r, a, from, k, false, words, state, in + at);
        at += n_in[k];
    }
}

void cs_run_gather_words(cs_run *r, double *all, const size_t *n)
{
    gather(r, CS_WORDS_KEPT, all, n);
}

/* ---- text ---- */

/* Counts the chains of all ranks, the smallest and largest number of chains on
 * a rank, and the ranks without chains. */
static void count_chains(const cs_run *r, size_t *all, size_t *least,
                         size_t *most, size_t *idle)
{
    *all = *most = *idle = 0;
    *least = SIZE_MAX;
    for (size_t k = 0; k < r->ranks->size; k++) {
        size_t n = 0;
        for (size_t i = 0; i < r->n_arms; i++)
            n += r->arm[i].share.of_rank[k].end -
                 r->arm[i].share.of_rank[k].first;
        *all += n;
        *least = n < *least ? n : *least;
        *most = n > *most ? n : *most;
        *idle += n == 0;
    }
}

void cs_ranks_words(const cs_run *r, cs_page *p)
{
    size_t all, least, most, idle, size = r->ranks ? r->ranks->size : 1;
    if (r->together) {
        cs_page_put(p, "%zu ranks; the first moves all chains, since %s", size,
                    r->together);
        return;
    }
    count_chains(r, &all, &least, &most, &idle);
    cs_page_put(p, "%zu ranks move %zu chains, %zu", size, all, least);
    if (most > least)
        cs_page_put(p, " to %zu", most);
    cs_page_put(p, " each");
    if (idle)
        cs_page_put(p, "; %zu have nothing to do", idle);
}

void cs_ranks_words_sent(const cs_run *r, cs_page *p)
{
    static const char *const of[CS_WORDS_KINDS] = {
        "steps",  "exchanges", "states",
        "tuners", "learners",  "checkpoints and end"};
    double sum = 0, steps = r->steps ? (double)r->steps : 1;
    bool more = false;
    for (size_t i = 0; i < CS_WORDS_KEPT; i++)
        sum += r->comm->sent[i];
    cs_page_put(p, "%.4g numbers per step between %zu ranks (", sum / steps,
                r->ranks->size);
    for (size_t i = 0; i < CS_WORDS_KEPT; i++) {
        if (r->comm->sent[i] <= 0)
            continue;
        cs_page_put(p, "%s%s %.4g", more ? ", " : "", of[i],
                    r->comm->sent[i] / steps);
        more = true;
    }
    cs_page_put(p, "); %.4g in total for %s", r->comm->sent[CS_WORDS_KEPT],
                of[CS_WORDS_KEPT]);
}
