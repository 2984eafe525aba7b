/* The step loop of a block. Its functions do not allocate, lock or fail.
 * Compiled for each instruction set. */
#include "chain/narrow_row.h"
#include "chain/ratios.h"
#include "chain/steps.h"
#include "chain/tally.h"
#include "kernel/lanes.h"
#include "kernel/rule.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Unpacks the state and the proposal of a single chain before they are read. */
static void unpack(cs_block *b)
{
    cs_move *m = &b->move;
    if (m->packed_x)
        cs_unpack_rows(m, m->packed_x, m->x);
    for (size_t d = 0; m->packed_proposal && d < m->dim; d++)
        m->scratch[d * m->lanes] = m->packed_proposal[d];
    m->packed_x = m->packed_proposal = NULL;
}

/* Before a step, saves the states of failed chains. After the step (`back` is
 * true), restores these states, so that a failed chain does not move. */
static void freeze(cs_block *b, bool back)
{
    size_t n = b->lanes, dim = b->move.dim;
    for (size_t l = 0; l < n; l++) {
        if (b->failed[l] == 0)
            continue;
        for (size_t d = 0; d < dim; d++) {
            double *x = &b->move.x[d * n + l], *kept = &b->frozen[d * n + l];
            *(back ? x : kept) = *(back ? kept : x);
        }
        double *logp = &b->move.info.logp[l], *kept = &b->frozen[dim * n + l];
        *(back ? logp : kept) = *(back ? kept : logp);
    }
}

/* Adds `by` to the counters of one vector of lanes. */
static void count(double *counter, cs_vd by)
{
    cs_store(counter, cs_load(counter) + by);
}

/* Removes the last step of lane l from the counters, because the step at which
 * a chain fails does not count. */
static void uncount(cs_block *b, size_t l)
{
    double *t = b->tally + l;
    t[CS_TALLY_STEPS * b->lanes] -= 1;
    t[CS_TALLY_ACCEPTED * b->lanes] -= b->move.info.accepted[l];
    t[CS_TALLY_MOVED * b->lanes] -= b->move.info.moved[l];
}

/* Handles rare events per lane: counts proposals rejected as NaN, and divergent
 * trajectories. In strict mode a NaN makes the chain fail instead. Returns true
 * if any lane has failed. */
static __attribute__((noinline)) bool look_closer(cs_block *b)
{
    const cs_info *i = &b->move.info;
    bool *failed = b->move.failed, any = false;
    for (size_t l = 0; l < b->live; l++) {
        bool bad = failed[l] ||
                   (b->logp_kind != CS_LOGP_NONE && !(i->logp[l] < HUGE_VAL));
        bool odd = isnan(i->log_ratio[l]) && i->logp_proposal[l] != -HUGE_VAL;
        bool ends =
            odd && (b->move.strict || cs_is_broken(i->logp_proposal[l]));
        double *t = b->tally + l;
        any |= bad || ends;
        if (bad)
            continue;
        failed[l] = ends;
        if (ends) {
            uncount(b, l);
            continue;
        }
        t[CS_TALLY_NOT_FINITE * b->lanes] += odd;
        t[CS_TALLY_DIVERGENT * b->lanes] +=
            b->stat.divergent && b->stat.divergent[l] > 0;
    }
    return any;
}

/* Adds the step to the counters of the chains. Returns true if any lane has
 * failed, now or before. */
static bool tally(cs_block *b)
{
    const cs_info *info = &b->move.info;
    const double *divergent = b->stat.divergent;
    const cs_vd none = cs_vset(0), one = cs_vset(1);
    size_t n = b->lanes;
    const cs_vi known = b->logp_kind == CS_LOGP_NONE ? (cs_vi){0} : ~(cs_vi){0};
    cs_vi any = {0};
    for (size_t l = 0; l < b->live; l += CS_VECTOR) {
        double *t = b->tally + l;
        cs_vd logp = cs_load(info->logp + l),
              ratio = cs_load(info->log_ratio + l);
        cs_vi bad =
            cs_load_bool(b->move.failed + l) | (~(logp < CS_VM_INF) & known);
        cs_vd live = cs_vselect(bad, none, one);
        count(t + CS_TALLY_STEPS * n, live);
        count(t + CS_TALLY_ACCEPTED * n,
              cs_vselect(cs_load_bool(info->accepted + l), live, none));
        count(t + CS_TALLY_MOVED * n,
              cs_vselect(cs_load_bool(info->moved + l), live, none));
        any |= bad | (ratio != ratio);
        if (divergent)
            any |= cs_load(divergent + l) > 0.0;
    }
    bool failed = cs_bytes_of(any) != 0 && look_closer(b);
    if (b->step % CS_TALLY_STRIDE == 0)
        cs_tally_fold(b->tally, n);
    return failed;
}

