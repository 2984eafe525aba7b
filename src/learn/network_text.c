/* Writes networks as text, and reads them. */
#include "base/memory.h"
#include "data/lines.h"
#include "learn/network.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct sheet {
    char *at;
    size_t used, capacity;
    bool failed;
} sheet;

static void put(sheet *t, const char *piece)
{
    size_t n = strlen(piece);
    if (t->failed || !CS_GROW(t->at, t->used, t->capacity, n + 1)) {
        t->failed = true;
        return;
    }
    memcpy(t->at + t->used, piece, n + 1);
    t->used += n;
}

static void put_unit(sheet *t, const cs_network *net, size_t k, size_t j,
                     int digits)
{
    char number[40];
    const float *row = net->weight[k] + j * cs_network_stride(net->unit[k]);
    snprintf(number, sizeof number, "%.*g", digits, (double)net->bias[k][j]);
    put(t, number);
    for (size_t i = 0; i < net->unit[k]; i++) {
        snprintf(number, sizeof number, " %.*g", digits, (double)row[i]);
        put(t, number);
    }
    put(t, "\n");
}

cs_status cs_network_text(const cs_network *net, int digits, char **out,
                          cs_error *err)
{
    assert(digits > 0);
    sheet t = {0};
    char size[40];
    put(&t, "network");
    for (size_t k = 0; k <= net->layers; k++) {
        snprintf(size, sizeof size, " %zu", net->unit[k]);
        put(&t, size);
    }
    put(&t, "\n");
    for (size_t k = 0; k < net->layers; k++)
        for (size_t j = 0; j < net->unit[k + 1]; j++)
            put_unit(&t, net, k, j, digits);
    if (t.failed) {
        cs_free(t.at);
        return cs_fail(err, CS_MEMORY, "out of memory for a network");
    }
    *out = t.at;
    return CS_OK;
}

static cs_status refuse(const cs_lines *l, cs_error *err, const char *what)
{
    return cs_lines_refuse(l, CS_INPUT, err, what,
                           "write a line \"network 784 64 10\", then for each "
                           "unit of each layer a line of its bias and weights");
}

static cs_status read_sizes(cs_lines *l, cs_network *net, cs_error *err)
{
    cs_word_span line, word;
    size_t unit[CS_NETWORK_LAYERS + 1], n = 0;
    double size;
    if (!cs_lines_next(l, &line) || !cs_word_is(cs_word_next(&line), "network"))
        return refuse(l, err, "not a network file");
    for (word = cs_word_next(&line); word.at < word.end;
         word = cs_word_next(&line)) {
        if (n > CS_NETWORK_LAYERS ||
            !cs_word_whole(word, 1, CS_NETWORK_UNITS, &size))
            return refuse(l, err, "the network has invalid sizes");
        unit[n++] = (size_t)size;
    }
    /* Each number takes at least two bytes of the text. Therefore there cannot
     * be more weights than bytes. */
    for (size_t k = 0; k + 1 < n; k++)
        if (unit[k] * unit[k + 1] > (size_t)(l->end - l->at))
            return refuse(l, err, "fewer weights than these sizes need");
    cs_status s = cs_network_create(net, unit, n, 0, err);
    if (s == CS_RANGE)
        cs_where(err, l->where, l->line);
    return s;
}

static cs_status read_unit(cs_lines *l, cs_network *net, size_t k, size_t j,
                           cs_error *err)
{
    float *row = net->weight[k] + j * cs_network_stride(net->unit[k]);
    cs_word_span line;
    double number;
    if (!cs_lines_next(l, &line))
        return refuse(l, err, "fewer lines than there are units");
    for (size_t i = 0; i <= net->unit[k]; i++) {
        if (!cs_word_number(cs_word_next(&line), &number) ||
            fabs(number) > 1e30)
            return refuse(l, err, "a weight is missing, or not a number");
        *(i == 0 ? net->bias[k] + j : row + i - 1) = (float)number;
    }
    if (line.at < line.end)
        return refuse(l, err, "more weights than this unit has");
    return CS_OK;
}

static cs_status read_lines(cs_lines *l, void *out, cs_error *err)
{
    cs_network *net = out;
    cs_word_span more;
    cs_status s = read_sizes(l, net, err);
    for (size_t k = 0; !s && k < net->layers; k++)
        for (size_t j = 0; !s && j < net->unit[k + 1]; j++)
            s = read_unit(l, net, k, j, err);
    if (!s && cs_lines_next(l, &more))
        s = refuse(l, err, "more lines than there are units");
    if (s)
        cs_network_free(net);
    return s;
}

cs_status cs_network_parse(cs_network *net, const char *text, size_t size,
                           const char *where, cs_error *err)
{
    *net = (cs_network){0};
    return cs_lines_parse(text, size, where, read_lines, net, err);
}

cs_status cs_network_read(cs_network *net, const char *path, cs_error *err)
{
    *net = (cs_network){0};
    return cs_lines_read(path, "network file", read_lines, net, err);
}
