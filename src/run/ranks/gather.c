#include "run/ranks/gather.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/draws/draw_store.h"
#include "run/internal.h"
#include "run/save_arm.h"

#include <stdlib.h>
#include <string.h>

const cs_world *cs_run_ranks(const cs_run *r)
{
    return r->ranks;
}

bool cs_run_is_split(const cs_run *r)
{
    return r->ranks && !r->together;
}

bool cs_run_follows(const cs_run *r)
{
    return r->ranks && r->ranks->rank > 0;
}

double cs_run_clock(const cs_run *r)
{
    return cs_run_is_split(r) ? cs_clock_thread() : cs_clock();
}

/* ---- orders ---- */

void cs_run_order(const cs_run *r, cs_order order)
{
    uint64_t words[2] = {order.kind, order.goal};
    if (cs_run_is_split(r) && !cs_run_follows(r))
        r->ranks->order(words);
}

cs_order cs_ranks_await(const cs_world *k)
{
    uint64_t words[2] = {CS_ORDER_END, 0};
    k->order(words);
    return (cs_order){.kind = (cs_order_kind)words[0], .goal = words[1]};
}

void cs_ranks_end(const cs_world *k)
{
    uint64_t words[2] = {CS_ORDER_END, 0};
    k->order(words);
}

void cs_run_follow(cs_run *r, uint64_t goal)
{
    cs_draws_touch(r);
    cs_run_rounds(r, goal);
    r->end = r->end > r->steps ? r->end : r->steps;
    cs_draws_flush(r);
    r->epoch++;
}

/* ---- agreement ---- */

enum { TEXT = 128 }; /* words of an error */

/* Of the rank that is not well. */
static void tell_all(const cs_world *k, size_t from, char text[TEXT * 8])
{
    double words[TEXT];
    size_t *n = cs_alloc(k->size, sizeof *n);
    if (!n)
        abort(); /* the others would wait for ever */
    n[from] = TEXT;
    memcpy(words, text, sizeof words);
    k->gather(words, n);
    memcpy(text, words, sizeof words);
    text[TEXT * 8 - 1] = 0;
    cs_free(n);
}

static void fill_in(size_t *n, size_t size, size_t each)
{
    for (size_t i = 0; i < size; i++)
        n[i] = each;
}

cs_status cs_ranks_agree(const cs_world *k, cs_status mine, cs_error *err)
{
    char text[TEXT * 8] = "";
    double *all = cs_alloc(k->size, sizeof *all);
    size_t *n = cs_alloc(k->size, sizeof *n), bad = 0;
    if (!all || !n)
        abort(); /* the others would wait for ever */
    fill_in(n, k->size, 1);
    all[k->rank] = (double)mine;
    k->gather(all, n);
    while (bad < k->size && all[bad] == CS_OK)
        bad++;
    cs_status status = bad < k->size ? (cs_status)all[bad] : CS_OK;
    cs_free(all);
    cs_free(n);
    if (status == CS_OK)
        return CS_OK;
    if (bad == k->rank && err)
        cs_error_format(err, text, sizeof text);
    tell_all(k, bad, text);
    if (bad == k->rank)
        return mine;
    return cs_fail(err, status, "rank %zu of %zu: %s", bad + 1, k->size, text);
}

/* ---- whose chains ---- */

static cs_share share_of(const cs_run *r, size_t rank)
{
    return (cs_share){.part = rank, .parts = r->ranks->size};
}

/* So many words for each rank, and room for those of all. */
static cs_status make_room(cs_run *r, cs_error *err)
{
    size_t size = r->ranks->size;
    r->comm.n = cs_alloc(2 * size, sizeof *r->comm.n);
    r->comm.words = cs_alloc(size * r->n_arms * CS_MET, sizeof *r->comm.words);
    return r->comm.n && r->comm.words
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for the ranks");
}

cs_status cs_ranks_share_out(cs_run *r, cs_error *err)
{
    size_t size = r->ranks->size;
    cs_status s = make_room(r, err);
    for (size_t i = 0; i < r->n_arms && s == CS_OK; i++) {
        cs_arm *a = &r->arm[i];
        a->of_rank = cs_alloc(size, sizeof *a->of_rank);
        if (!a->of_rank)
            return cs_fail(err, CS_MEMORY, "out of memory for the ranks");
        for (size_t k = 0; k < size; k++)
            a->of_rank[k] = cs_share_of(r, share_of(r, k), i);
        a->own = a->of_rank[r->ranks->rank];
        a->lives_elsewhere = a->own.end - a->own.first < a->chains;
    }
    return s;
}

void cs_ranks_free(cs_run *r)
{
    cs_free(r->comm.n);
    cs_free(r->comm.words);
    for (size_t i = 0; r->arm && i < r->n_arms; i++)
        cs_free(r->arm[i].of_rank);
}

