/* Exchanges between the chains of an arm, as requested by its kernel: exchanges
 * of states between replicas, joint learning of weights, and learning of a
 * target from its chains. Exchanges are made on the owner's thread when every
 * chain is at the same step, so the results do not depend on blocks or
 * workers. */
#include "run/ranks/chain_exchange.h"
#include "base/memory.h"
#include "kernel/wrapper.h"
#include "run/arms/run_state.h"
#include "run/ranks/rank_words.h"

#include <assert.h>
#include <string.h>

/* Returns the number of words of a lane that move with its state. */
static size_t state_words(const cs_target *t, const cs_kernel *k)
{
    return t->space.dim + 1 + t->cache_words + cs_kernel_carried_words(k, t);
}

/* Returns the index of the first word of memory that exchanges read, which is
 * the first word of the wrapper kernel's memory. */
static size_t first_met(const cs_target *t, const cs_kernel *k)
{
    if (!k->type->wraps)
        return 0;
    const cs_kernel inner = cs_kernel_inner(k);
    return cs_kernel_memory_words(&inner, t);
}

/* Input of an exchange for each chain: log p, whether the chain has failed, x
 * if the exchange reads states, and the memory. */
enum { LOGP, FAILED, READ };
static size_t met_words(const cs_target *t, const cs_kernel *k)
{
    bool reads = k->type->flags & CS_KERNEL_ENSEMBLE;
    return READ + (reads ? t->space.dim : 0) + cs_kernel_memory_words(k, t) -
           first_met(t, k);
}

static bool fill_met(cs_exchange_scratch *scratch, size_t words, size_t met)
{
    scratch->out = cs_alloc(words, sizeof *scratch->out);
    scratch->in = cs_alloc(words, sizeof *scratch->in);
    scratch->met = cs_alloc(met, sizeof *scratch->met);
    scratch->met_room = met;
    return scratch->out && scratch->in && scratch->met;
}

static bool fill_room(cs_exchange_scratch *scratch, size_t chains)
{
    scratch->logp = cs_alloc(chains, sizeof *scratch->logp);
    scratch->uniform = cs_alloc(chains, sizeof *scratch->uniform);
    scratch->failed = cs_alloc(chains, sizeof *scratch->failed);
    scratch->from = cs_alloc(chains, sizeof *scratch->from);
    scratch->lane = cs_alloc(chains, sizeof *scratch->lane);
    return scratch->logp && scratch->uniform && scratch->failed &&
           scratch->from && scratch->lane;
}

static void free_room(cs_exchange_scratch *scratch)
{
    CS_FREE_ALL(scratch->logp, scratch->uniform, scratch->failed, scratch->from,
                scratch->lane, scratch->state, scratch->out, scratch->in,
                scratch->met, scratch);
}

void cs_exchange_free(cs_arm *a)
{
    if (a->exchange)
        free_room(a->exchange);
    a->exchange = NULL;
}

cs_status cs_exchange_reserve(cs_arm *a, const cs_target *t, const cs_kernel *k,
                              cs_error *err)
{
    size_t words = k->type->exchange ? a->chains * state_words(t, k) : 0;
    size_t met = words && a->share.of_rank ? a->chains * met_words(t, k) : 0;
    bool wanted = k->type->exchange || k->type->report;
    if (!wanted || (a->exchange && words <= a->exchange->words &&
                    met <= a->exchange->met_room))
        return CS_OK;
    cs_exchange_scratch *scratch = cs_alloc(1, sizeof *scratch);
    if (scratch)
        scratch->state = cs_alloc(words, sizeof *scratch->state);
    if (!scratch || (words && !scratch->state) ||
        !fill_room(scratch, a->chains) ||
        (met && !fill_met(scratch, words, met))) {
        if (scratch)
            free_room(scratch);
        return cs_fail(err, CS_MEMORY, "out of memory for an exchange");
    }
    scratch->words = words;
    cs_exchange_free(a);
    a->exchange = scratch;
    return CS_OK;
}

uint64_t cs_exchange_period(const cs_arm *a)
{
    const cs_exchange_type *type = a->kernel.type->exchange;
    return type ? type->period(a->kernel.values) : 0;
}

/* Copies x, log p, the cache and the kernel's memory, row by row, from the lane
 * to `state`. If `in` is true, copies from `state` to the lane instead. */
void cs_lane_state(cs_block *b, size_t lane, size_t words, double *state,
                   bool in)
{
    size_t n = b->lanes, dim = b->move.dim, cache = b->target->cache_words;
    const size_t rows[] = {dim, 1, cache, words - dim - 1 - cache};
    double *const from[] = {b->move.x, b->move.info.logp, b->eval.cache[CS_NOW],
                            b->move.memory};
    size_t end = lane + 1 == b->live ? n : lane + 1;
    for (size_t k = 0; k < 4; k++)
        for (size_t r = 0; r < rows[k]; r++, state++) {
            double *row = from[k] + r * n;
            for (size_t l = lane; in && l < end; l++)
                row[l] = *state;
            if (!in)
                *state = row[lane];
        }
}

void cs_exchange_lay_out(const cs_arm *a)
{
    for (size_t c = 0; c < a->chains; c++) {
        const cs_block *b = cs_arm_block(a, c);
        size_t l = cs_arm_lane(a, c);
        a->exchange->failed[c] = b->failed[l] != 0;
        a->exchange->lane[c] = (cs_chain_ref){.x = b->move.x + l,
                                              .memory = b->move.memory + l,
                                              .stride = b->lanes};
    }
}

