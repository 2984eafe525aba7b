/* The metrics that the members of a composed kernel have learned.
 *
 * An arm has one metric (kernel/metric.h). For a composed kernel this metric is a
 * tree: it has one entry per member, which is the metric of the member's
 * coordinates, or again a metric with entries if the member is composed. NULL:
 * the member has the metric that it was created with, if any. Leaves, the members
 * that are not composed, are numbered from 0 in the order of the tree. */
#pragma once

#include "base/page.h"
#include "kernel/composed.h"

/* Returns the metric of member i of c: that of the tree `all`, which may be NULL,
 * or the one that the member was created with. */
static inline cs_metric *cs_member_metric(const cs_composed *c, size_t i,
                                          const cs_metric *all)
{
    assert(!all || all->n_members == c->n);
    cs_metric *learned = all ? all->member[i] : NULL;
    return learned ? learned : c->member[i].metric;
}

/* Returns the metric of leaf number `leaf` with the tree `all`, or NULL. */
cs_metric *cs_composed_metric(const cs_composed *c, const cs_metric *all,
                              size_t leaf);

/* Creates the tree in which leaf[i] has the metric found[i], for i < n; an entry
 * NULL, and all other leaves, are as in `all`. The caller holds it. Returns NULL
 * if memory runs out. */
cs_metric *cs_composed_metrics(const cs_composed *c, const cs_metric *all,
                               const size_t *leaf, cs_metric *const *found,
                               size_t n);

/* Returns true if a kernel in `dim` coordinates can have this metric, which may
 * be NULL: for a composed kernel a tree of its shape, for others a metric without
 * members. */
bool cs_metric_serves(const cs_metric *metric, const cs_kernel *k, size_t dim);

/* Calls `show` for each leaf of k that has a metric other than the unit metric,
 * with the path of the leaf, MEMBER or MEMBER.MEMBER. Does nothing for a kernel
 * without members. */
typedef void cs_show_metric(void *self, const char *path,
                            const cs_metric *metric);
void cs_composed_show_metrics(const cs_kernel *k, const cs_metric *metric,
                              cs_show_metric *show, void *self);

/* Writes the kind of a metric: "dense", or for a composed kernel "mu dense, tau
 * diagonal", or "unit" if no member has another. */
void cs_metric_put_kind(const cs_kernel *k, const cs_metric *metric,
                        cs_page *p);
