/* One pass over a minibatch. Compiled for each instruction set.
 *
 * The backward pass starts from the outputs. Let s_l be the gradient of the
 * mean loss with respect to the output of layer l before max(0, .). Then
 * dL/dW_l = s_l a_(l-1)', dL/db_l = sum of s_l over the batch, and s_(l-1) =
 * W_l' s_l where a_(l-1) > 0, and 0 elsewhere. */
#include "learn/network_pass.h"

#include "simd/matmul.h"

#include <math.h>
#include <string.h>

static void forward(const cs_network *net, cs_network_scratch *scratch)
{
    size_t lanes = scratch->lanes;
    for (size_t k = 0; k < net->layers; k++) {
        size_t in = net->unit[k], out = net->unit[k + 1];
        float *y = scratch->value[k + 1];
        float least = k + 1 < net->layers ? 0 : -HUGE_VALF;
        cs_matmul_float(net->weight[k], out, cs_network_stride(in), in,
                        scratch->value[k], lanes, y);
        for (size_t j = 0; j < out; j++)
            for (size_t l = 0; l < lanes; l++) {
                float a = y[j * lanes + l] + net->bias[k][j];
                y[j * lanes + l] = a > least ? a : least;
            }
    }
}

/* Transposes a matrix: to[cols][to_stride] = from[rows][stride]', padded with
 * 0. */
static void turn(const float *from, size_t rows, size_t cols, size_t stride,
                 size_t to_stride, float *to)
{
    memset(to, 0, cols * to_stride * sizeof *to);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            to[c * to_stride + r] = from[r * stride + c];
}

static double squared(const float *y, const float *wanted, size_t out,
                      const cs_network_scratch *scratch, float *slope)
{
    double sum = 0;
    double scale = 2 / ((double)scratch->live * (double)out);
    for (size_t j = 0; j < out; j++)
        for (size_t l = 0; l < scratch->live; l++) {
            size_t i = j * scratch->lanes + l;
            double off = (double)y[i] - (double)wanted[i];
            sum += off * off;
            slope[i] = (float)(scale * off);
        }
    return sum / (double)out;
}

/* Returns the sum of -log softmax(y)[wanted], and sets slope = softmax(y) -
 * wanted. */
static double entropy(const float *y, const float *wanted, size_t out,
                      const cs_network_scratch *scratch, float *slope)
{
    double sum = 0;
    for (size_t l = 0; l < scratch->live; l++) {
        double most = -HUGE_VAL, total = 0;
        for (size_t j = 0; j < out; j++)
            most = fmax(most, (double)y[j * scratch->lanes + l]);
        for (size_t j = 0; j < out; j++)
            total += exp((double)y[j * scratch->lanes + l] - most);
        for (size_t j = 0; j < out; j++) {
            size_t i = j * scratch->lanes + l;
            double log_p = (double)y[i] - most - log(total);
            double off = exp(log_p) - (double)wanted[i];
            sum -= (double)wanted[i] * log_p;
            slope[i] = (float)(off / (double)scratch->live);
        }
    }
    return sum;
}

static void back_layer(const cs_network *net, cs_network_scratch *scratch,
                       size_t k, float *gradient)
{
    size_t in = net->unit[k], out = net->unit[k + 1], lanes = scratch->lanes;
    size_t stride = cs_network_stride(in), offset;
    const float *slope = scratch->slope[k + 1];
    offset = (size_t)(net->weight[k] - net->number);
    turn(scratch->value[k], in, lanes, lanes, stride, scratch->transposed);
    cs_matmul_float(slope, out, lanes, lanes, scratch->transposed, stride,
                    gradient + offset);
    offset = (size_t)(net->bias[k] - net->number);
    for (size_t j = 0; j < out; j++) {
        float sum = 0;
        for (size_t l = 0; l < scratch->live; l++)
            sum += slope[j * lanes + l];
        gradient[offset + j] = sum;
    }
    if (k == 0)
        return;
    turn(net->weight[k], out, in, stride, out, scratch->transposed);
    cs_matmul_float(scratch->transposed, in, out, out, slope, lanes,
                    scratch->slope[k]);
    for (size_t i = 0; i < in * lanes; i++)
        scratch->slope[k][i] =
            scratch->value[k][i] > 0 ? scratch->slope[k][i] : 0;
}

static double back(const cs_network *net, cs_network_scratch *scratch,
                   cs_loss loss, const float *wanted, float *gradient)
{
    size_t top = net->layers, out = net->unit[top];
    float *slope = scratch->slope[top];
    memset(slope, 0, out * scratch->lanes * sizeof *slope);
    double sum = (loss == CS_LOSS_SQUARED ? squared : entropy)(
        scratch->value[top], wanted, out, scratch, slope);
    for (size_t k = top; k-- > 0;)
        back_layer(net, scratch, k, gradient);
    return sum;
}

static void adam(float *number, const float *gradient, float *mean,
                 float *square, size_t n, double rate, double t)
{
    const float b1 = 0.9F, b2 = 0.999F;
    float c1 = (float)(rate / (1 - pow(0.9, t)));
    float c2 = (float)(1 / (1 - pow(0.999, t)));
    for (size_t i = 0; i < n; i++) {
        float g = gradient[i];
        mean[i] = b1 * mean[i] + (1 - b1) * g;
        square[i] = b2 * square[i] + (1 - b2) * g * g;
        number[i] -= c1 * mean[i] / (sqrtf(c2 * square[i]) + 1e-8F);
    }
}

const cs_network_pass CS_VARIANT(cs_network_passes) = {
    .forward = forward, .back = back, .adam = adam};