static void gather(cs_arm *a)
{
    cs_exchange_scratch *scratch = a->exchange;
    for (size_t c = 0; c < a->chains; c++) {
        cs_block *b = cs_arm_block(a, c);
        size_t l = cs_arm_lane(a, c);
        if (l == 0) {
            b->move.streams.step = b->step;
            cs_fill_uniform(&b->move.streams, CS_FOR_SWAP, 1, b->accept_stat);
        }
        scratch->logp[c] =
            b->logp_kind == CS_LOGP_NONE ? (double)NAN : b->move.info.logp[l];
        scratch->uniform[c] = b->accept_stat[l];
        scratch->from[c] = c;
    }
    cs_exchange_lay_out(a);
}

/* Copies the input of an exchange that chain c provides from the chain's lane
 * to row[met_words]. If `in` is true, copies it from the row to the lane, which
 * then represents a chain of another rank. */
static void met_row(const cs_arm *a, size_t c, double *row, bool in)
{
    cs_block *b = cs_arm_block(a, c);
    size_t l = cs_arm_lane(a, c), n = b->lanes;
    size_t words = cs_kernel_memory_words(&a->kernel, b->target);
    size_t dim = a->kernel.type->flags & CS_KERNEL_ENSEMBLE ? b->move.dim : 0;
    double *at = row + READ;
    for (size_t d = 0; d < dim; d++, at++) {
        double *x = b->move.x + d * n + l;
        *(in ? x : at) = *(in ? at : x);
    }
    for (size_t w = first_met(b->target, &a->kernel); w < words; w++, at++) {
        double *word = b->move.memory + w * n + l;
        *(in ? word : at) = *(in ? at : word);
    }
}

/* Updates the copies of chains that are moved by other ranks. */
static void meet(cs_run *r, cs_arm *a)
{
    cs_exchange_scratch *scratch = a->exchange;
    size_t words = met_words(a->target, &a->kernel);
    for (size_t c = a->share.own.first; c < a->share.own.end; c++) {
        double *row = scratch->met + c * words;
        row[LOGP] = scratch->logp[c];
        row[FAILED] = scratch->failed[c];
        met_row(a, c, row, false);
    }
    cs_ranks_gather(r, a, CS_WORDS_EXCHANGES, words, scratch->met);
    for (size_t c = 0; c < a->chains; c++) {
        double *row = scratch->met + c * words;
        scratch->logp[c] = row[LOGP];
        scratch->failed[c] = row[FAILED] != 0;
        if (!cs_arm_owns(a, c))
            met_row(a, c, row, true);
    }
}

/* Copies the memory of the last chain of a block to its padding lanes. */
static void pad_memory(cs_block *b)
{
    size_t words = cs_kernel_memory_words(b->kernel, b->target);
    for (size_t w = 0; w < words; w++)
        for (size_t l = b->live; l < b->lanes; l++)
            b->move.memory[w * b->lanes + l] =
                b->move.memory[w * b->lanes + b->live - 1];
}

/* Moves the state of chain from[c] to chain c for all c. */
static void exchange(cs_run *r, cs_arm *a)
{
    cs_exchange_scratch *scratch = a->exchange;
    const cs_target *t = a->block[0]->target;
    size_t words = state_words(t, &a->kernel);
    for (size_t c = 0; c < a->chains; c++) {
        size_t from = scratch->from[c];
        if (from != c && cs_arm_owns(a, from))
            cs_lane_state(cs_arm_block(a, from), cs_arm_lane(a, from), words,
                          scratch->state + from * words, false);
    }
    if (cs_arm_is_split(r, a))
        cs_ranks_pass(r, a, scratch->from, words, scratch->state, scratch->out,
                      scratch->in);
    for (size_t c = a->share.own.first; c < a->share.own.end; c++) {
        size_t from = scratch->from[c];
        assert(from < a->chains && (from == c || !scratch->failed[c]));
        if (from != c)
            cs_lane_state(cs_arm_block(a, c), cs_arm_lane(a, c), words,
                          scratch->state + from * words, true);
    }
    for (size_t b = 0; b < a->n_blocks; b++)
        pad_memory(a->block[b]);
}

/* Passes from[chains] to the probes. from[c] is the chain from which the state
 * of chain c came. */
static void note_exchange(cs_run *r, size_t arm, const size_t *from)
{
    const cs_arm *a = &r->arm[arm];
    for (size_t c = a->share.own.first; c < a->share.own.end; c++) {
        const cs_block *b = cs_arm_block(a, c);
        for (size_t i = 0; from[c] != c && !b->in_warmup && i < r->n_probes;
             i++)
            if (r->probe[i].type->exchanged)
                r->probe[i].type->exchanged(
                    &r->probe[i], cs_arm_lane(a, c), b->lanes, from[c],
                    b->step - b->warmup_steps, b->probes.memory[i]);
    }
}

void cs_arm_exchange(cs_run *r, cs_arm *a)
{
    cs_exchange_scratch *scratch = a->exchange;
    if (cs_arm_is_elsewhere(r, a))
        return;
    gather(a);
    if (cs_arm_is_split(r, a))
        meet(r, a);
    const cs_exchange m = {.target = a->target,
                           .self = a->kernel.self,
                           .values = a->kernel.values,
                           .chains = a->chains,
                           .step = a->steps,
                           .logp = scratch->logp,
                           .uniform = scratch->uniform,
                           .failed = scratch->failed,
                           .lane = scratch->lane,
                           .from = scratch->from};
    a->kernel.type->exchange->run(&m);
    exchange(r, a);
    note_exchange(r, (size_t)(a - r->arm), scratch->from);
}
