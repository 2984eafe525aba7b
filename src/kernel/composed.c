/* Creates composed kernels. Each gets a kernel type of its own, with the rows
 * of its members. */
#include "kernel/composed.h"

#include "base/memory.h"
#include "data/parts.h"
#include "target/part_window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *word_of(const cs_composed *c)
{
    return c->mixture ? "mixture" : "cycle";
}

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
}

/* ---- checks -------------------------------------------------------------- */

static cs_status check_kernel(const cs_composed *c, const cs_member_spec *s,
                              cs_error *err)
{
    const cs_kernel_type *type = s->kernel->type;
    const char *why = cs_kernel_no_member(type);
    if (!why)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "%s: %s cannot be the member %s: it %s",
            word_of(c), type->name, s->name, why);
    if (type->wraps)
        cs_hint(err, "put %s around the %s", type->name, word_of(c));
    else
        cs_hint(err, "use a kernel such as random_walk, nuts, gibbs or dmala");
    return CS_UNSUPPORTED;
}

/* Checks that a composed member has no coordinates of its own, and that another
 * member has some. */
static cs_status check_on(const cs_composed *c, const cs_member_spec *s,
                          cs_error *err)
{
    bool given = s->n || s->n_on;
    if (s->kernel->type->composes && given) {
        cs_fail(
            err, CS_INPUT,
            "%s: the member %s is made of several kernels, which have their "
            "own coordinates",
            word_of(c), s->name);
        cs_hint(err, "write 'on' in its members");
        return CS_INPUT;
    }
    if (s->kernel->type->composes || given)
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s: the member %s moves no parameter", word_of(c),
            s->name);
    cs_hint(err, "name the parameters that it moves: on = { ... }");
    return CS_INPUT;
}

static cs_status same_name(const cs_composed *c, const char *name,
                           cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s: two members have the name %s", word_of(c),
            name);
    cs_hint(err, "give one of them another name: name = \"%.12s_2\"", name);
    return CS_INPUT;
}

static cs_status check_name(const cs_composed *c, const cs_member_spec *spec,
                            size_t k, cs_error *err)
{
    size_t n = strlen(spec[k].name);
    if (n == 0 || n >= CS_MEMBER_NAME)
        return cs_fail(
            err, CS_INPUT,
            "%s: the name of member %zu must have 1 to %d characters",
            word_of(c), k + 1, CS_MEMBER_NAME - 1);
    for (size_t j = 0; j < k; j++)
        if (strcmp(spec[k].name, spec[j].name) == 0)
            return same_name(c, spec[k].name, err);
    return CS_OK;
}

static cs_status check_weight(const cs_composed *c, const cs_member_spec *s,
                              cs_error *err)
{
    if (!c->mixture || (s->weight > 0 && s->weight < HUGE_VAL))
        return CS_OK;
    return cs_fail(err, CS_RANGE,
                   "mixture: the weight of the member %s must be a positive "
                   "number, not %g",
                   s->name, s->weight);
}

static cs_status check_member(const cs_composed *c, const cs_member_spec *spec,
                              size_t k, cs_error *err)
{
    cs_status s = check_name(c, spec, k, err);
    if (s == CS_OK)
        s = check_kernel(c, &spec[k], err);
    if (s == CS_OK)
        s = check_on(c, &spec[k], err);
    return s ? s : check_weight(c, &spec[k], err);
}

/* ---- rows and stats ------------------------------------------------------ */

/* Finds the members that report divergences. */
static void find_divergent(cs_composed *c)
{
    for (size_t k = 0; k < c->n; k++) {
        const char *const *stats = c->member[k].kernel.type->stats;
        c->member[k].divergent = -1;
        for (int i = 0; stats && stats[i]; i++)
            if (strcmp(stats[i], "divergent__") == 0)
                c->member[k].divergent = i;
        if (c->member[k].divergent >= 0)
            c->n_own = 1;
    }
}

static cs_status count_rows(cs_composed *c, cs_error *err)
{
    find_divergent(c);
    size_t params = 0, lists = 0, stats = c->n_own;
    for (size_t k = 0; k < c->n; k++) {
        const cs_kernel_type *type = c->member[k].kernel.type;
        c->member[k].first_param = params;
        c->member[k].first_list = lists;
        c->member[k].first_stat = stats;
        params += type->n_params;
        lists += type->n_lists;
        stats += cs_kernel_count_stats(type);
    }
    c->type.n_params = params;
    c->type.n_lists = lists;
    c->n_stats = stats;
    if (params <= CS_KERNEL_PARAMS && stats <= CS_KERNEL_STATS)
        return CS_OK;
    return cs_fail(err, CS_UNSUPPORTED,
                   "%s: the members have %zu parameters and %zu stats "
                   "together, more than %d and %d",
                   word_of(c), params, stats, CS_KERNEL_PARAMS,
                   CS_KERNEL_STATS);
}