static size_t chains_here(const cs_arm *a)
{
    return a->own.end - a->own.first;
}

bool cs_arm_is_split(const cs_run *r, const cs_arm *a)
{
    bool whole = false;
    for (size_t k = 0; cs_run_is_split(r) && k < r->ranks->size; k++)
        whole |= a->of_rank[k].end - a->of_rank[k].first == a->chains;
    return cs_run_is_split(r) && !whole;
}

bool cs_arm_is_elsewhere(const cs_run *r, const cs_arm *a)
{
    return cs_run_is_split(r) && chains_here(a) == 0 && !cs_arm_is_split(r, a);
}

/* ---- rounds ---- */

/* What others hand over is counted where it arrives. */
static void gather(cs_run *r, cs_words_of what, double *all, const size_t *n)
{
    const cs_world *k = r->ranks;
    for (size_t i = 0; i < k->size; i++)
        if (i != k->rank)
            r->received[what] += (double)n[i];
    k->gather(all, n);
}

/* CS_MET words of each arm from each rank; of rank k and arm i at
 * [(k * n_arms + i) * CS_MET]. */
static double *met(cs_run *r, size_t rank, size_t arm)
{
    return r->comm.words + (rank * r->n_arms + arm) * CS_MET;
}

static void meet(cs_run *r)
{
    fill_in(r->comm.n, r->ranks->size, r->n_arms * CS_MET);
    gather(r, CS_WORDS_ROUNDS, r->comm.words, r->comm.n);
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
        met(r, mine, i)[REACHED] = (double)a->reached;
        met(r, mine, i)[LIVES] = lives;
    }
    meet(r);
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        a->lives_elsewhere = false;
        for (size_t k = 0; k < r->ranks->size; k++) {
            const double *of = met(r, k, i);
            uint64_t there = (uint64_t)of[REACHED];
            a->reached = there > a->reached ? there : a->reached;
            a->lives_elsewhere |= k != mine && of[LIVES] != 0;
        }
    }
}

static cs_block_work work_here(const cs_arm *a)
{
    cs_block_work sum = {0};
    for (size_t b = 0; b < a->n_blocks; b++)
        if (cs_arm_moves(a, a->block[b])) {
            sum.own = cs_work_add(sum.own, a->block[b]->eval.work);
            sum.observed =
                cs_work_add(sum.observed, a->block[b]->observer.work);
        }
    return sum;
}

void cs_ranks_count(cs_run *r)
{
    enum { DENSITIES, GRADIENTS, TERMS };
    const cs_budget *b = &r->budget;
    if (!b->gradients && !b->log_densities && !b->data_terms)
        return;
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_work w = work_here(&r->arm[i]).own;
        double *of = met(r, r->ranks->rank, i);
        of[DENSITIES] = (double)w.log_densities;
        of[GRADIENTS] = (double)w.gradients;
        of[TERMS] = (double)w.data_terms;
    }
    meet(r);
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_work sum = {0};
        for (size_t k = 0; k < r->ranks->size; k++) {
            const double *of = met(r, k, i);
            bool other = k != r->ranks->rank;
            sum.log_densities += other ? (uint64_t)of[DENSITIES] : 0;
            sum.gradients += other ? (uint64_t)of[GRADIENTS] : 0;
            sum.data_terms += other ? (uint64_t)of[TERMS] : 0;
        }
        r->arm[i].elsewhere.own = sum;
    }
}

/* ---- words of chains ---- */

void cs_ranks_gather(cs_run *r, const cs_arm *a, cs_words_of what, size_t words,
                     double *all)
{
    for (size_t k = 0; k < r->ranks->size; k++)
        r->comm.n[k] = (a->of_rank[k].end - a->of_rank[k].first) * words;
    gather(r, what, all, r->comm.n);
}

static size_t rank_of(const cs_run *r, const cs_arm *a, size_t chain)
{
    size_t k = 0;
    while (k + 1 < r->ranks->size && chain >= a->of_rank[k].end)
        k++; /* ranks without a chain have end 0 */
    return k;
}

/* Chains c with from[c] of another rank: those that are moved here, by the rank
 * of from[c], in the order of c; and of each rank those whose from[c] is moved
 * here. Both sides count alike. */
static size_t rows_between(const cs_run *r, const cs_arm *a, const size_t *from,
                           size_t rank, bool out, size_t words, double *state,
                           double *to)
{
    size_t n = 0;
    cs_chains own = out ? a->of_rank[rank] : a->own;
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
    for (size_t c = a->own.first; c < a->own.end; c++)
        n += !cs_arm_owns(a, from[c]) && rank_of(r, a, from[c]) == rank;
    return n * words;
}

