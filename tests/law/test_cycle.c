/* Tests cycles of kernels: on small spaces of bits, labels and integers the
 * matrix of a cycle is the product of its members' matrices, and leaves the
 * target invariant; a step is the steps of its members by hand; lanes, saved
 * blocks and numbers of chains change nothing; bad members are refused. */
#include "support/laws.h"
#include "support/small_mixed.h"
#include "support/support.h"

#include "base/memory.h"
#include "kernel/composed.h"
#include "target/derivatives.h"
#include "target/enumeration.h"

#include <stdio.h>
#include <string.h>

enum { STATES = 48, DIM = 4, MEMBERS = 4, CHAINS = LAW_CHAINS, STEPS = 4000 };

/* A member with the values of its first parameters. */
typedef struct part {
    const char *name, *kernel;
    double value[3];
    size_t n_values;
    uint32_t coordinate[2];
    size_t n;
    uint64_t times;
} part;

static cs_target *make(const cs_target_type *type)
{
    cs_target *t;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    return t;
}

static cs_kernel kernel_of(const part *p)
{
    cs_kernel k;
    const cs_kernel_type *type = cs_kernel_find(p->kernel);
    assert_non_null(type);
    assert_int_equal(cs_kernel_init(&k, type, NULL, 0, NULL), CS_OK);
    memcpy(k.values, p->value, p->n_values * sizeof *k.values);
    return k;
}

static cs_status open_cycle(cs_target *t, const part *p, size_t n, cs_kernel *k,
                            cs_error *err)
{
    cs_kernel member[MEMBERS];
    cs_member_spec spec[MEMBERS];
    for (size_t i = 0; i < n; i++) {
        member[i] = kernel_of(&p[i]);
        spec[i] = (cs_member_spec){.name = p[i].name,
                                   .kernel = &member[i],
                                   .coordinate = p[i].coordinate,
                                   .n = p[i].n,
                                   .times = p[i].times};
    }
    return cs_kernel_cycle(k, t, spec, n, err);
}

/* ---- matrices ---- */

/* The whole with its states. */
typedef struct whole {
    cs_target *t;
    double x[STATES][DIM], logp[STATES], g[STATES][DIM], pi[STATES];
} whole;

static void fill_whole(whole *w, const cs_target_type *type)
{
    cs_derivatives *s;
    w->t = make(type);
    const cs_enumeration *truth = cs_enumeration_of(w->t);
    assert_int_equal(truth->n, STATES);
    assert_int_equal(cs_derivatives_open(&s, w->t, CS_SLOPES, NULL), CS_OK);
    for (size_t k = 0; k < STATES; k++) {
        cs_space_state(&w->t->space, k, w->x[k]);
        w->logp[k] = cs_derivatives_gradient(s, w->x[k], w->g[k]);
        w->pi[k] = truth->p[k];
    }
    cs_derivatives_close(s);
}

/* Returns the state of the whole that has the values y of a part. */
static size_t with_part(const whole *w, size_t from, const part *p,
                        const double *y)
{
    double x[DIM];
    memcpy(x, w->x[from], sizeof x);
    for (size_t i = 0; i < p->n; i++)
        x[p->coordinate[i]] = y[i];
    return cs_space_index(&w->t->space, x, 1);
}

/* Computes row `from` of the matrix of a member by the formula of its kernel on
 * the conditional distribution of the part. */
static void member_row(const whole *w, const part *p, size_t from, double *row)
{
    enum { MOST = 16 };
    static double x[MOST * 2], logp[MOST], g[MOST * 2], pi[MOST];
    static double P[MOST * MOST];
    cs_part of = cs_space_part(&w->t->space, p->coordinate[0]);
    cs_target t = {
        .space = {
            .kind = of.kind, .dim = p->n, .low = of.low, .values = of.values}};
    points q = {.target = &t,
                .n = (size_t)cs_space_states(&t.space),
                .dim = p->n,
                .x = x,
                .logp = logp,
                .g = g,
                .pi = pi};
    double value[CS_KERNEL_PARAMS], total = 0;
    cs_kernel k = kernel_of(p);
    memcpy(value, k.values, sizeof value);
    for (size_t s = 0; s < q.n; s++) {
        cs_space_state(&t.space, s, x + s * p->n);
        size_t at = with_part(w, from, p, x + s * p->n);
        logp[s] = w->logp[at];
        total += pi[s] = exp(w->logp[at]);
        for (size_t i = 0; i < p->n; i++)
            g[s * p->n + i] = w->g[at][p->coordinate[i]];
    }
    for (size_t s = 0; s < q.n; s++)
        pi[s] /= total;
    double now[2];
    for (size_t i = 0; i < p->n; i++)
        now[i] = w->x[from][p->coordinate[i]];
    assert_true(q.n <= MOST && matrix_of(p->kernel, &q, value, 0, P));
    size_t own = cs_space_index(&t.space, now, 1);
    memset(row, 0, STATES * sizeof *row);
    for (size_t s = 0; s < q.n; s++)
        row[with_part(w, from, p, x + s * p->n)] = P[own * q.n + s];
}