static void set_params(cs_block *b, const cs_driven *driven, size_t n,
                       size_t at)
{
    for (size_t k = 0; k < driven->n; k++) {
        double value = driven->value[k * n + at];
        double *row = b->param + driven->param[k] * b->lanes;
        if (row[0] == value)
            continue;
        for (size_t l = 0; l < b->lanes; l++)
            row[l] = value;
    }
}

static void make_room(cs_recorder *recorder, size_t live, size_t row)
{
    size_t half = recorder->used / 2;
    for (size_t l = 0; l < live; l++) {
        double *rows = recorder->row + l * recorder->capacity * row;
        for (size_t i = 0; i < half; i++)
            memcpy(rows + i * row, rows + (2 * i + 1) * row,
                   row * sizeof(double));
    }
    recorder->used = recorder->valid = half;
    recorder->every *= 2;
}

/* Computes the acceptance probability of the last proposal, unless the kernel
 * sets it. For a kernel with its own acceptance rule, the result is 1 if the
 * proposal was accepted, else 0. */
static void fill_accept_stat(cs_block *b)
{
    if (b->kernel->type->flags & CS_KERNEL_ACCEPT_STAT)
        return;
    bool own = b->kernel->type->flags & CS_KERNEL_OWN_RULE;
    for (size_t l = 0; l < b->live; l++) {
        double ratio = b->move.info.log_ratio[l];
        b->accept_stat[l] = own          ? b->move.info.accepted[l]
                            : ratio < 0  ? exp(ratio)
                            : ratio >= 0 ? 1
                                         : 0;
    }
}

/* Returns whether an action that is repeated every `every` steps (0: never) is
 * due. */
static bool is_due(const cs_block *b, uint64_t every)
{
    return every == 1 || (every && (b->step - b->warmup_steps) % every == 0);
}

/* Writes the columns of lane l, except the `shown` generated quantities in the
 * middle. */
static void put_columns(const cs_block *b, const cs_recorder *recorder,
                        size_t shown, size_t l, double *to)
{
    for (size_t k = 0; k < recorder->lead; k++)
        *to++ = recorder->column[k] ? recorder->column[k][l] : (double)NAN;
    to += shown;
    for (size_t k = 0; k < recorder->aux; k++)
        *to++ = recorder->aux_row ? recorder->aux_row[k * b->lanes + l]
                                  : (double)NAN;
}

/* Fills to[n] with the first n generated quantities of a single chain. */
static void gather(const cs_block *b, size_t n, double *to)
{
    const double *x = b->shown;
    if (b->move.packed_x) {
        for (size_t d = 0; d < n; d++)
            to[d] = b->move.packed_x[d];
        return;
    }
#pragma GCC unroll 4
    for (size_t d = 0; d < n; d++, x += b->lanes)
        to[d] = *x;
}

/* Copies the generated quantities of min(left, 8) lanes, from lane l on, to
 * rows of stride `apart`. Works in tiles of eight numbers, so that
 * each fetched cache line serves all lanes. */
static void gather_some(const cs_block *b, size_t dim, size_t l, size_t left,
                        size_t apart, double *to)
{
    size_t lanes = b->lanes;
    size_t n = left < CS_PAD ? left : CS_PAD;
    for (size_t d = 0; d < dim; d += CS_PAD) {
        const double *x = b->shown + d * lanes + l;
        size_t rows = d + CS_PAD < dim ? CS_PAD : dim - d;
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < rows; i++)
                to[k * apart + d + i] = x[i * lanes + k];
    }
}

