/* B15, P15: an epoch of contrastive divergence in single precision. The machine
 * has 784 visible and 500 hidden units. Training uses batches of 100 images,
 * Adam, and one or ten steps of block Gibbs per batch. If PyTorch is installed,
 * the time is compared with the time that PyTorch takes. A second row compares
 * the number of bytes moved per second with that of a plain copy. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/others.h"
#include "learn/train_rbm.h"

#include <stddef.h>
#include <string.h>

enum { SIDE = 28, PIXELS = SIDE * SIDE, HIDDEN = 500, BATCH = 100 };
enum { IMAGES = 3000, BATCHES = IMAGES / BATCH };

typedef struct epoch_case {
    const char *id, *beside, *title;
    double k;    /* steps of block Gibbs */
    double must; /* required ratio to PyTorch */
    const cs_bench_other *other;
} epoch_case;

static const epoch_case cases[] = {
    {"B15a", "P15a", "an epoch of CD-1, rbm 784 x 500, 3000 images", 1, 1,
     &cs_bench_torch_cd1},
    {"B15b", "P15b", "an epoch of CD-10, rbm 784 x 500, 3000 images", 10, 1,
     &cs_bench_torch_cd10},
};

/* Creates the images. One pixel in five is 1. */
static cs_status make_images(cs_images *out, cs_error *err)
{
    uint32_t word = 1;
    *out = (cs_images){.n = IMAGES, .rows = SIDE, .cols = SIDE};
    out->level = cs_alloc((size_t)IMAGES * PIXELS, 1);
    if (!out->level)
        return cs_fail(err, CS_MEMORY, "out of memory for images");
    for (size_t i = 0; i < (size_t)IMAGES * PIXELS; i++) {
        word = word * 1664525 + 1013904223;
        out->level[i] = word < UINT32_MAX / 5 ? 255 : 0;
    }
    return CS_OK;
}

typedef struct epochs {
    double last; /* time at which the last epoch ended */
    double took[CS_BENCH_ROUNDS + 1];
} epochs;

static bool note(void *self, size_t epoch, size_t batch, size_t batches,
                 double gap)
{
    epochs *e = self;
    double now = cs_clock_thread();
    (void)gap;
    if (batch == batches) {
        e->took[epoch - 1] = now - e->last;
        e->last = now;
    }
    return true;
}

/* Measures the seconds per epoch: the median over all epochs except the
 * first. */
static cs_status time_epochs(const epoch_case *c, const cs_bench_plan *plan,
                             double *seconds, cs_error *err)
{
    cs_images images;
    epochs e = {.last = cs_clock_thread()};
    double *rows = NULL;
    cs_status s = make_images(&images, err);
    const cs_learn_spec spec = {
        .images = &images,
        .value = {[CS_LEARN_HIDDEN] = HIDDEN,
                  [CS_LEARN_K] = c->k,
                  [CS_LEARN_EPOCHS] = (double)plan->rounds + 1,
                  [CS_LEARN_BATCH] = BATCH,
                  [CS_LEARN_RATE] = 1e-3,
                  [CS_LEARN_SEED] = 1},
        .report = note,
        .report_self = &e};
    if (!s)
        s = cs_learn_rbm(&spec, &rows, err);
    if (!s)
        *seconds = cs_bench_median(e.took + 1, plan->rounds);
    cs_free(rows);
    cs_images_free(&images);
    return s;
}

/* Copies arrays that are larger than every cache. Returns the number of bytes
 * that the copy reads and writes per second. */
static double copied(void)
{
    enum { BYTES = 1 << 26, TIMES = 4 };
    char *from = cs_alloc(BYTES, 1), *to = cs_alloc(BYTES, 1);
    double best = 0;
    for (int i = 0; from && to && i < TIMES; i++) {
        double start = cs_clock_thread();
        memcpy(to, from, BYTES);
        from[i] = to[BYTES - 1 - i]; /* prevents the compiler from removing the
                                      * copy */
        double rate = 2.0 * BYTES / (cs_clock_thread() - start);
        best = rate > best ? rate : best;
    }
    cs_free(from);
    cs_free(to);
    return best;
}

/* Prints the number of bytes moved per second. Counts only the bytes that every
 * batch must move: the weights, the gradient and both moments of Adam, each
 * read once and written once. */
static void print_bytes(const epoch_case *c, double seconds,
                        const cs_bench_plan *plan)
{
    const double bytes = 2.0 * 4 * sizeof(float) * HIDDEN * PIXELS * BATCHES;
    cs_bench_row row =
        cs_bench_row_of(c->id, "its numbers in and out, beside a copy", "GB/s");
    row.ours = 1e-9 * bytes / seconds;
    row.limit = 1e-9 * copied();
    row.ask = CS_ASK_SHARE;
    cs_bench_print(&row, plan);
}

static cs_status run_case(const epoch_case *c, const cs_bench_plan *plan,
                          cs_error *err)
{
    double seconds = 0;
    bool alone = cs_bench_wants(plan, c->id);
    bool beside = cs_bench_wants(plan, c->beside);
    cs_status s = alone || beside ? time_epochs(c, plan, &seconds, err) : CS_OK;
    if (!s && alone) {
        cs_bench_row row = cs_bench_row_of(c->id, c->title, "ms");
        row.ours = 1e3 * seconds;
        cs_bench_print(&row, plan);
        print_bytes(c, seconds, plan);
    }
    if (!s && beside) {
        const cs_bench_beside row = {
            c->beside, c->title, "ms", 1e-3, offsetof(cs_bench_reported, steps),
            c->must};
        cs_bench_reported reported;
        bool here = cs_bench_consult(c->other, &reported);
        cs_bench_print_beside(&row, c->other, seconds, here ? &reported : NULL,
                              plan);
    }
    return s;
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t i = 0; !s && i < sizeof cases / sizeof *cases; i++)
        s = run_case(&cases[i], plan, err);
    return s;
}

const cs_bench_case cs_bench_case_learning = {
    .run = run_cases,
};