/* Copies a row of member q to row number `at`, with the name MEMBER.NAME. */
static void name_row(cs_composed *c, const cs_member *q, const cs_param *row,
                     size_t at)
{
    snprintf(c->names[at], sizeof *c->names, "%s.%s", q->name, row->name);
    c->rows[at] = *row;
    c->rows[at].name = c->names[at];
}

void cs_member_stat_name(const char *path, const char *stat, char *name,
                         size_t size)
{
    size_t used = 0;
    for (; *path && used + 2 < size; path++)
        if (*path == '.')
            used += (size_t)snprintf(name + used, size - used, "__");
        else
            name[used++] = *path;
    snprintf(name + used, size - used, "%s", stat);
}

/* Adds the rows and stats of member q. */
static void name_rows(cs_composed *c, const cs_member *q, double *values)
{
    const cs_kernel_type *type = q->kernel.type;
    size_t rows = c->type.n_params + c->type.n_lists;
    for (size_t i = 0; i < type->n_params; i++) {
        name_row(c, q, &type->params[i], q->first_param + i);
        values[q->first_param + i] = q->kernel.values[i];
    }
    for (size_t i = 0; i < type->n_lists; i++)
        name_row(c, q, &type->params[type->n_params + i],
                 c->type.n_params + q->first_list + i);
    for (size_t i = 0; type->stats && type->stats[i]; i++) {
        size_t at = q->first_stat + i;
        char *name = c->names[rows + at];
        char path[sizeof q->name + 1];
        snprintf(path, sizeof path, "%s.", q->name);
        cs_member_stat_name(path, type->stats[i], name, sizeof *c->names);
        c->stats[at] = name;
    }
}

static cs_status join_rows(cs_composed *c, double *values, cs_error *err)
{
    cs_status s = count_rows(c, err);
    if (s)
        return s;
    size_t n = c->type.n_params + c->type.n_lists;
    c->rows = cs_alloc(n + 1, sizeof *c->rows);
    c->names = cs_alloc(n + c->n_stats + 1, sizeof *c->names);
    c->stats = cs_alloc(c->n_stats + 1, sizeof *c->stats);
    if (!c->rows || !c->names || !c->stats)
        return no_memory(err);
    if (c->n_own)
        c->stats[0] = "divergent__";
    for (size_t k = 0; k < c->n; k++)
        name_rows(c, &c->member[k], values);
    c->type.params = c->rows;
    c->type.stats = c->stats;
    return CS_OK;
}

const double *cs_composed_list(const cs_composed *c, size_t i, size_t *n)
{
    for (size_t k = c->n; k-- > 0;)
        if (i >= c->member[k].first_list && i < c->type.n_lists)
            return cs_kernel_list(&c->member[k].kernel,
                                  i - c->member[k].first_list, n);
    *n = 0;
    return NULL;
}

/* ---- members ------------------------------------------------------------- */

/* Copies the names or the coordinates of a member. */
static cs_status copy_on(cs_member *q, const cs_member_spec *s, cs_error *err)
{
    q->n = s->n;
    q->n_on = s->n ? 0 : s->n_on;
    if (s->n && !(q->coordinate = cs_alloc(s->n, sizeof *q->coordinate)))
        return no_memory(err);
    if (q->n_on && !(q->on = cs_alloc(q->n_on, sizeof *q->on)))
        return no_memory(err);
    for (size_t i = 0; i < q->n; i++)
        q->coordinate[i] = s->coordinate[i];
    for (size_t i = 0; i < q->n_on; i++) {
        if (strlen(s->on[i]) >= sizeof *q->on)
            return cs_fail(err, CS_INPUT, "the name '%s' is too long",
                           s->on[i]);
        snprintf(q->on[i], sizeof *q->on, "%s", s->on[i]);
    }
    return CS_OK;
}

/* Notes the coordinates that a member sums out. */
static cs_status make_sums(cs_composed *c, cs_member *q,
                           const cs_member_spec *s, cs_error *err)
{
    assert(s->n || s->n_on);
    if (q->kernel.type->composes)
        return cs_fail(err, CS_INPUT,
                       "%s: the member %s is made of several kernels: write "
                       "'sum_out' in its members",
                       word_of(c), q->name);
    q->sums = cs_alloc(1, sizeof *q->sums);
    if (!q->sums)
        return no_memory(err);
    *q->sums = (cs_member){.times = 1};
    snprintf(q->sums->name, sizeof q->sums->name, "%s", q->name);
    cs_threefry2x64(20, (uint64_t[2]){1, 0}, q->mix.word, q->sums->mix.word);
    c->sums = true;
    c->n_sums++;
    return copy_on(q->sums, s, err);
}