/* Copies the coordinates of all lanes as bytes to rows of stride `apart`. */
static void gather_bytes(const cs_block *b, size_t n, size_t live, size_t apart,
                         double *to)
{
    const double *packed = live == 1 ? b->move.packed_x : NULL;
    for (size_t d = 0; d < n; d++)
        for (size_t l = 0; l < live; l++)
            cs_narrow_put(to + l * apart, true, d,
                          packed ? packed[d] : b->shown[d * b->lanes + l]);
}

/* Appends the draw of each lane to the lane's own rows; leaves out draws of
 * weight 0. */
static void draw_weighed(cs_block *b, cs_recorder *recorder, size_t shown,
                         size_t row)
{
    const double *weight = b->move.info.log_weight;
    for (size_t l = 0; l < b->live; l++) {
        if (weight[l] == -HUGE_VAL || b->move.failed[l])
            continue;
        double *to = recorder->row +
                     (l * recorder->capacity + recorder->count[l]++) * row;
        put_columns(b, recorder, shown, l, to);
        for (size_t d = 0; d < shown; d++)
            to[recorder->lead + d] = b->shown[d * b->lanes + l];
    }
}

/* Returns flags [lanes] that mark the lanes that estimates leave out, because
 * the chain has failed or its state is not a draw. */
static const bool *left_out(const cs_block *b)
{
    const double *weight = b->move.info.log_weight;
    if (!weight)
        return b->move.failed;
    for (size_t l = 0; l < b->lanes; l += CS_VECTOR)
        cs_store_bool(b->left_out + l, cs_load_bool(b->move.failed + l) |
                                           (cs_load(weight + l) == -CS_VM_INF));
    return b->left_out;
}

/* Computes log weights minus the log weight of each chain's first draw, so that
 * a constant per chain cancels. Returns NULL while all draws have equal
 * weight. */
static const double *weigh(cs_block *b)
{
    const cs_vd one = cs_vset(1), two = cs_vset(2);
    cs_vi any = {0};
    for (size_t l = 0; l < b->lanes; l += CS_VECTOR) {
        double *state = b->tally + CS_TALLY_WEIGHTS * b->lanes + l;
        double *first = b->tally + CS_TALLY_FIRST_WEIGHT * b->lanes + l;
        cs_vd w = cs_load(b->move.info.log_weight + l), s = cs_load(state);
        cs_vi draw = ~cs_load_bool(b->move.failed + l) &
                     cs_vless(-cs_vset(CS_VM_INF), w);
        cs_vi begins = draw & cs_vless(s, one);
        cs_vd to = cs_vselect(begins, w, cs_load(first));
        s = cs_vselect(begins, one, s);
        s = cs_vselect(draw & (cs_vless(w, to) | cs_vless(to, w)), two, s);
        cs_store(first, to);
        cs_store(state, s);
        cs_store(b->weights.log + l, w - to);
        any |= cs_vless(one, s);
    }
    return cs_vbits(any) ? b->weights.log : NULL;
}

/* Marks the rows that are not draws from the target. `apart` is the stride of
 * the rows. */
static __attribute__((noinline)) void blot_out(cs_block *b, size_t live,
                                               size_t apart, double *row)
{
    const bool *out = left_out(b);
    for (size_t l = 0; l < live; l++)
        if (out[l])
            row[l * apart] = CS_NO_DRAW;
}

/* Returns log p of the states, which is evaluated if the kernel does not have
 * it. log p is evaluated at most once per step, and the result is kept in
 * *truth. */
static const double *truth_of(cs_block *b, const double **truth)
{
    if (!*truth)
        *truth = cs_block_true_logp(b);
    return *truth;
}

/* Adds the states after the current step to a recorder. `failed` means that
 * some lane has failed. */
