/* One pass over a minibatch of positions: see data/word_model.h. Hot.
 *
 * The backward pass starts from the loss L = -log P(wanted). The gradient with
 * respect to the scores is s = P - 1(wanted). Hence dL/du = s h', and dL/dc is
 * the sum of s over the batch. The gradient with respect to h is u's, and the
 * gradient with respect to the argument of tanh is z = (1 - h^2) u's. Hence
 * dL/dM = z in', and dL/db is the sum of z over the batch. For the embedding e
 * of each surrounding word, dL/de = M' z. */
#include "learn/words_pass.h"

#include "simd/matmul.h"
#include "simd/vmath.h"

#include <string.h>

enum { N = CS_WORDS_BATCH };

/* Copies embeddings: in[d width + k][position] = e[word around][k]. */
static void gather(const cs_words *w, cs_words_scratch *r)
{
    for (size_t d = 0; d < 2 * w->radius; d++)
        for (size_t l = 0; l < N; l++) {
            const float *e = w->e + r->around[d * N + l] * w->width;
            for (size_t k = 0; k < w->width; k++)
                r->in[(d * w->width + k) * N + l] = e[k];
        }
}

static void squash(const cs_words *w, float *h)
{
    for (size_t k = 0; k < w->width; k++)
        for (size_t l = 0; l < N; l += CS_VECTOR) {
            float *at = h + k * N + l;
            cs_vnarrow(at, cs_vtanh(cs_vwiden(at) + (double)w->b[k]));
        }
}

/* Replaces the scores of the words by their probabilities P, for a vector of
 * positions. Returns the sum of -log P(wanted). */
static double softmax(const cs_words *w, cs_words_scratch *r, size_t l)
{
    cs_vd top = cs_vset(-CS_VM_INF), sum = cs_vset(0);
    double loss = 0;
    for (size_t v = 0; v < w->words; v++) {
        float *at = r->score + v * N + l;
        cs_vd score = cs_vwiden(at) + (double)w->c[v];
        cs_vnarrow(at, score);
        top = cs_vmax(top, score);
    }
    for (size_t v = 0; v < w->words; v++) {
        float *at = r->score + v * N + l;
        cs_vd p = cs_vexp(cs_vwiden(at) - top);
        sum += p;
    }
    cs_vd log_sum = cs_vlog(sum) + top;
    for (size_t k = 0; k < CS_VECTOR && l + k < r->live; k++)
        loss += log_sum[k] - (double)r->score[r->wanted[l + k] * N + l + k];
    for (size_t v = 0; v < w->words; v++) {
        float *at = r->score + v * N + l;
        cs_vnarrow(at, cs_vexp(cs_vwiden(at) - log_sum));
    }
    return loss;
}

static double forward(const cs_words *w, cs_words_scratch *r)
{
    size_t wide = 2 * w->radius * w->width;
    double loss = 0;
    gather(w, r);
    cs_matmul_float(w->mix, w->width, wide, wide, r->in, N, r->h);
    squash(w, r->h);
    cs_matmul_float(w->u, w->words, w->width, w->width, r->h, N, r->score);
    for (size_t l = 0; l < N; l += CS_VECTOR)
        loss += softmax(w, r, l);
    return loss;
}

/* Transposes a matrix: to[cols][rows] = from[rows][cols]'. */
static void turn(const float *from, size_t rows, size_t cols, float *to)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            to[c * rows + r] = from[r * cols + c];
}

static void sum_rows(const float *from, size_t rows, float *to)
{
    for (size_t r = 0; r < rows; r++) {
        float sum = 0;
        for (size_t l = 0; l < N; l++)
            sum += from[r * N + l];
        to[r] = sum;
    }
}

/* Replaces P by (P - 1(wanted)) / live. In padding lanes the result is 0. */
static void off_by(const cs_words *w, cs_words_scratch *r)
{
    float part = 1.0f / (float)r->live;
    for (size_t v = 0; v < w->words; v++)
        for (size_t l = 0; l < N; l++)
            r->score[v * N + l] *= l < r->live ? part : 0;
    for (size_t l = 0; l < r->live; l++)
        r->score[r->wanted[l] * N + l] -= part;
}

static void scatter(const cs_words *w, const cs_words_scratch *r, cs_words *g)
{
    for (size_t d = 0; d < 2 * w->radius; d++)
        for (size_t l = 0; l < r->live; l++) {
            float *e = g->e + r->around[d * N + l] * w->width;
            for (size_t k = 0; k < w->width; k++)
                e[k] += r->product[(d * w->width + k) * N + l];
        }
}

static void back(const cs_words *w, cs_words_scratch *r, cs_words *g)
{
    size_t width = w->width, wide = 2 * w->radius * width;
    memset(g->number, 0, g->numbers * sizeof *g->number);
    off_by(w, r);
    turn(r->h, width, N, r->turned);
    cs_matmul_float(r->score, w->words, N, N, r->turned, width, g->u);
    sum_rows(r->score, w->words, g->c);
    /* Stores the transpose of u, [width][words], in g->e. It is needed for the
     * product with u'. */
    turn(w->u, w->words, width, g->e);
    cs_matmul_float(g->e, width, w->words, w->words, r->score, N, r->back);
    memset(g->e, 0, (w->words + 1) * width * sizeof *g->e);
    for (size_t k = 0; k < width * N; k++)
        r->back[k] *= 1 - r->h[k] * r->h[k];
    sum_rows(r->back, width, g->b);
    turn(r->in, wide, N, r->turned);
    cs_matmul_float(r->back, width, N, N, r->turned, wide, g->mix);
    turn(w->mix, width, wide, r->turned);
    cs_matmul_float(r->turned, wide, width, width, r->back, N, r->product);
    scatter(w, r, g);
}

const cs_words_pass CS_VARIANT(cs_words_passes) = {.forward = forward,
                                                   .back = back};