void cs_ranks_pass(cs_run *r, const cs_arm *a, const size_t *from, size_t words,
                   double *state, double *out, double *in)
{
    size_t size = r->ranks->size, at = 0;
    size_t *n_out = r->comm.n, *n_in = n_out + size;
    for (size_t k = 0; k < size; k++) {
        bool other = k != r->ranks->rank;
        n_out[k] =
            other ? rows_between(r, a, from, k, true, words, state, out + at)
                  : 0;
        n_in[k] = other ? count_between(r, a, from, k, words) : 0;
        at += n_out[k];
        r->received[CS_WORDS_STATES] += (double)n_in[k];
    }
    r->ranks->pass(out, n_out, in, n_in);
    at = 0;
    for (size_t k = 0; k < size; k++) {
        if (n_in[k])
            rows_between(r, a, from, k, false, words, state, in + at);
        at += n_in[k];
    }
}

/* ---- all chains to the first rank ---- */

/* What a rank says of an arm beside its chains. */
static void head(stream *s, cs_block_work *done, double *seconds,
                 cs_recorder *kept, uint64_t *each, uint64_t *judged)
{
    uint64_t used = kept->used;
    work(s, &done->own);
    work(s, &done->observed);
    number(s, seconds);
    word(s, &kept->every);
    word(s, &used);
    word(s, each);
    word(s, judged);
    kept->used = kept->valid = (size_t)used;
}

static bool has_judged(const cs_run *r, const cs_arm *a)
{
    return !r->beside_files || !cs_judged_in_files(a);
}

static cs_status write_share(stream *s, cs_run *r, cs_error *err)
{
    cs_status status = CS_OK;
    s->share = share_of(r, r->ranks->rank);
    numbers(s, r->received, CS_WORDS_KINDS);
    for (size_t i = 0; i < r->n_arms && status == CS_OK; i++) {
        cs_arm *a = &r->arm[i];
        cs_block_work done = work_here(a);
        double seconds = cs_arm_seconds(a);
        cs_recorder kept = a->front->recorder[CS_KEPT];
        uint64_t each, judged = cs_judged_rows(a, &each);
        if (chains_here(a) == 0)
            continue;
        head(s, &done, &seconds, &kept, &each, &judged);
        status = cs_saved_chains(s, r, a, has_judged(r, a), err);
    }
    return status;
}

static cs_status hand_in(cs_run *r, cs_error *err)
{
    stream to = {.out = NULL};
    cs_status s = write_share(&to, r, err); /* counts */
    to.out = s ? NULL : cs_alloc(1, to.at + 1);
    if (!s && !to.out)
        s = cs_fail(err, CS_MEMORY, "out of memory for the saved run");
    to.at = 0;
    if (!s)
        s = write_share(&to, r, err);
    cs_pack_free(&to.pack);
    r->ranks->hand_in(s ? NULL : to.out, s ? 0 : to.at);
    cs_free(to.out);
    return s;
}

/* Blocks of other ranks are where the arm is. */
static void place_blocks(cs_arm *a, const cs_recorder *kept)
{
    for (size_t b = 0; b < a->n_blocks; b++) {
        cs_block *block = a->block[b];
        if (cs_arm_moves(a, block))
            continue;
        block->step = a->steps;
        block->recorder[CS_KEPT].every = kept->every;
        block->recorder[CS_KEPT].used = block->recorder[CS_KEPT].valid =
            kept->used;
    }
}

static cs_status take_arm(stream *s, cs_run *r, cs_arm *a, cs_error *err)
{
    cs_block_work done = {0};
    double seconds = 0;
    cs_recorder kept = a->front->recorder[CS_KEPT];
    uint64_t each = 1, judged = 0;
    head(s, &done, &seconds, &kept, &each, &judged);
    if (s->bad || kept.used > kept.room || !cs_judged_fits(r, a, judged))
        return cs_fail(err, CS_MEMORY, "out of memory for arm %s", a->name);
    a->elsewhere.own = cs_work_add(a->elsewhere.own, done.own);
    a->elsewhere.observed = cs_work_add(a->elsewhere.observed, done.observed);
    a->seconds_elsewhere += seconds;
    place_blocks(a, &kept);
    if (chains_here(a) == 0)
        cs_judged_place(a, each, (size_t)judged);
    return cs_saved_chains(s, r, a, has_judged(r, a), err);
}