static void draw(cs_block *b, cs_recorder *recorder, const double **truth,
                 bool failed)
{
    size_t shown = recorder->most ? recorder->most : cs_target_shown(b->target);
    size_t words = cs_narrow_words(recorder->bytes, shown);
    size_t row = recorder->lead + words + recorder->aux;
    size_t live = recorder->lanes ? recorder->lanes : b->live;
    if (recorder->used == recorder->capacity && recorder->thin) {
        make_room(recorder, live, row);
        if (!is_due(b, recorder->every))
            return;
    }
    if (recorder->used - recorder->gone == recorder->capacity)
        return;
    if (recorder->lead > 1 && recorder->column[1] == b->accept_stat)
        fill_accept_stat(b);
    if (recorder->true_logp)
        truth_of(b, truth);
    double *to = recorder->row + (recorder->used++ - recorder->gone) * row;
    recorder->valid =
        recorder->valid > recorder->used ? recorder->valid : recorder->used;
    if (recorder->count && b->move.info.log_weight) {
        draw_weighed(b, recorder, shown, row);
        return;
    }
    size_t apart = recorder->capacity * row;
    for (size_t l = 0; l < live; l++)
        put_columns(b, recorder, words, l, to + l * apart);
    if (recorder->bytes)
        gather_bytes(b, shown, live, apart, to + recorder->lead);
    else if (live == 1)
        gather(b, shown, to + recorder->lead);
    for (size_t l = 0; !recorder->bytes && live > 1 && l < live; l += CS_PAD)
        gather_some(b, shown, l, live - l, apart,
                    to + l * apart + recorder->lead);
    if (!recorder->count && (failed || b->move.info.log_weight))
        blot_out(b, live, apart, to);
}

/* Returns true if a probe or a recorder observes this step. */
static bool is_watched(const cs_block *b)
{
    bool watched = false;
    for (size_t i = 0; i < b->probes.n; i++)
        watched |= is_due(b, b->probes.item[i].every);
    for (size_t i = 0; i < CS_RECORDERS; i++)
        watched |= is_due(b, b->recorder[i].every);
    return watched;
}

/* Sets the log p that a probe sees: the kernel's or, for a probe that requires
 * it, the evaluated log p. */
static void show_logp(cs_block *b, const cs_probe *p, cs_step_view *view,
                      const double **truth)
{
    view->logp = b->logp_kind == CS_LOGP_NONE ? NULL : b->move.info.logp;
    view->logp_kind = b->logp_kind;
    if (!p->true_logp)
        return;
    view->logp = truth_of(b, truth);
    view->logp_kind = CS_LOGP_EXACT;
}

/* Returns a view of a step. Sets only the members that are equal for all
 * steps. */
static cs_step_view view_of(const cs_block *b)
{
    return (cs_step_view){.x = b->move.x,
                          .shown = b->shown,
                          .aux = b->aux,
                          .aux_rows = b->aux_rows,
                          .info = &b->move.info,
                          .failed = b->move.failed,
                          .bin = b->stat.bin,
                          .multiplier = b->stat.multiplier,
                          .divergent = b->stat.divergent,
                          .energy = b->stat.energy,
                          .rows_drawn = b->stat.rows_drawn,
                          .rows_kept = b->stat.rows_kept,
                          .dim = b->move.dim,
                          .lanes = b->lanes,
                          .live = b->live};
}

/* Shows the step to all probes that are due, except those in `later`. */
static void show_probes(cs_block *b, cs_step_view *view, uint64_t later,
                        const double **truth)
{
    view->left_out = left_out(b);
    view->step = b->step - b->warmup_steps;
    view->of_schedule = b->step - b->cycle_from;
    for (size_t i = 0; i < b->probes.n; i++)
        if (!(later >> i & 1) && is_due(b, b->probes.item[i].every)) {
            show_logp(b, &b->probes.item[i], view, truth);
            b->probes.item[i].type->observe(&b->probes.item[i], view,
                                            b->probes.memory[i]);
        }
}

/* Shows the stored steps, the last of which is `last`, to the probes that read
 * several at once. */
static void show_series(cs_block *b, uint64_t last)
{
    const cs_probe_series c = {.row = b->probes.series,
                               .width = b->probes.series_width,
                               .n = b->probes.series_n,
                               .lanes = b->lanes,
                               .step = last + 1 - b->probes.series_n -
                                       b->warmup_steps};
    for (size_t i = 0; c.n && i < b->probes.n; i++)
        if (b->probes.later >> i & 1)
            b->probes.item[i].type->observe_series(&b->probes.item[i], &c,
                                                   b->probes.memory[i]);
    b->probes.series_n = 0;
}

