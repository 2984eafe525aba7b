#include "bench/peer.h"

#include "base/clock.h"

#include <dlfcn.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Matrix library of the peer: OpenBLAS on one thread if it is installed,
 * otherwise the C loops that come with GSL. The library is loaded at run time,
 * because the program itself does not need it. */
typedef struct blas {
    const char *name;
    void (*dgemv)(enum CBLAS_ORDER, enum CBLAS_TRANSPOSE, int, int, double,
                  const double *, int, const double *, int, double, double *,
                  int);
    double (*ddot)(int, const double *, int, const double *, int);
} blas;

static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

static const blas *the_blas(void)
{
    static blas b;
    if (b.name)
        return &b;
    b = (blas){"the CBLAS of GSL", cblas_dgemv, cblas_ddot};
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    blas open = {"OpenBLAS", NULL, NULL};
    if (library) {
        find(library, "cblas_dgemv", &open.dgemv);
        find(library, "cblas_ddot", &open.ddot);
    }
    if (open.dgemv && open.ddot)
        b = open;
    return &b;
}

const char *cs_peer_blas(void)
{
    return the_blas()->name;
}

void cs_peer_product(const double *a, size_t rows, size_t cols, bool transposed,
                     const double *x, double *y)
{
    the_blas()->dgemv(CblasRowMajor, transposed ? CblasTrans : CblasNoTrans,
                      (int)rows, (int)cols, 1, a, (int)cols, x, 1, 0, y, 1);
}

/* Returns memory whose pages were never used, like memory that malloc returns
 * for a large request. */
static double *fresh(size_t n)
{
    void *at = mmap(NULL, n * sizeof(double), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void give_back(double *at, size_t n)
{
    if (at)
        munmap(at, n * sizeof(double));
}

/* Variable that receives a result of each measurement. This prevents the
 * compiler from removing the measured loop. */
static volatile double sink;

enum { SMALL = 10, LARGE = 100 };

cs_peer_result cs_peer_random_walk(size_t steps, bool keep)
{
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    double *out = keep ? fresh(steps * SMALL) : NULL;
    double x[SMALL] = {0}, y[SMALL], sum[SMALL] = {0}, logp = 0;
    double sd = 2.38 / sqrt((double)SMALL), start = cs_clock_thread();
    size_t accepted = 0;
    for (size_t k = 0; k < steps; k++) {
        double square = 0;
        for (int i = 0; i < SMALL; i++) {
            y[i] = x[i] + sd * gsl_ran_gaussian_ziggurat(r, 1);
            square += y[i] * y[i];
        }
        if (log(gsl_rng_uniform_pos(r)) < -0.5 * square - logp) {
            memcpy(x, y, sizeof x);
            logp = -0.5 * square;
            accepted++;
        }
        if (out)
            memcpy(out + k * SMALL, x, sizeof x);
        else
            for (int i = 0; i < SMALL; i++)
                sum[i] += x[i];
    }
    cs_peer_result result = {cs_clock_thread() - start,
                             (double)accepted / (double)steps};
    sink = sum[0] + (out ? out[steps * SMALL - 1] : 0);
    give_back(out, steps * SMALL);
    gsl_rng_free(r);
    return result;
}

/* Returns the dense precision matrix, the inverse of S with S_ij =
 * 0.5^|i-j|. */
static gsl_matrix *precision(void)
{
    gsl_matrix *p = gsl_matrix_alloc(LARGE, LARGE);
    for (int i = 0; i < LARGE; i++)
        for (int j = 0; j < LARGE; j++)
            gsl_matrix_set(p, (size_t)i, (size_t)j,
                           pow(0.5, i > j ? i - j : j - i));
    gsl_linalg_cholesky_decomp1(p);
    gsl_linalg_cholesky_invert(p);
    return p;
}

static double density(const gsl_matrix *p, const double *x, double *g)
{
    const blas *b = the_blas();
    b->dgemv(CblasRowMajor, CblasNoTrans, LARGE, LARGE, -1, p->data,
             (int)p->tda, x, 1, 0, g, 1);
    return 0.5 * b->ddot(LARGE, x, 1, g, 1);
}

/* State and proposal of one chain. */
typedef struct state {
    double x[LARGE], g[LARGE], y[LARGE], h[LARGE], p[LARGE];
    double logp, v;
    size_t accepted;
    gsl_rng *r;
} state;

static void decide(state *s, double forward, double back)
{
    if (log(gsl_rng_uniform_pos(s->r)) >= s->v - s->logp + back - forward)
        return;
    memcpy(s->x, s->y, sizeof s->x);
    memcpy(s->g, s->h, sizeof s->g);
    s->logp = s->v;
    s->accepted++;
}

static void mala(state *s, const gsl_matrix *p)
{
    const double e = 0.55;
    double forward = 0, back = 0;
    for (int i = 0; i < LARGE; i++) {
        double z = gsl_ran_gaussian_ziggurat(s->r, 1);
        s->y[i] = s->x[i] + 0.5 * e * e * s->g[i] + e * z;
        forward -= 0.5 * z * z;
    }
    s->v = density(p, s->y, s->h);
    for (int i = 0; i < LARGE; i++) {
        double z = (s->x[i] - s->y[i] - 0.5 * e * e * s->h[i]) / e;
        back -= 0.5 * z * z;
    }
    decide(s, forward, back);
}

static void hmc(state *s, const gsl_matrix *p)
{
    const double e = 0.25;
    double before = 0, after = 0;
    memcpy(s->y, s->x, sizeof s->y);
    memcpy(s->h, s->g, sizeof s->h);
    for (int i = 0; i < LARGE; i++) {
        s->p[i] = gsl_ran_gaussian_ziggurat(s->r, 1);
        before -= 0.5 * s->p[i] * s->p[i];
    }
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < LARGE; i++) {
            s->p[i] += 0.5 * e * s->h[i];
            s->y[i] += e * s->p[i];
        }
        s->v = density(p, s->y, s->h);
        for (int i = 0; i < LARGE; i++)
            s->p[i] += 0.5 * e * s->h[i];
    }
    for (int i = 0; i < LARGE; i++)
        after -= 0.5 * s->p[i] * s->p[i];
    decide(s, before, after);
}