/* Creates member number k, and the key of its streams. The keys of a path of
 * nested members differ in height, so that no two paths give the same key. */
static cs_status make_member(cs_composed *c, size_t k, const cs_member_spec *s,
                             double weight, cs_error *err)
{
    cs_member *q = &c->member[k];
    *q = (cs_member){.kernel = *s->kernel,
                     .times = s->times,
                     .metric = cs_metric_hold(s->metric),
                     .weight = weight};
    snprintf(q->name, sizeof q->name, "%s", s->name);
    cs_threefry2x64(20, (uint64_t[2]){k + 1, c->height - 1},
                    (uint64_t[2]){UINT64_C(0x6d656d626572), 0}, q->mix.word);
    c->n = k + 1;
    q->ahead = c->n_ahead;
    c->n_ahead += cs_kernel_count_ahead(&q->kernel);
    q->time = cs_alloc(1, sizeof *q->time);
    if (!q->time)
        return no_memory(err);
    cs_status status = copy_on(q, s, err);
    return status || !s->sums ? status : make_sums(c, q, s->sums, err);
}

static unsigned height_of(const cs_member_spec *spec, size_t n)
{
    unsigned most = 1;
    for (size_t k = 0; k < n; k++) {
        const cs_composed *c = cs_composed_of(spec[k].kernel);
        most = c && c->height + 1 > most ? c->height + 1 : most;
    }
    return most;
}

static void release_member(cs_member *q)
{
    if (q->sums)
        release_member(q->sums);
    cs_target_release(q->target);
    cs_metric_let_go(q->metric);
    CS_FREE_ALL(q->coordinate, q->on, q->time, q->sums);
}

static void release(void *self)
{
    cs_composed *c = self;
    for (size_t k = 0; k < c->n; k++) {
        if (c->member[k].owner == k)
            cs_sum_out_destroy(c->member[k].sum_out);
        release_member(&c->member[k]);
    }
    cs_target_release(c->whole);
    cs_free((void *)c->stats);
    CS_FREE_ALL(c->member, c->rows, c->names, c->held, c);
}

static void put_metric(const cs_member *q, cs_page *p)
{
    const cs_metric *metric = q->metric;
    char name[64];
    if (!metric)
        return;
    snprintf(name, sizeof name, "member.%s.metric", q->name);
    cs_parts_numbers(p, name, metric->covariance,
                     cs_metric_words(metric->kind, metric->dim), 1);
}

static void parts(const void *self, cs_page *p)
{
    const cs_composed *c = self;
    for (size_t k = 0; k < c->n; k++) {
        const cs_member *q = &c->member[k];
        const cs_instance_type *type = q->kernel.type->instance;
        cs_page_put(p, "member.%s = %s, %llu steps, weight %.17g", q->name,
                    q->kernel.type->name, (unsigned long long)q->times,
                    q->weight);
        for (size_t i = 0; i < q->n; i++)
            cs_page_put(p, "%s%u", i ? " " : ", on ", q->coordinate[i] + 1);
        for (size_t i = 0; q->sums && i < q->sums->n; i++)
            cs_page_put(p, "%s%u", i ? " " : ", sums out ",
                        q->sums->coordinate[i] + 1);
        cs_page_put(p, "\n");
        put_metric(q, p);
        if (type && type->parts)
            type->parts(q->kernel.self, p);
    }
}

/* Writes why the coordinates that a member has summed out cannot be drawn. */
static void explain_sum(const cs_composed *c, const cs_reason *why, char *text,
                        size_t size)
{
    char name[64];
    cs_target_name_coordinate(c->whole, (size_t)why->row, name, sizeof name);
    snprintf(text, size, "log p is NaN for %s = %.6g", name, why->value);
}

void cs_composed_explain(const cs_composed *c, const cs_reason *why, char *text,
                         size_t size)
{
    char inner[192];
    int n = (int)c->n;
    const cs_member *q = &c->member[why->code % n];
    cs_reason of = *why;
    of.code = why->code / n;
    if (q->sums && of.code == CS_REASON_SUMMED)
        explain_sum(c, &of, inner, sizeof inner);
    else
        cs_kernel_explain(&q->kernel, &of, inner, sizeof inner);
    snprintf(text, size, "the member %s: %s", q->name, inner);
}

static const cs_instance_type instance = {.release = release, .parts = parts};