/* Stores this step of a single chain for the probes that read several steps at
 * once. */
static void put_off(cs_block *b)
{
    double *to = b->probes.series + b->probes.series_n * b->probes.series_width;
    size_t n = b->probes.series_width - 1;
    n = n < b->move.dim ? n : b->move.dim;
    to[0] = b->logp_kind == CS_LOGP_NONE ? (double)NAN : b->move.info.logp[0];
    if (b->move.packed_x)
        memcpy(to + 1, b->move.packed_x, n * sizeof *to);
    const double *x = b->move.x;
    size_t lanes = b->lanes;
    for (size_t d = 0; d < n && !b->move.packed_x; d++)
        to[1 + d] = x[d * lanes];
    if (++b->probes.series_n == CS_SERIES_ROWS)
        show_series(b, b->step);
}

/* Updates two counters of each chain: the number of draws, and the number of
 * draws with learning__ = 1 (the weight of the draw's bin is still being
 * learned). */
static void note_learning(cs_block *b)
{
    const double *learning = b->stat.learning,
                 *weight = b->move.info.log_weight;
    const cs_vd none = cs_vset(0), one = cs_vset(1);
    for (size_t l = 0; l < b->lanes; l += CS_VECTOR) {
        double *t = b->tally + l;
        cs_vi draw = ~cs_load_bool(b->move.failed + l);
        if (weight)
            draw &= cs_vless(-cs_vset(CS_VM_INF), cs_load(weight + l));
        count(t + CS_TALLY_MARKING * b->lanes, cs_vselect(draw, one, none));
        count(t + CS_TALLY_LEARNING * b->lanes,
              cs_vselect(draw, cs_load(learning + l), none));
    }
}

/* Updates the counters of trajectories from the depth and the energy of this
 * step's trajectories. */
static void note_trajectories(cs_block *b)
{
    const double *last = b->tally + CS_TALLY_ENERGY * b->lanes;
    fill_accept_stat(b);
    for (size_t l = 0; l < b->live; l++) {
        double *t = b->tally + l;
        if (b->move.failed[l])
            continue;
        double n = ++t[CS_TALLY_TRAJECTORIES * b->lanes], e = b->stat.energy[l];
        double *mean = t + CS_TALLY_ENERGY_MEAN * b->lanes, off = e - *mean;
        double jump = n > 1 ? e - last[l] : 0;
        *mean += off / n;
        t[CS_TALLY_ENERGY_SQUARES * b->lanes] += off * (e - *mean);
        t[CS_TALLY_ENERGY_JUMPS * b->lanes] += jump * jump;
        t[CS_TALLY_ENERGY * b->lanes] = e;
        t[CS_TALLY_ACCEPTANCE * b->lanes] += b->accept_stat[l];
        if (b->stat.max_depth)
            t[CS_TALLY_DEEP * b->lanes] +=
                b->stat.depth[l] >= b->stat.max_depth[l];
    }
}

/* Shows a step to the probes and recorders. `view` describes the step. */
static void observe(cs_block *b, cs_step_view *view, bool failed)
{
    if (b->stat.learning)
        note_learning(b);
    if (b->stat.energy)
        note_trajectories(b);
    view->log_weight = b->weights.are_numbers    ? weigh(b)
                       : b->weights.were_numbers ? b->weights.log
                                                 : NULL;
    view->whole = !failed && !view->log_weight && !b->move.info.log_weight;
    const double *truth = NULL;
    uint64_t later = view->whole ? b->probes.later : 0;
    bool now = (UINT64_C(1) << b->probes.n) - 1 != later;
    if (later)
        put_off(b);
    else if (b->probes.series_n)
        show_series(b, b->step - 1);
    if (now || b->target->outputs.n)
        unpack(b);
    if (b->target->outputs.n && is_watched(b))
        cs_block_show(b);
    if (now)
        show_probes(b, view, later, &truth);
    for (size_t i = 0; i < CS_RECORDERS; i++)
        if (is_due(b, b->recorder[i].every))
            draw(b, &b->recorder[i], &truth, failed);
}