static cs_peer_result langevin(void (*move)(state *, const gsl_matrix *),
                               size_t steps)
{
    gsl_matrix *p = precision();
    double *out = fresh(steps * LARGE);
    state s = {.r = gsl_rng_alloc(gsl_rng_mt19937)};
    s.logp = density(p, s.x, s.g);
    double start = cs_clock_thread();
    for (size_t k = 0; k < steps; k++) {
        move(&s, p);
        memcpy(out + k * LARGE, s.x, sizeof s.x);
    }
    cs_peer_result result = {cs_clock_thread() - start,
                             (double)s.accepted / (double)steps};
    sink = out[steps * LARGE - 1];
    give_back(out, steps * LARGE);
    gsl_rng_free(s.r);
    gsl_matrix_free(p);
    return result;
}

cs_peer_result cs_peer_mala(size_t steps)
{
    return langevin(mala, steps);
}

cs_peer_result cs_peer_hmc(size_t steps)
{
    return langevin(hmc, steps);
}

static cs_peer_result draws(double (*draw)(const gsl_rng *), size_t n)
{
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    double sum = 0, start = cs_clock_thread();
    for (size_t i = 0; i < n; i++)
        sum += draw(r);
    cs_peer_result result = {cs_clock_thread() - start, 1};
    sink = sum;
    gsl_rng_free(r);
    return result;
}

static double ziggurat(const gsl_rng *r)
{
    return gsl_ran_gaussian_ziggurat(r, 1);
}

