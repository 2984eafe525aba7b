#include "kernel/member_metrics.h"

#include "base/memory.h"

#include <stdio.h>

/* Returns the tree of member i, or NULL. */
static const cs_metric *below(const cs_metric *all, size_t i)
{
    return all ? all->member[i] : NULL;
}

/* Finds leaf number *left; decreases *left by the number of leaves before it.
 * Returns true if c has it. */
static bool find(const cs_composed *c, const cs_metric *all, size_t *left,
                 cs_metric **out)
{
    for (size_t i = 0; i < c->n; i++) {
        const cs_composed *inner = cs_composed_of(&c->member[i].kernel);
        if (inner && find(inner, below(all, i), left, out))
            return true;
        if (inner || (*left)-- > 0)
            continue;
        *out = cs_member_metric(c, i, all);
        return true;
    }
    return false;
}

cs_metric *cs_composed_metric(const cs_composed *c, const cs_metric *all,
                              size_t leaf)
{
    cs_metric *found = NULL;
    (void)find(c, all, &leaf, &found);
    return found;
}

/* The metrics of some leaves. */
typedef struct news {
    const size_t *leaf; /* [n] */
    cs_metric *const *found;
    size_t n, next; /* next: number of the next leaf */
} news;

static cs_metric *tree_of(const cs_composed *c, const cs_metric *all, news *s)
{
    bool good = true;
    cs_metric **member = cs_alloc(c->n, sizeof *member);
    for (size_t i = 0; member && i < c->n; i++) {
        const cs_composed *inner = cs_composed_of(&c->member[i].kernel);
        if (inner) {
            member[i] = tree_of(inner, below(all, i), s);
            good &= member[i] != NULL;
            continue;
        }
        cs_metric *to = all ? all->member[i] : NULL;
        for (size_t k = 0; k < s->n; k++)
            if (s->leaf[k] == s->next && s->found[k])
                to = s->found[k];
        member[i] = cs_metric_hold(to);
        s->next++;
    }
    cs_metric *tree =
        member && good ? cs_metric_of_members(member, c->n) : NULL;
    for (size_t i = 0; member && i < c->n; i++)
        cs_metric_let_go(member[i]);
    cs_free(member);
    return tree;
}

cs_metric *cs_composed_metrics(const cs_composed *c, const cs_metric *all,
                               const size_t *leaf, cs_metric *const *found,
                               size_t n)
{
    assert(c && leaf && found);
    news s = {.leaf = leaf, .found = found, .n = n};
    return tree_of(c, all, &s);
}

bool cs_metric_serves(const cs_metric *metric, const cs_kernel *k, size_t dim)
{
    const cs_composed *c = cs_composed_of(k);
    if (!metric)
        return true;
    if (!c)
        return metric->n_members == 0 && metric->dim == dim;
    bool good = metric->n_members == c->n;
    for (size_t i = 0; good && i < c->n; i++) {
        const cs_member *q = &c->member[i];
        bool uses = q->kernel.type->composes ||
                    (q->kernel.type->flags & CS_KERNEL_METRIC &&
                     cs_space_is_real(&q->target->space));
        good = !metric->member[i] ||
               (uses && cs_metric_serves(metric->member[i], &q->kernel, q->n));
    }
    return good;
}

static void show_all(const cs_composed *c, const cs_metric *all,
                     const char *path, cs_show_metric *show, void *self)
{
    for (size_t i = 0; i < c->n; i++) {
        const cs_composed *inner = cs_composed_of(&c->member[i].kernel);
        cs_metric *metric = inner ? NULL : cs_member_metric(c, i, all);
        char name[128];
        snprintf(name, sizeof name, "%s%s%s", path, *path ? "." : "",
                 c->member[i].name);
        if (inner)
            show_all(inner, below(all, i), name, show, self);
        else if (metric)
            show(self, name, metric);
    }
}

void cs_composed_show_metrics(const cs_kernel *k, const cs_metric *metric,
                              cs_show_metric *show, void *self)
{
    const cs_composed *c = cs_composed_of(k);
    if (c)
        show_all(c, metric, "", show, self);
}

/* The page with the kinds of metrics. */
typedef struct kinds {
    cs_page *p;
    size_t n;
} kinds;

static void put_kind(void *self, const char *path, const cs_metric *metric)
{
    kinds *s = self;
    cs_page_put(s->p, "%s%s %s", s->n++ ? ", " : "", path,
                cs_metric_names[metric->kind]);
}

void cs_metric_put_kind(const cs_kernel *k, const cs_metric *metric, cs_page *p)
{
    kinds s = {.p = p};
    if (k->type->composes)
        cs_composed_show_metrics(k, metric, put_kind, &s);
    if (!s.n)
        cs_page_put(p, "%s", cs_metric_names[cs_metric_kind_of(metric)]);
}