/* Multiplies P by M. */
static void multiply(double *P, const double *M)
{
    static double product[STATES * STATES];
    memset(product, 0, sizeof product);
    for (size_t a = 0; a < STATES; a++)
        for (size_t c = 0; c < STATES; c++)
            for (size_t b = 0; b < STATES; b++)
                product[a * STATES + b] +=
                    P[a * STATES + c] * M[c * STATES + b];
    memcpy(P, product, sizeof product);
}

/* Returns the largest |pi P - pi|. */
static double variance_of(const whole *w, const double *P)
{
    double most = 0;
    for (size_t b = 0; b < STATES; b++) {
        double sum = -w->pi[b];
        for (size_t a = 0; a < STATES; a++)
            sum += w->pi[a] * P[a * STATES + b];
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* Computes the product of the members' matrices. Each of them must leave the
 * target invariant. */
static void product_of(const whole *w, const part *p, size_t n, double *P)
{
    static double M[STATES * STATES];
    memset(P, 0, sizeof M);
    for (size_t a = 0; a < STATES; a++)
        P[a * STATES + a] = 1;
    for (size_t k = 0; k < n; k++) {
        for (size_t a = 0; a < STATES; a++)
            member_row(w, &p[k], a, M + a * STATES);
        assert_true(variance_of(w, M) < 1e-12);
        for (uint64_t j = 0; j < p[k].times; j++)
            multiply(P, M);
    }
    assert_true(variance_of(w, P) < 1e-12);
}

static cs_block *open_chains(cs_target *t, const cs_kernel *k, size_t live,
                             const double *const *start)
{
    cs_block *b;
    assert_int_equal(cs_kernel_fits(k, t, NULL), CS_OK);
    assert_int_equal(cs_block_create(&b, t, k, 3, 0, live, NULL, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    return b;
}

/* Returns the smallest p-value of the rows, times the number of rows, of STEPS
 * real steps of a cycle against a matrix. */
static double frequencies(const whole *w, const cs_kernel *k, const double *P)
{
    static double count[STATES * STATES];
    const double *start[CHAINS];
    size_t from[CHAINS];
    memset(count, 0, sizeof count);
    for (size_t l = 0; l < CHAINS; l++)
        start[l] = w->x[from[l] = l % STATES];
    cs_block *b = open_chains(w->t, k, CHAINS, start);
    for (size_t s = 0; s < STEPS; s++) {
        assert_int_equal(cs_block_run(b, NULL, 1, NULL), 1);
        for (size_t l = 0; l < CHAINS; l++) {
            size_t to = cs_space_index(&w->t->space, b->move.x + l, b->lanes);
            count[from[l] * STATES + to]++;
            from[l] = to;
            assert_near(b->move.info.logp[l], w->logp[to], 1e-10, 1e-10);
        }
    }
    cs_block_destroy(b);
    double least = 1;
    for (size_t a = 0; a < STATES; a++)
        least = fmin(least, cs_check_cells_p(count + a * STATES, P + a * STATES,
                                             STATES));
    return least * STATES;
}

static const part bits_label_integer[] = {
    {"b", "dmala", {0.8, 0.5}, 2, {0, 1}, 2, 1},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1},
    {"n", "random_walk", {0}, 0, {3}, 1, 2}};
/* Two members of the same kind: with equal random numbers they would move
 * together. */
static const part bit_by_bit[] = {{"first", "gibbs", {0, 1}, 2, {0}, 1, 1},
                                  {"second", "gibbs", {0, 1}, 2, {1}, 1, 1},
                                  {"z", "gibbs", {0, 1}, 2, {2}, 1, 1},
                                  {"n", "gibbs", {0, 1}, 2, {3}, 1, 1}};
/* A part that two members move, one of which remembers gradients. */
static const part twice[] = {{"b", "dmala", {0.8, 0.5}, 2, {0, 1}, 2, 2},
                             {"again", "gibbs", {0, 1}, 2, {0, 1}, 2, 1},
                             {"z", "gibbs", {0, 1}, 2, {2}, 1, 1},
                             {"n", "dmala", {2, 0.5}, 2, {3}, 1, 1}};

static void a_cycle_is_the_product_of_its_members(void **state)
{
    (void)state;
    static const struct {
        const part *part;
        size_t n;
    } cycle[] = {{bits_label_integer, 3}, {bit_by_bit, 4}, {twice, 4}};
    static const cs_target_type *const types[] = {&small_listed, &small_cached};
    static double P[STATES * STATES];
    static whole w;
    for (size_t t = 0; t < 2; t++) {
        fill_whole(&w, types[t]);
        for (size_t k = 0; k < 3; k++) {
            cs_kernel kernel;
            assert_int_equal(
                open_cycle(w.t, cycle[k].part, cycle[k].n, &kernel, NULL),
                CS_OK);
            assert_true(cs_kernel_is_exact(&kernel, w.t));
            product_of(&w, cycle[k].part, cycle[k].n, P);
            double p = frequencies(&w, &kernel, P);
            print_message("cycle %zu on %s: p = %.3g\n", k + 1, w.t->name, p);
            assert_true(p > 1e-6);
            cs_kernel_release(&kernel);
        }
        cs_target_release(w.t);
    }
}

/* ---- laws of the registry ---- */

static void cycles_hold_everywhere(void **state)
{
    (void)state;
    laws_hold(cycle_laws);
}

static void faults_of_cycles_are_caught(void **state)
{
    (void)state;
    laws_catch_faults(cycle_laws);
}

/* ---- blocks ---- */

/* The lanes are independent: a single chain, several chains, and a block that was
 * loaded make the same steps. */
static void chains_do_not_depend_on_their_block(void **state)
{
    (void)state;
    enum { LIVE = 5, MANY = 30 };
    cs_target *t = make(&small_labels);
    static const part p[] = {{"mu", "mala", {0.6}, 1, {0, 1}, 2, 2},
                             {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 2}};
    static const double x[LIVE][DIM] = {{0, 1, 0, 1},
                                        {-1, 2, 1, 1},
                                        {1, 0, 0, 0},
                                        {0.5, 1, 1, 0},
                                        {0, 0, 0, 1}};
    cs_kernel k;
    const double *start[LIVE] = {x[0], x[1], x[2], x[3], x[4]};
    assert_int_equal(open_cycle(t, p, 2, &k, NULL), CS_OK);
    cs_block *b = open_chains(t, &k, LIVE, start), *alone;
    double *half = cs_alloc(b->slab_words * b->lanes, sizeof *half);
    double *end = cs_alloc(b->slab_words * b->lanes, sizeof *end);
    cs_block_run(b, NULL, MANY / 2, NULL);
    cs_block_save(b, half);
    cs_block_run(b, NULL, MANY / 2, NULL);
    cs_block_save(b, end);
    cs_block_load(b, half);
    b->step = MANY / 2;
    cs_block_run(b, NULL, MANY / 2, NULL);
    assert_memory_equal(b->slab, end,
                        b->slab_words * b->lanes * sizeof *b->slab);
    for (size_t l = 0; l < LIVE; l++) {
        assert_int_equal(cs_block_create(&alone, t, &k, 3, l, 1, NULL, 0, NULL),
                         CS_OK);
        assert_int_equal(cs_block_start(alone, &start[l], NULL), CS_OK);
        cs_block_run(alone, NULL, MANY, NULL);
        for (size_t i = 0; i < DIM; i++)
            assert_true(alone->move.x[i * alone->lanes] ==
                        b->move.x[i * b->lanes + l]);
        cs_block_destroy(alone);
    }
    cs_free(half);
    cs_free(end);
    cs_block_destroy(b);
    cs_kernel_release(&k);
    cs_target_release(t);
}

/* A gradient is computed again only in the lanes that another member has
 * moved. */
static void stale_gradients_are_counted(void **state)
{
    (void)state;
    cs_target *t = make(&small_labels);
    static const part p[] = {{"mu", "mala", {0.6}, 1, {0, 1}, 2, 1},
                             {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 1}};
    static const double x[DIM] = {0, 1, 0, 1};
    const double *start[] = {x, x, x};
    cs_kernel k;
    assert_int_equal(open_cycle(t, p, 2, &k, NULL), CS_OK);
    cs_block *b = open_chains(t, &k, 3, start);
    uint64_t before = b->eval.work.gradients, moved = 0;
    double z[2][3];
    for (size_t s = 0; s < 50; s++) {
        for (size_t l = 0; l < 3; l++)
            for (size_t i = 0; i < 2; i++)
                z[i][l] = b->move.x[(2 + i) * b->lanes + l];
        cs_block_run(b, NULL, 1, NULL);
        for (size_t l = 0; l < 3 && s < 49; l++)
            moved += z[0][l] != b->move.x[2 * b->lanes + l] ||
                     z[1][l] != b->move.x[3 * b->lanes + l];
    }
    assert_true(moved > 0);
    assert_int_equal(b->eval.work.gradients - before, 3 * 50 + moved);
    cs_block_destroy(b);
    cs_kernel_release(&k);
    cs_target_release(t);
}

/* A cycle may have more rows and stats than any kernel: members with lists,
 * parameters that schedules drive, and names of all of them. */
static void a_cycle_has_the_rows_of_all_members(void **state)
{
    (void)state;
    enum { MANY = 12, RUN = 50 };
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .number = MANY, .given = 1};
    const double mean = 0.25;
    const cs_value list = {.name = "means",
                           .kind = CS_PARAM_ARRAY,
                           .given = 1,
                           .array = &mean,
                           .rows = 1,
                           .cols = 1};
    cs_target *t;
    cs_kernel member[MANY], k;
    cs_member_spec spec[MANY];
    char name[MANY][8];
    uint32_t at[MANY];
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &dim, 1, &t, NULL), CS_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        bool odd = i % 2;
        snprintf(name[i], sizeof name[i], "x%u", i + 1);
        at[i] = i;
        assert_int_equal(
            cs_kernel_init(&member[i],
                           cs_kernel_find(odd ? "independence" : "nuts"), &list,
                           odd, NULL),
            CS_OK);
        spec[i] = (cs_member_spec){name[i], &member[i], &at[i], 1, 1};
    }
    assert_int_equal(cs_kernel_cycle(&k, t, spec, MANY, NULL), CS_OK);
    assert_true(k.type->n_params > 40);
    assert_true(cs_kernel_count_stats(k.type) > 6);
    size_t n, lists = k.type->n_params;
    const double *x = NULL;
    for (size_t i = 0; i < k.type->n_lists && !x; i++)
        if (strcmp(k.type->params[lists + i].name, "x12.means") == 0)
            x = cs_kernel_list(&k, i, &n);
    assert_true(x && n == 1 && *x == mean);
    int row = cs_param_find(k.type->params, k.type->n_params, "x11.step");
    assert_true(row >= 40);
    static const double zero[MANY];
    const double *start[] = {zero, zero};
    cs_block *b = open_chains(t, &k, 2, start);
    for (size_t s = 0; s < RUN; s++) {
        double small = 1e-12;
        const cs_driven driven = {
            .n = 1, .param = {(size_t)row}, .value = &small};
        double before = b->move.x[10 * b->lanes];
        assert_int_equal(cs_block_run(b, &driven, 1, NULL), 1);
        assert_near(b->move.x[10 * b->lanes], before, 0, 1e-8);
        assert_true(b->move.x[8 * b->lanes] != 0);
    }
    cs_block_destroy(b);
    cs_kernel_release(&k);
    for (size_t i = 0; i < MANY; i++)
        cs_kernel_release(&member[i]);
    cs_target_release(t);
}