cs_peer_result cs_peer_ising(size_t sweeps)
{
    enum { L = 64 };
    static int8_t s[L][L];
    double chance[9], sum = 0;
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    for (int h = -4; h <= 4; h++)
        chance[h + 4] = 1 / (1 + exp(-2 * 0.4406868 * h));
    for (int i = 0; i < L * L; i++)
        s[i / L][i % L] = gsl_rng_uniform(r) < 0.5 ? 1 : -1;
    double start = cs_clock_thread();
    for (size_t k = 0; k < sweeps; k++) {
        int m = 0;
        for (int i = 0; i < L; i++)
            for (int j = 0; j < L; j++) {
                int h = s[(i + 1) % L][j] + s[(i + L - 1) % L][j] +
                        s[i][(j + 1) % L] + s[i][(j + L - 1) % L];
                s[i][j] = gsl_rng_uniform(r) < chance[h + 4] ? 1 : -1;
                m += s[i][j];
            }
        sum += abs(m);
    }
    double used = cs_clock_thread() - start;
    gsl_rng_free(r);
    return (cs_peer_result){used, sum / (double)(sweeps * L * L)};
}

/* Returns E = -log p of the mixture of two normals. *slope becomes dE/dx. */
static double two_wells(double x, double *slope)
{
    double a = 0.4 * exp(-0.5 * (x + 6) * (x + 6));
    double b = 0.6 * exp(-0.5 * (x - 4) * (x - 4)), sum = a + b + 1e-300;
    *slope = (a * (x + 6) + b * (x - 4)) / sum;
    return 0.918938533204672742 - log(sum);
}

cs_peer_result cs_peer_sgld(size_t steps)
{
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    const double rate = 0.1, sd = 0.1, push = sqrt(2 * rate);
    double x = -6, mean = 0, square = 0, slope, kept = 0;
    double start = cs_clock_thread();
    for (size_t k = 1; k <= steps; k++) {
        double energy = two_wells(x, &slope);
        slope += sd * gsl_ran_gaussian_ziggurat(r, 1);
        double y = x - rate * slope + push * gsl_ran_gaussian_ziggurat(r, 1);
        if (y > -14 && y < 12) {
            x = y;
            kept++;
        }
        mean += x;
        square += x * x + 0 * energy;
    }
    double used = cs_clock_thread() - start;
    sink = mean + square;
    gsl_rng_free(r);
    return (cs_peer_result){used, kept / (double)steps};
}

static int bin_of(double energy)
{
    int j = (int)energy - 1;
    return j < 0 ? 0 : j > 48 ? 48 : j;
}

cs_peer_result cs_peer_csgld(size_t steps)
{
    enum { BINS = 50 };
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    const double rate = 0.1, zeta = 0.75, push = sqrt(2 * rate);
    double x = -6, slope, weight[BINS], sum = 0, total = 0;
    for (int i = 0; i < BINS; i++)
        weight[i] = 1. / BINS;
    double start = cs_clock_thread();
    for (size_t k = 1; k <= steps; k++) {
        int j = bin_of(two_wells(x, &slope)), below = j ? j - 1 : 0;
        slope += 0.1 * gsl_ran_gaussian_ziggurat(r, 1);
        double by = 1 + zeta * (log(weight[j]) - log(weight[below]));
        double y =
            x - rate * by * slope + push * gsl_ran_gaussian_ziggurat(r, 1);
        x = y > -14 && y < 12 ? y : x;
        j = bin_of(two_wells(x, &slope));
        double gain = 1 / (pow((double)k, 0.6) + 100);
        double power = pow(weight[j], zeta);
        for (int i = 0; i < BINS; i++)
            weight[i] += gain * power * ((i == j) - weight[i]);
        sum += x * power;
        total += power;
    }
    double used = cs_clock_thread() - start;
    sink = sum / total;
    gsl_rng_free(r);
    return (cs_peer_result){used, 1};
}

cs_peer_result cs_peer_uniform(size_t n)
{
    return draws(gsl_rng_uniform, n);
}

cs_peer_result cs_peer_normal(size_t n)
{
    return draws(ziggurat, n);
}
