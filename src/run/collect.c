#include "run/collect.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/arms/world.h"
#include "run/draws/diagnosed.h"
#include "run/draws/draw_store.h"
#include "run/history/run_timeline.h"
#include "run/ranks/orders.h"
#include "run/ranks/rank_words.h"
#include "run/rounds.h"
#include "run/save_arm.h"
#include "run/saved_stream.h"

void cs_run_follow(cs_run *r, uint64_t goal)
{
    cs_draws_touch(r);
    cs_run_rounds(r, goal);
    r->timeline->end =
        r->timeline->end > r->steps ? r->timeline->end : r->steps;
    cs_draws_flush(r);
    r->epoch++;
}

/* ---- sending all chains to the first rank ---- */

/* Writes or reads the numbers that a rank reports about an arm in addition to
 * the arm's chains. */
static void head(stream *s, cs_block_work *done, double *seconds,
                 cs_recorder *kept, uint64_t *each, uint64_t *diagnosed)
{
    uint64_t used = kept->used;
    work(s, &done->own);
    work(s, &done->observed);
    number(s, seconds);
    word(s, &kept->every);
    word(s, &used);
    word(s, each);
    word(s, diagnosed);
    kept->used = kept->valid = (size_t)used;
}

static bool has_diagnosed(const cs_run *r, const cs_arm *a)
{
    return !r->saving->beside_files || !cs_diagnosed_in_files(a);
}

static cs_status write_share(stream *s, cs_run *r, cs_error *err)
{
    cs_status status = CS_OK;
    s->share = cs_rank_share(r, r->ranks->rank);
    numbers(s, r->comm->received, CS_WORDS_KINDS);
    for (size_t i = 0; i < r->n_arms && status == CS_OK; i++) {
        cs_arm *a = &r->arm[i];
        cs_block_work done = cs_arm_work_here(a);
        double seconds = cs_arm_seconds(a);
        cs_recorder kept = a->front->recorder[CS_KEPT];
        uint64_t each, diagnosed = cs_diagnosed_rows(a, &each);
        if (cs_arm_chains_here(a) == 0)
            continue;
        head(s, &done, &seconds, &kept, &each, &diagnosed);
        status = cs_saved_chains(s, r, a, has_diagnosed(r, a), err);
    }
    return status;
}

static cs_status send(cs_run *r, cs_error *err)
{
    stream to = {.out = NULL};
    cs_status s = write_share(&to, r, err); /* only counts the bytes */
    to.out = s ? NULL : cs_alloc(1, to.at + 1);
    if (!s && !to.out)
        s = cs_fail(err, CS_MEMORY, "out of memory for the saved run");
    to.at = 0;
    if (!s)
        s = write_share(&to, r, err);
    cs_pack_free(&to.pack);
    r->ranks->send(s ? NULL : to.out, s ? 0 : to.at);
    cs_free(to.out);
    return s;
}

/* Sets the step of blocks that other ranks move. */
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
    uint64_t each = 1, diagnosed = 0;
    head(s, &done, &seconds, &kept, &each, &diagnosed);
    if (s->bad || kept.used > kept.capacity ||
        !cs_diagnosed_fits(r, a, diagnosed))
        return cs_fail(err, CS_MEMORY, "out of memory for arm %s", a->name);
    a->elsewhere.work.own = cs_work_add(a->elsewhere.work.own, done.own);
    a->elsewhere.work.observed =
        cs_work_add(a->elsewhere.work.observed, done.observed);
    a->elsewhere.seconds += seconds;
    place_blocks(a, &kept);
    if (cs_arm_chains_here(a) == 0)
        cs_diagnosed_place(a, each, (size_t)diagnosed);
    return cs_saved_chains(s, r, a, has_diagnosed(r, a), err);
}

static cs_status take_share(cs_run *r, size_t rank, double *words,
                            cs_error *err)
{
    double received[CS_WORDS_KINDS] = {0};
    uint64_t size = r->ranks->probe(rank);
    unsigned char *in = size ? cs_alloc(1, size) : NULL;
    r->ranks->receive(rank, in, size);
    if (size && !in)
        return cs_fail(err, CS_MEMORY, "out of memory for rank %zu", rank + 1);
    stream s = {.in = in, .size = size, .share = cs_rank_share(r, rank)};
    /* a rank that sends no bytes reports its error in cs_ranks_agree */
    cs_status status = CS_OK;
    words[CS_WORDS_KEPT] += (double)size / sizeof(double);
    if (size)
        numbers(&s, received, CS_WORDS_KINDS);
    for (size_t i = 0; size && i < CS_WORDS_KINDS; i++)
        words[i] += received[i];
    for (size_t i = 0; size && i < r->n_arms && status == CS_OK; i++)
        if (r->arm[i].share.of_rank[rank].end)
            status = take_arm(&s, r, &r->arm[i], err);
    if (status == CS_OK && s.bad)
        status = cs_fail(err, CS_INTERNAL,
                         "the data sent by rank %zu are truncated", rank + 1);
    cs_free(in);
    return status;
}

/* Decides whether draws are read from files. They are read from files only if
 * every rank has written all its draws to files. */
static void meet_files(cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        a->diagnosed->irregular = false;
        cs_ranks_met(r, r->ranks->rank, i)[0] =
            cs_arm_chains_here(a) > 0 && !cs_diagnosed_in_files(a);
    }
    cs_ranks_meet_words(r);
    for (size_t i = 0; i < r->n_arms; i++)
        for (size_t k = 0; k < r->ranks->size; k++)
            r->arm[i].diagnosed->irregular |= cs_ranks_met(r, k, i)[0] != 0;
}

static cs_status take_all(cs_run *r, cs_error *err)
{
    double words[CS_WORDS_KINDS] = {0}, kept = r->comm->received[CS_WORDS_KEPT];
    cs_status status = CS_OK;
    for (size_t i = 0; i < r->n_arms; i++) {
        r->arm[i].elsewhere.work = (cs_block_work){0};
        r->arm[i].elsewhere.seconds = 0;
    }
    for (size_t k = 1; k < r->ranks->size; k++) {
        cs_error why;
        cs_status one = take_share(r, k, words, &why);
        if (one && !status && err)
            *err = why;
        status = status ? status : one;
    }
    r->comm->received[CS_WORDS_KEPT] = kept + words[CS_WORDS_KEPT];
    for (size_t i = 0; i < CS_WORDS_KINDS; i++)
        r->comm->sent[i] = r->comm->received[i] + words[i];
    r->comm->sent[CS_WORDS_KEPT] = r->comm->received[CS_WORDS_KEPT];
    return status;
}

cs_status cs_run_gather_all(cs_run *r, bool beside, cs_error *err)
{
    bool first = r->ranks->rank == 0;
    meet_files(r);
    r->saving->beside_files = beside;
    cs_status status = first ? take_all(r, err) : send(r, err);
    r->saving->beside_files = false;
    status = cs_ranks_agree(r->ranks, status, err);
    bool whole = r->comm->epoch == r->epoch && r->comm->whole;
    r->comm->whole = status == CS_OK && (whole || !beside);
    r->comm->epoch = r->epoch;
    return status;
}

bool cs_run_is_gathered(const cs_run *r)
{
    return !cs_run_is_split(r) || cs_run_follows(r) ||
           (r->comm->epoch == r->epoch && r->comm->whole);
}

cs_status cs_run_gather(cs_run *r, cs_error *err)
{
    if (cs_run_is_gathered(r))
        return CS_OK;
    cs_run_order(r, (cs_order){.kind = CS_ORDER_GATHER});
    return cs_run_gather_all(r, false, err);
}