/* ---- means ---- */

/* The means of a model with labels, by sums over the labels. */
static void labels_have_their_exact_means(void **state)
{
    (void)state;
    enum { LONG = 20000, LIVE = 32 };
    cs_target *t = make(&small_labels);
    static const part p[] = {{"mu", "hmc", {0.7}, 1, {0, 1}, 2, 1},
                             {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 2}};
    static const double y[2] = {-0.9, 1.6}, prior[2] = {-1, 1.5};
    double total = 0, want[DIM] = {0}, mean[DIM] = {0};
    for (int c = 0; c < 4; c++) {
        int z[2] = {c & 1, c >> 1};
        double m[2], weight = 1;
        for (int k = 0; k < 2; k++) {
            double precision = 1 / 2.25, pull = prior[k] / 2.25,
                   squares = prior[k] * prior[k] / 2.25;
            for (int i = 0; i < 2; i++) {
                precision += z[i] == k;
                pull += z[i] == k ? y[i] : 0;
                squares += z[i] == k ? y[i] * y[i] : 0;
            }
            m[k] = pull / precision;
            weight *= exp(-0.5 * (squares - pull * m[k])) / sqrt(precision);
        }
        for (int i = 0; i < 2; i++)
            weight *= z[i] ? 0.65 : 0.35;
        total += weight;
        for (int i = 0; i < 2; i++) {
            want[i] += weight * m[i];
            want[2 + i] += weight * z[i];
        }
    }
    static const double x[DIM] = {0, 1, 0, 1};
    const double *start[LIVE];
    for (size_t l = 0; l < LIVE; l++)
        start[l] = x;
    cs_kernel k;
    assert_int_equal(open_cycle(t, p, 2, &k, NULL), CS_OK);
    cs_block *b = open_chains(t, &k, LIVE, start);
    cs_block_run(b, NULL, 100, NULL);
    double each[DIM][LIVE] = {{0}};
    for (size_t s = 0; s < LONG; s++) {
        cs_block_run(b, NULL, 1, NULL);
        for (size_t i = 0; i < DIM; i++)
            for (size_t l = 0; l < LIVE; l++)
                each[i][l] += b->move.x[i * b->lanes + l] / LONG;
    }
    for (size_t i = 0; i < DIM; i++) {
        double squares = 0;
        for (size_t l = 0; l < LIVE; l++)
            mean[i] += each[i][l] / LIVE;
        for (size_t l = 0; l < LIVE; l++)
            squares += (each[i][l] - mean[i]) * (each[i][l] - mean[i]);
        double error = sqrt(squares / (LIVE * (LIVE - 1.0)));
        print_message("coordinate %zu: %.4f, exact %.4f, error %.4f\n", i + 1,
                      mean[i], want[i] / total, error);
        assert_true(error < 0.01);
        assert_true(fabs(mean[i] - want[i] / total) < 4.5 * error);
    }
    cs_block_destroy(b);
    cs_kernel_release(&k);
    cs_target_release(t);
}

