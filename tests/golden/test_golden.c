/* Tests that the first draws of every kernel never change. Each kernel runs
 * with the settings of the law book on every compatible registered target, at
 * seed 1. The bits must not depend on the instruction set or on compiler
 * settings. A line of golden/draws.txt has the kernel, the number of its
 * setting, the target, and a hash. This is the FNV-1a hash of log p and x of 4
 * chains over 250 steps (1000 draws). For information, the line also has the
 * last log p of each chain. */
#include "support/support.h"

#include "base/memory.h"
#include "simd/variants.h"
#include "support/laws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAINS = 4, STEPS = 250, LINE = 200, LINES = 2048, LIMIT = 100000 };

static uint64_t hash(uint64_t sum, const double *value, size_t n)
{
    const unsigned char *byte = (const unsigned char *)value;
    for (size_t i = 0; i < n * sizeof *value; i++)
        sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static cs_block *started(const setting *s, cs_target *t, uint64_t seed,
                         size_t first, size_t chains)
{
    cs_block *b;
    assert_int_equal(
        cs_block_create(&b, t, &s->kernel, seed, first, chains, NULL, 0, NULL),
        CS_OK);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    return b;
}

/* Returns the hash of the next STEPS states of each chain in a block, chain by
 * chain. Padding lanes are not included. */
static uint64_t draws(cs_block *b)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    double *x = cs_alloc(b->move.dim, sizeof *x);
    for (int i = 0; i < STEPS; i++) {
        assert_int_equal(cs_block_run(b, NULL, 1, NULL), 1);
        for (size_t l = 0; l < CHAINS; l++) {
            cs_block_state(b, l, x);
            sum = hash(sum, &b->move.info.logp[l], 1);
            sum = hash(sum, x, b->move.dim);
        }
    }
    cs_free(x);
    return sum;
}

static bool write_line(char *line, const setting *s, size_t number,
                       cs_target *t, uint64_t seed)
{
    const cs_kernel *k = &s->kernel;
    if (cs_kernel_fits(k, t, NULL) != CS_OK)
        return false;
    cs_block *b = started(s, t, seed, 0, CHAINS);
    uint64_t sum = draws(b);
    const double *logp = b->move.info.logp;
    snprintf(line, LINE, "%s/%zu %s %016llx %.6g %.6g %.6g %.6g\n",
             k->type->name, number, t->type->name, (unsigned long long)sum,
             logp[0], logp[1], logp[2], logp[3]);
    cs_block_destroy(b);
    return true;
}

static char now[LINES][LINE];

/* Returns true if draws.txt contains the draws of setting k. A wrapper (a
 * kernel that contains another kernel) is stored only for the first target that
 * fits. Another test compares the wrapper's steps bit by bit with the steps of
 * the inner kernel. If a kernel draws rows in proportion to bounds, it is
 * stored only with its default setting. The other settings are for the three
 * rows in the law book, and would draw millions of rows on other targets. */
static bool is_kept(const setting *s, size_t k, uint64_t seen)
{
    if (s->kernel.type->prepare)
        return k == 0;
    return !s->kernel.type->wraps || !(seen >> k & 1);
}

/* Creates a target with default parameters. Returns NULL if the type has a
 * required parameter. If `limited`, exact simulations for `autologistic` end
 * after LIMIT updates instead of 1e8, because a few states need very many
 * updates. */
static cs_target *target_of(const cs_target_type *type, bool limited)
{
    const cs_value limit = {
        .name = "limit", .kind = CS_PARAM_REAL, .number = LIMIT};
    bool simulates = strcmp(type->name, "autologistic") == 0;
    cs_target *t = NULL;
    cs_target_create(type, &limit, limited && simulates, &t, NULL);
    return t;
}

/* A function of a setting and a target; returns false if they are
 * incompatible. */
typedef bool visit(const setting *s, size_t number, cs_target *t, void *self);

/* Calls f for every stored setting and target, in the order of the
 * registries. */
static void visit_all(visit *f, void *self, bool limited)
{
    uint64_t seen[64] = {0};
    const cs_target_type *type;
    for (size_t i = 0; (type = cs_target_at(i)); i++) {
        cs_target *t = target_of(type, limited);
        const cs_kernel_type *kernel;
        if (!t)
            continue;
        setting s;
        for (size_t j = 0; (kernel = cs_kernel_at(j)); j++)
            for (size_t k = 0; law_setting(kernel, k, &s); k++) {
                if (is_kept(&s, k, seen[j]) && f(&s, k, t, self))
                    seen[j] |= UINT64_C(1) << k;
            }
        cs_target_release(t);
    }
}

typedef struct kept_lines {
    uint64_t seed;
    size_t n, most; /* lines written, and their maximum number */
} kept_lines;

static bool add_line(const setting *s, size_t number, cs_target *t, void *self)
{
    kept_lines *all = self;
    if (all->n == all->most)
        return false;
    if (!write_line(now[all->n], s, number, t, all->seed))
        return false;
    all->n++;
    return true;
}

static size_t write_lines(uint64_t seed, size_t most)
{
    kept_lines all = {.seed = seed, .most = most};
    visit_all(add_line, &all, false);
    return all.n;
}

