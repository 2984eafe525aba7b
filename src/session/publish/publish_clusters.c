/* Publishes the clusters of the selected chain, for an Ising or Potts model. A
 * satisfied bond is kept with probability 1 - exp(-|K|) (Edwards and Sokal
 * 1988, Eq. 3); sites connected by kept bonds form a cluster. The kernel
 * swendsen_wang could move such clusters in this state. The random numbers of
 * the picture are separate from those of the chain. */
#include "base/hash.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "session/client/snapshot_rows.h"
#include "session/publish/publish.h"
#include "session/state/session_state.h"

#include <math.h>
#include <string.h>

typedef struct clusters {
    const cs_target *t;
    const double *x; /* value of a site: x[site * stride] */
    size_t stride;
    uint64_t key;
    /* [dim] parent of a site, which is another site of the same cluster; the
     * parent of a root is the root itself */
    uint32_t *parent;
    uint32_t *size; /* [dim] size of a cluster, stored at its root */
} clusters;

static uint32_t root_of(clusters *c, uint32_t site)
{
    while (c->parent[site] != site) {
        c->parent[site] = c->parent[c->parent[site]];
        site = c->parent[site];
    }
    return site;
}

static bool holds(const clusters *c, uint32_t a, uint32_t b, double strength)
{
    bool alike = c->x[a * c->stride] == c->x[b * c->stride];
    if (strength == 0 || alike != (strength > 0))
        return false;
    uint64_t h = cs_hash_word(cs_hash_word(c->key, a), b);
    h = cs_hash_word(cs_hash_word(h, 1), 2);
    return (double)(h >> 11) * 0x1p-53 < -expm1(-fabs(strength));
}

/* Joins sites that are connected by kept bonds. Each bond is listed at both
 * of its ends but processed only once. */
static void join(clusters *c)
{
    for (uint32_t i = 0; i < c->t->space.dim; i++) {
        cs_site_bonds b = c->t->type->sites.bonds(c->t, i);
        for (size_t k = 0; k < b.n; k++) {
            uint32_t j = b.other[k];
            if (j <= i || !holds(c, i, j, b.scale * b.strength[k]))
                continue;
            uint32_t one = root_of(c, i), other = root_of(c, j);
            c->parent[one] = other;
        }
    }
}

/* Writes the roots of the largest clusters in decreasing order of size. Returns
 * the total number of clusters. */
static size_t rank(clusters *c, uint32_t *largest, size_t most)
{
    size_t n = 0, kept = 0;
    for (uint32_t i = 0; i < c->t->space.dim; i++)
        c->size[root_of(c, i)]++;
    for (uint32_t i = 0; i < c->t->space.dim; i++) {
        size_t at = kept;
        if (!c->size[i])
            continue;
        n++;
        while (at && c->size[i] > c->size[largest[at - 1]])
            at--;
        if (at == most)
            continue;
        kept += kept < most;
        memmove(largest + at + 1, largest + at,
                (kept - at - 1) * sizeof *largest);
        largest[at] = i;
    }
    return n;
}

/* Publishes, for each site, 1 + the rank of its cluster, or 1 +
 * CS_CLUSTERS_NAMED for sites in smaller clusters. */
static void put_ranks(clusters *c, size_t first, size_t n, cs_flat *f)
{
    uint32_t largest[CS_CLUSTERS_NAMED];
    size_t found = rank(c, largest, CS_CLUSTERS_NAMED);
    size_t named = found < CS_CLUSTERS_NAMED ? found : CS_CLUSTERS_NAMED;
    char *to = cs_flat_room(f, n, "look/picture/clusters");
    for (size_t i = 0; to && i < n; i++) {
        uint32_t root = root_of(c, (uint32_t)(first + i));
        size_t k = 0;
        while (k < named && largest[k] != root)
            k++;
        to[i] = (char)(1 + (k < named ? k : CS_CLUSTERS_NAMED));
    }
    cs_flat_number(f, (double)found, "look/picture/clusters_n");
    cs_flat_number(f,
                   named ? (double)c->size[largest[0]] / (double)c->t->space.dim
                         : (double)NAN,
                   "look/picture/clusters_share");
}

void cs_session_put_clusters(const cs_session *s, size_t first, size_t n,
                             cs_flat *f)
{
    const cs_target *t = cs_run_target(s->open.run);
    size_t dim = t->space.dim;
    cs_lane_view at = cs_run_lane(s->open.run, s->look.arm, s->look.chain);
    if (!t->type->sites.bonds || !at.x || first + n > dim || dim > UINT32_MAX)
        return;
    clusters c = {.t = t,
                  .x = at.x,
                  .stride = at.stride,
                  .key =
                      cs_hash_word(cs_run_steps(s->open.run), s->look.chain)};
    c.parent = cs_alloc(2 * dim, sizeof *c.parent);
    if (!c.parent)
        return;
    c.size = c.parent + dim;
    for (uint32_t i = 0; i < dim; i++)
        c.parent[i] = i;
    join(&c);
    put_ranks(&c, first, n, f);
    cs_free(c.parent);
}