/* Records warm-up draws for the recorders that request them. */
static void draw_warmup(cs_block *b, bool failed)
{
    const double *truth = NULL;
    for (size_t i = 0; i < CS_RECORDERS; i++) {
        cs_recorder *recorder = &b->recorder[i];
        if (!recorder->warmup || !is_due(b, recorder->every))
            continue;
        if (b->target->outputs.n) {
            unpack(b);
            cs_block_show(b);
        }
        draw(b, recorder, &truth, failed);
    }
}

/* Adds the acceptance of this step to the sums over the tuner's trial. Records
 * warm-up draws. */
static void take_stock(cs_block *b, bool failed)
{
    double *sum = b->tally + CS_TALLY_TRIAL * b->lanes;
    fill_accept_stat(b);
    for (size_t l = 0; l < b->live; l++)
        sum[l] += b->accept_stat[l];
    draw_warmup(b, failed);
}

static bool stopped(const _Atomic bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

/* Makes one step, and counts it unless the kernel abandoned it. Returns true if
 * any lane has failed, now or before. */
static bool make_step(cs_block *b, void (*step)(cs_move *m), bool failed)
{
    cs_work work = b->eval.work;
    b->move.streams.step = b->step + 1;
    b->move.gave_up = false;
    if (failed)
        freeze(b, false);
    step(&b->move);
    b->step += !b->move.gave_up;
    if (failed)
        freeze(b, true);
    if (b->move.gave_up) {
        b->eval.work = work;
        return failed;
    }
    failed = tally(b);
    if (failed) {
        unpack(b);
        b->move.packed_valid = false;
        cs_block_note_failed(b, (double)b->step);
    }
    return failed;
}

/* Records the kind of log p (cs_logp_kind) that the following draws of each
 * chain have. */
static void note_logp(cs_block *b)
{
    double *seen = b->tally + CS_TALLY_LOGP * b->lanes;
    for (size_t l = 0; l < b->lanes && !b->in_warmup; l++)
        seen[l] = (double)((unsigned)seen[l] | 1U << b->logp_kind);
}

/* Used after a kernel without weights has replaced a kernel whose draws had
 * unequal weights. Sets the weight of each chain's following draws to the
 * weight of the chain's first draw. */
static void note_weights(cs_block *b)
{
    const double *state = b->tally + CS_TALLY_WEIGHTS * b->lanes;
    b->weights.were_numbers = false;
    for (size_t l = 0; l < b->lanes && !b->weights.are_numbers; l++) {
        b->weights.were_numbers |= state[l] == 2;
        b->weights.log[l] = 0;
    }
}

static size_t run(cs_block *b, const cs_driven *driven, size_t n,
                  const _Atomic bool *stop)
{
    assert(!driven || driven->n <= b->kernel->type->n_params);
    assert(!driven || driven->value || !driven->n);
    bool failed = false;
    const cs_kernel_type *type = b->kernel->type;
    void (*step)(cs_move * m) =
        b->unadjusted ? type->step_unadjusted : type->step;
    assert(step && !b->move.multi_step);
    for (size_t l = 0; l < b->lanes; l++)
        failed |= b->failed[l] != 0;
    b->move.multi_step = true;
    b->move.packed_valid = false;
    b->move.stop = stop;
    note_logp(b);
    note_weights(b);
    cs_step_view view = view_of(b);
    size_t i = 0;
    while (i < n && !stopped(stop)) {
        if (driven)
            set_params(b, driven, n, i);
        if (b->ratios)
            cs_ratios_before(b);
        failed = make_step(b, step, failed);
        if (b->move.gave_up)
            break;
        i++;
        if (b->ratios) {
            unpack(b);
            cs_ratios_after(b);
        }
        if (b->in_warmup)
            take_stock(b, failed);
        else
            observe(b, &view, failed);
        if (failed && !cs_block_lives(b))
            break;
    }
    unpack(b);
    show_series(b, b->step);
    b->move.multi_step = false;
    return i;
}

const cs_steps CS_VARIANT(cs_block_steps) = {.run = run};