/* Returns how many of the n lines are missing from the file, plus 1 if the file
 * does not have exactly n lines. */
static size_t missing(const char *path, size_t n, bool say)
{
    static char kept[LINES * LINE];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    kept[fread(kept, 1, sizeof kept - 1, f)] = 0;
    fclose(f);
    size_t lines = 0, off = 0;
    for (const char *at = kept; (at = strchr(at, '\n')); at++)
        lines++;
    for (size_t i = 0; i < n; i++)
        if (!strstr(kept, now[i])) {
            if (say)
                print_error("not as kept: %s", now[i]);
            off++;
        }
    return off + (lines != n);
}

static void draws_are_as_kept(void **state)
{
    (void)state;
    size_t n = write_lines(1, LINES);
    assert_true(n > 0 && n < LINES);
    if (getenv("UPDATE")) {
        FILE *f = fopen("golden/draws.txt", "w");
        assert_non_null(f);
        for (size_t i = 0; i < n; i++)
            fputs(now[i], f);
        fclose(f);
    }
    if (missing("golden/draws.txt", n, true) != 0)
        fail_msg("draws are not as kept. A new kernel, setting or target adds "
                 "lines; lines change where an algorithm was wrong, and for no "
                 "other reason. Then: cmake --build build --target "
                 "regenerate_draws");
}

enum { MANY = 17, FEW_STEPS = 6 };

/* Computes sum[l], the hash of the states of chain first + l. The chains are in
 * a block of `chains` chains. */
static void sums(const setting *s, cs_target *t, size_t first, size_t chains,
                 uint64_t *sum)
{
    cs_block *b = started(s, t, 1, first, chains);
    double *x = cs_alloc(b->move.dim, sizeof *x);
    for (size_t l = 0; l < chains; l++)
        sum[l] = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < FEW_STEPS; i++) {
        assert_int_equal(cs_block_run(b, NULL, 1, NULL), 1);
        for (size_t l = 0; l < chains; l++) {
            cs_block_state(b, l, x);
            sum[l] =
                hash(hash(sum[l], &b->move.info.logp[l], 1), x, b->move.dim);
        }
    }
    cs_free(x);
    cs_block_destroy(b);
}

static const struct {
    size_t first, chains;
} shapes[] = {{0, 1}, {0, 3}, {0, 5}, {3, 9}, {0, 12}, {16, 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes, IN_TURN = 2 };

typedef struct comparison {
    /* kernel type and setting number of each of the n settings that were
     * compared */
    const cs_kernel_type *met[LINES];
    size_t number[LINES], n;
    size_t turn, off; /* turn: index of the next shape; off: number of blocks
                       * that differ */
} comparison;

/* Returns true if the setting has not been compared yet, and records it as
 * compared. */
static bool is_new(comparison *c, const setting *s, size_t number)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->met[i] == s->kernel.type && c->number[i] == number)
            return false;
    assert_true(c->n < LINES);
    c->met[c->n] = s->kernel.type;
    c->number[c->n++] = number;
    return true;
}

static bool is_as_many(const setting *s, cs_target *t, size_t shape,
                       const uint64_t *many)
{
    uint64_t some[MANY];
    size_t first = shapes[shape].first, n = shapes[shape].chains;
    sums(s, t, first, n, some);
    if (memcmp(some, many + first, n * sizeof *some) == 0)
        return true;
    print_error("%s (%g, %g) on %s: %zu chains from %zu on are not those of "
                "%d\n",
                s->kernel.type->name, s->kernel.values[0], s->kernel.values[1],
                t->type->name, n, first, MANY);
    return false;
}

/* Compares blocks of several shapes with one large block of the same chains.
 * The first target of a setting is compared in every shape. Each other target
 * is compared in two shapes, which are taken in rotation. */
static bool compare_blocks(const setting *s, size_t number, cs_target *t,
                           void *self)
{
    comparison *c = self;
    uint64_t many[MANY];
    if (cs_kernel_fits(&s->kernel, t, NULL) != CS_OK)
        return false;
    sums(s, t, 0, MANY, many);
    for (size_t n = is_new(c, s, number) ? SHAPES : IN_TURN; n; n--)
        c->off += !is_as_many(s, t, c->turn++ % SHAPES, many);
    return true;
}

/* Chains draw the same states in blocks of any size. Therefore the draws do not
 * depend on the number of lanes, which differs between instruction sets. */
static void blocks_draw_the_same(void **state)
{
    (void)state;
    static comparison c;
    visit_all(compare_blocks, &c, true);
    assert_int_equal(c.off, 0);
}

/* With another seed, every line differs from the stored line. To save time, the
 * test uses only a few lines and one instruction set. */
static void other_draws_are_noticed(void **state)
{
    (void)state;
    enum { FEW = 64 };
    size_t n = write_lines(2, FEW);
    assert_int_equal(n, FEW);
    assert_true(missing("golden/draws.txt", n, false) >= n);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(draws_are_as_kept),
    cmocka_unit_test(other_draws_are_noticed),
    cmocka_unit_test(blocks_draw_the_same),
};
TESTS(test_golden)
