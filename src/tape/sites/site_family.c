#include "tape/sites/site_family.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

static uint64_t hash_of(const cs_site_shape *s)
{
    uint64_t h = cs_hash_word(s->n, s->n_constants);
    for (size_t i = 0; i < s->n; i++)
        h = cs_hash_word(h, s->word[i]);
    return h;
}

static bool same(const cs_site_shape *a, const cs_site_shape *b)
{
    return a->n == b->n && a->n_constants == b->n_constants &&
           (!a->n || !memcmp(a->word, b->word, a->n * sizeof *a->word));
}

static void place(cs_site_families *f, uint32_t k)
{
    size_t at = f->item[k].hash & (f->table_capacity - 1);
    while (f->table[at])
        at = (at + 1) & (f->table_capacity - 1);
    f->table[at] = k + 1;
}

static bool widen(cs_site_families *f)
{
    if (2 * (f->n + 1) <= f->table_capacity)
        return true;
    size_t capacity = f->table_capacity ? 2 * f->table_capacity : 64;
    uint32_t *table = cs_alloc(capacity, sizeof *table);
    if (!table)
        return false;
    cs_free(f->table);
    f->table = table;
    f->table_capacity = capacity;
    for (uint32_t k = 0; k < f->n; k++)
        place(f, k);
    return true;
}

static bool enter_new(cs_site_families *f, uint32_t site,
                      const cs_site_shape *shape, uint64_t hash)
{
    bool *varies = cs_alloc(shape->n_constants + 1, sizeof *varies);
    double *constant = cs_alloc(shape->n_constants + 1, sizeof *constant);
    uint64_t *word = cs_alloc(shape->n + 1, sizeof *word);
    if (!varies || !constant || !word ||
        !CS_GROW(f->item, f->n, f->capacity, 1)) {
        CS_FREE_ALL(varies, constant, word);
        return false;
    }
    cs_site_family *to = &f->item[f->n];
    *to = (cs_site_family){.shape = *shape,
                           .hash = hash,
                           .first = site,
                           .sites = 1,
                           .varies = varies};
    to->shape.word = word;
    to->shape.constant = constant;
    for (size_t i = 0; i < shape->n_constants; i++)
        constant[i] = shape->constant[i];
    for (size_t i = 0; i < shape->n; i++)
        word[i] = shape->word[i];
    place(f, (uint32_t)f->n++);
    return true;
}

/* Compares bits, so that 0 and -0 differ. */
static bool differ(double a, double b)
{
    return memcmp(&a, &b, sizeof a) != 0;
}

bool cs_site_families_enter(cs_site_families *f, uint32_t site,
                            const cs_site_shape *shape, uint32_t *family)
{
    uint64_t hash = hash_of(shape);
    if (!widen(f))
        return false;
    size_t at = hash & (f->table_capacity - 1);
    for (; f->table[at]; at = (at + 1) & (f->table_capacity - 1)) {
        cs_site_family *k = &f->item[f->table[at] - 1];
        if (k->hash != hash || !same(&k->shape, shape))
            continue;
        for (size_t i = 0; i < shape->n_constants; i++)
            k->varies[i] |= differ(k->shape.constant[i], shape->constant[i]);
        k->sites++;
        *family = f->table[at] - 1;
        return true;
    }
    *family = (uint32_t)f->n;
    return enter_new(f, site, shape, hash);
}

void cs_site_families_free(cs_site_families *f)
{
    for (size_t k = 0; k < f->n; k++)
        CS_FREE_ALL(f->item[k].shape.word, f->item[k].shape.constant,
                    f->item[k].varies);
    CS_FREE_ALL(f->item, f->table);
    *f = (cs_site_families){0};
}