/* Writes the name of the kernel: the names of the members' kernels, if it has
 * room for them. */
static void call(cs_composed *c)
{
    size_t used = 0;
    for (size_t k = 0; k < c->n && used < sizeof c->kind; k++)
        used += (size_t)snprintf(c->kind + used, sizeof c->kind - used,
                                 "%s%s%s%s", k ? "" : word_of(c), k ? "+" : "(",
                                 c->member[k].kernel.type->name,
                                 k + 1 < c->n ? "" : ")");
    if (used >= sizeof c->kind)
        snprintf(c->kind, sizeof c->kind, "%s(%zu)", word_of(c), c->n);
    snprintf(c->title, sizeof c->title, "A %s of %zu members", word_of(c),
             c->n);
}

/* Describes the kernel. It has no accept step of its own. A mixture may be
 * reversible if each member is with some values: see
 * cs_kernel_is_reversible. */
static void describe(cs_composed *c)
{
    const unsigned any = CS_KERNEL_GRADIENT | CS_KERNEL_MAIN_THREAD |
                         CS_KERNEL_UNEVEN | CS_KERNEL_CONDITIONAL;
    unsigned flags = CS_KERNEL_HIDDEN | CS_KERNEL_EXACT |
                     (c->mixture ? CS_KERNEL_REVERSIBLE : 0);
    for (size_t k = 0; k < c->n; k++) {
        const cs_kernel_type *type = c->member[k].kernel.type;
        unsigned both = type->flags;
        if (type->is_reversible)
            both |= CS_KERNEL_REVERSIBLE;
        const cs_composed *inner = cs_composed_of(&c->member[k].kernel);
        c->sums |= inner && inner->sums;
        flags |= type->flags & any;
        flags &= both | ~(unsigned)(CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE);
    }
    call(c);
    c->type.name = c->kind;
    c->type.title = c->title;
    c->type.help = c->mixture
                       ? "Makes a step of one member, which is chosen at "
                         "random."
                       : "Makes a step of each member in order.";
    c->type.spaces = CS_DISCRETE | CS_CONTINUOUS | CS_MIXED;
    c->type.flags = flags;
    c->type.composes = true;
    c->type.instance = &instance;
    c->type.report = cs_composed_report;
    c->type.init = cs_composed_init;
    c->type.step = cs_composed_step;
}

static cs_status fill(cs_composed *c, const cs_member_spec *spec, size_t n,
                      cs_error *err)
{
    double total = 0;
    for (size_t k = 0; k < n; k++) {
        cs_status s = check_member(c, spec, k, err);
        if (s)
            return s;
        total += spec[k].weight;
    }
    c->height = height_of(spec, n);
    c->n_ahead = 1;
    c->member = cs_alloc(n, sizeof *c->member);
    if (!c->member)
        return no_memory(err);
    for (size_t k = 0; k < n; k++) {
        double weight = c->mixture ? spec[k].weight / total : 1;
        cs_status s = make_member(c, k, &spec[k], weight, err);
        if (s)
            return s;
    }
    cs_status s = join_rows(c, c->values, err);
    if (s == CS_OK)
        describe(c);
    return s;
}

static cs_status compose(cs_kernel *k, cs_target *whole,
                         const cs_member_spec *spec, size_t n, bool mixture,
                         cs_error *err)
{
    assert(k && spec && n >= 1);
    cs_composed *c = cs_alloc(1, sizeof *c);
    if (!c)
        return no_memory(err);
    c->mixture = mixture;
    cs_status s = fill(c, spec, n, err);
    if (s == CS_OK && whole)
        s = cs_composed_bind(c, whole, err);
    if (s) {
        release(c);
        return s;
    }
    *k = (cs_kernel){.type = &c->type, .self = c};
    memcpy(k->values, c->values, sizeof c->values);
    return CS_OK;
}

cs_status cs_kernel_cycle(cs_kernel *k, cs_target *whole,
                          const cs_member_spec *spec, size_t n, cs_error *err)
{
    return compose(k, whole, spec, n, false, err);
}

cs_status cs_kernel_mixture(cs_kernel *k, cs_target *whole,
                            const cs_member_spec *spec, size_t n, cs_error *err)
{
    return compose(k, whole, spec, n, true, err);
}

cs_kernel cs_kernel_member(const cs_kernel *k, size_t i)
{
    const cs_composed *c = cs_composed_of(k);
    assert(c && i < c->n);
    cs_kernel member = c->member[i].kernel;
    memcpy(member.values, k->values + c->member[i].first_param,
           member.type->n_params * sizeof *member.values);
    return member;
}