static cs_status take_share(cs_run *r, size_t rank, double *words,
                            cs_error *err)
{
    double received[CS_WORDS_KINDS] = {0};
    uint64_t size = r->ranks->expect(rank);
    unsigned char *in = size ? cs_alloc(1, size) : NULL;
    r->ranks->take(rank, in, size);
    if (size && !in)
        return cs_fail(err, CS_MEMORY, "out of memory for rank %zu", rank + 1);
    stream s = {.in = in, .size = size, .share = share_of(r, rank)};
    cs_status status = CS_OK; /* without a byte that rank says why: agree */
    words[CS_WORDS_KEPT] += (double)size / sizeof(double);
    if (size)
        numbers(&s, received, CS_WORDS_KINDS);
    for (size_t i = 0; size && i < CS_WORDS_KINDS; i++)
        words[i] += received[i];
    for (size_t i = 0; size && i < r->n_arms && status == CS_OK; i++)
        if (r->arm[i].of_rank[rank].end)
            status = take_arm(&s, r, &r->arm[i], err);
    if (status == CS_OK && s.bad)
        status = cs_fail(err, CS_INTERNAL,
                         "what rank %zu handed in is cut short", rank + 1);
    cs_free(in);
    return status;
}

/* Draws are left to the files only where all of every rank stand there. */
static void meet_files(cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        a->judged.irregular = false;
        met(r, r->ranks->rank, i)[0] =
            chains_here(a) > 0 && !cs_judged_in_files(a);
    }
    meet(r);
    for (size_t i = 0; i < r->n_arms; i++)
        for (size_t k = 0; k < r->ranks->size; k++)
            r->arm[i].judged.irregular |= met(r, k, i)[0] != 0;
}

static cs_status take_all(cs_run *r, cs_error *err)
{
    double words[CS_WORDS_KINDS] = {0}, kept = r->received[CS_WORDS_KEPT];
    cs_status status = CS_OK;
    for (size_t i = 0; i < r->n_arms; i++) {
        r->arm[i].elsewhere = (cs_block_work){0};
        r->arm[i].seconds_elsewhere = 0;
    }
    for (size_t k = 1; k < r->ranks->size; k++) {
        cs_error why;
        cs_status one = take_share(r, k, words, &why);
        if (one && !status && err)
            *err = why;
        status = status ? status : one;
    }
    r->received[CS_WORDS_KEPT] = kept + words[CS_WORDS_KEPT];
    for (size_t i = 0; i < CS_WORDS_KINDS; i++)
        r->comm.sent[i] = r->received[i] + words[i];
    r->comm.sent[CS_WORDS_KEPT] = r->received[CS_WORDS_KEPT];
    return status;
}

cs_status cs_run_hand_in(cs_run *r, bool beside, cs_error *err)
{
    bool first = r->ranks->rank == 0;
    meet_files(r);
    r->beside_files = beside;
    cs_status status = first ? take_all(r, err) : hand_in(r, err);
    r->beside_files = false;
    status = cs_ranks_agree(r->ranks, status, err);
    bool whole = r->comm.epoch == r->epoch && r->comm.whole;
    r->comm.whole = status == CS_OK && (whole || !beside);
    r->comm.epoch = r->epoch;
    return status;
}

bool cs_run_is_gathered(const cs_run *r)
{
    return !cs_run_is_split(r) || cs_run_follows(r) ||
           (r->comm.epoch == r->epoch && r->comm.whole);
}

cs_status cs_run_gather(cs_run *r, cs_error *err)
{
    if (cs_run_is_gathered(r))
        return CS_OK;
    cs_run_order(r, (cs_order){.kind = CS_ORDER_GATHER});
    return cs_run_hand_in(r, false, err);
}

void cs_run_gather_words(cs_run *r, double *all, const size_t *n)
{
    gather(r, CS_WORDS_KEPT, all, n);
}

/* ---- in words ---- */

/* The fewest and the most chains of a rank. */
static void count_chains(const cs_run *r, size_t *all, size_t *least,
                         size_t *most, size_t *idle)
{
    *all = *most = *idle = 0;
    *least = SIZE_MAX;
    for (size_t k = 0; k < r->ranks->size; k++) {
        size_t n = 0;
        for (size_t i = 0; i < r->n_arms; i++)
            n += r->arm[i].of_rank[k].end - r->arm[i].of_rank[k].first;
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
        cs_page_put(p,
                    "%zu ranks, of which the first moves all chains, since %s",
                    size, r->together);
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
        sum += r->comm.sent[i];
    cs_page_put(p, "%.4g numbers a step between %zu ranks (", sum / steps,
                r->ranks->size);
    for (size_t i = 0; i < CS_WORDS_KEPT; i++) {
        if (r->comm.sent[i] <= 0)
            continue;
        cs_page_put(p, "%s%s %.4g", more ? ", " : "", of[i],
                    r->comm.sent[i] / steps);
        more = true;
    }
    cs_page_put(p, "); %.4g in all for %s", r->comm.sent[CS_WORDS_KEPT],
                of[CS_WORDS_KEPT]);
}