/* ---- refusals ---- */

static void bad_members_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        part part[3];
        size_t n;
        const char *says;
    } rows[] = {
        {{{"mu", "mala", {0}, 0, {0, 1}, 2, 1}}, 1, "no member moves x.3"},
        {{{"mu", "mala", {0}, 0, {0, 1}, 2, 1},
          {"mu", "gibbs", {0, 1}, 2, {2, 3}, 2, 1}},
         2,
         "two members have the name mu"},
        {{{"mu", "mala", {0}, 0, {0, 1}, 2, 1},
          {"z", "hmc", {0}, 0, {2, 3}, 2, 1}},
         2,
         "kernel hmc cannot move target z"},
        {{{"mu", "sgld", {0}, 0, {0, 1}, 2, 1},
          {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 1}},
         2,
         "sgld cannot be the member mu"},
        {{{"mu", "mala", {0}, 0, {0}, 1, 1},
          {"both", "gibbs", {0, 1}, 2, {1, 2}, 2, 1},
          {"z", "gibbs", {0, 1}, 2, {3}, 1, 1}},
         3,
         "values of both differ"}};
    cs_target *t = make(&small_labels), *other = make(&small_labels);
    cs_error err = {0};
    cs_kernel k;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_not_equal(open_cycle(t, rows[i].part, rows[i].n, &k, &err),
                             CS_OK);
        if (!strstr(err.what, rows[i].says))
            fail_msg("'%s' does not say '%s'", err.what, rows[i].says);
    }
    static const part good[] = {{"mu", "mala", {0}, 0, {0, 1}, 2, 1},
                                {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 1}};
    assert_int_equal(open_cycle(t, good, 2, &k, &err), CS_OK);
    assert_string_equal(k.type->name, "cycle(mala, gibbs)");
    assert_true(cs_param_find(k.type->params, k.type->n_params, "mu.step") >=
                0);
    assert_int_equal(cs_kernel_fits(&k, t, &err), CS_OK);
    assert_int_equal(cs_kernel_fits(&k, other, &err), CS_UNSUPPORTED);
    cs_kernel wrapped;
    const cs_kernel_type *tempering = cs_kernel_find("parallel_tempering");
    assert_int_equal(cs_kernel_wrap(&wrapped, tempering, NULL, 0, &k, &err),
                     CS_UNSUPPORTED);
    cs_kernel_release(&k);
    cs_target_release(other);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cycle_is_the_product_of_its_members),
    cmocka_unit_test(cycles_hold_everywhere),
    cmocka_unit_test(faults_of_cycles_are_caught),
    cmocka_unit_test(chains_do_not_depend_on_their_block),
    cmocka_unit_test(stale_gradients_are_counted),
    cmocka_unit_test(a_cycle_has_the_rows_of_all_members),
    cmocka_unit_test(labels_have_their_exact_means),
    cmocka_unit_test(bad_members_are_refused_by_name),
};
TESTS(test_cycle)
