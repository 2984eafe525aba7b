/* One step of each optimiser, in the direction of the gradient g. Adam (Kingma
 * and Ba 2015, Algorithm 1), where t is the number of the update:
 *
 *     m = b1 m + (1 - b1) g,  v = b2 v + (1 - b2) g^2,
 *     x += rate m / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + floor)
 *
 * Momentum: m = momentum m + rate g, x += m. Hot. */
#include "learn/optimiser.h"
#include "simd/vmath.h"

#include <math.h>
#include <stdbool.h>

static void sgd(const cs_ascent *a)
{
    for (size_t i = 0; i < a->n; i++)
        a->x[i] += a->rate * a->g[i];
}

static void momentum(const cs_ascent *a)
{
    double keep = a->value[1], *m = a->memory[0];
    for (size_t i = 0; i < a->n; i++) {
        m[i] = keep * m[i] + a->rate * a->g[i];
        a->x[i] += m[i];
    }
}

typedef struct adam_of {
    double b1, b2, c1, c2, floor;
} adam_of;

static inline double adam_one(adam_of c, double g, double *m, double *v)
{
    *m = c.b1 * *m + (1 - c.b1) * g;
    *v = c.b2 * *v + (1 - c.b2) * g * g;
    return c.c1 * *m / (__builtin_sqrt(c.c2 * *v) + c.floor);
}

static void adam(const cs_ascent *a)
{
    double *m = a->memory[0], *v = a->memory[1];
    const adam_of c = {.b1 = a->value[1],
                       .b2 = a->value[2],
                       .c1 = a->rate / (1 - pow(a->value[1], a->update)),
                       .c2 = 1 / (1 - pow(a->value[2], a->update)),
                       .floor = a->value[3]};
    size_t i = 0;
    for (; i + CS_VECTOR <= a->n; i += CS_VECTOR) {
        cs_vd g, mean, square, x;
        __builtin_memcpy(&g, a->g + i, sizeof g);
        __builtin_memcpy(&mean, m + i, sizeof g);
        __builtin_memcpy(&square, v + i, sizeof g);
        __builtin_memcpy(&x, a->x + i, sizeof g);
        mean = c.b1 * mean + (1 - c.b1) * g;
        square = c.b2 * square + (1 - c.b2) * g * g;
        x += c.c1 * mean / (cs_vsqrt(c.c2 * square) + c.floor);
        __builtin_memcpy(m + i, &mean, sizeof g);
        __builtin_memcpy(v + i, &square, sizeof g);
        __builtin_memcpy(a->x + i, &x, sizeof g);
    }
    for (; i < a->n; i++)
        a->x[i] += adam_one(c, a->g[i], m + i, v + i);
}

static bool sum(double *const *part, size_t parts, size_t first, size_t n,
                double *to)
{
    double odd = 0; /* becomes NaN if a number is not finite */
    for (size_t i = first; i < first + n; i++) {
        double all = part[0][i];
        for (size_t k = 1; k < parts; k++)
            all += part[k][i];
        to[i] = all;
        odd += all - all;
    }
    return odd == 0;
}

static void follow(const double *x, double decay, size_t n, double *mean)
{
    for (size_t i = 0; i < n; i++)
        mean[i] = decay * mean[i] + (1 - decay) * x[i];
}

const cs_optimiser_ops CS_VARIANT(cs_optimiser_hot) = {
    .step = {[CS_ASCENT_SGD] = sgd,
             [CS_ASCENT_MOMENTUM] = momentum,
             [CS_ASCENT_ADAM] = adam},
    .sum = sum,
    .follow = follow,
};
