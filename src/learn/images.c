#include "learn/images.h"

#include "base/memory.h"
#include "rng/stream.h"
#include "stat/image.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for images");
}

void cs_images_free(cs_images *images)
{
    cs_free(images->level);
    cs_free(images->label);
    *images = (cs_images){0};
}

/* ---- sources ------------------------------------------------------------- */

/* Copies n rows of `from`, starting at row `first`. */
static unsigned char *cut(const cs_idx *from, size_t first, size_t n)
{
    unsigned char *out = cs_alloc(n * from->row, 1);
    if (out)
        memcpy(out, from->byte + first * from->row, n * from->row);
    return out;
}

static cs_status refuse(const char *path, cs_error *err, const char *what,
                        const char *hint)
{
    cs_fail(err, CS_INPUT, "%s", what);
    cs_where(err, path, 0);
    cs_hint(err, "%s", hint);
    return CS_INPUT;
}

static cs_status read_labels(cs_images *out, size_t all,
                             const cs_images_wanted *wanted, cs_error *err)
{
    cs_idx idx;
    cs_status s = cs_idx_read_bytes(wanted->labels, &idx, err);
    if (s)
        return s;
    if (idx.sizes != 1 || idx.size[0] != all)
        s = refuse(wanted->labels, err,
                   "the number of labels differs from the number of images",
                   "give the labels that belong to these images");
    else if (!(out->label = cut(&idx, wanted->first, out->n)))
        s = no_memory(err);
    cs_idx_free(&idx);
    return s;
}

static cs_status read_levels(cs_images *out, const cs_idx *idx,
                             const cs_images_wanted *wanted, cs_error *err)
{
    size_t left =
        idx->size[0] > wanted->first ? idx->size[0] - wanted->first : 0;
    if (idx->sizes != 3)
        return refuse(wanted->images, err,
                      "the IDX file does not contain images",
                      "give a file of three dimensions: images, rows, columns");
    if (left == 0 || wanted->count > left)
        return refuse(wanted->images, err,
                      "the file has fewer images than requested",
                      "request fewer images, or an earlier first image");
    out->n = wanted->count ? wanted->count : left;
    out->rows = idx->size[1];
    out->cols = idx->size[2];
    out->level = cut(idx, wanted->first, out->n);
    if (!out->level)
        return no_memory(err);
    bool bits = cs_idx_top(idx) == 1;
    for (size_t i = 0; (bits || wanted->binary) && i < out->n * idx->row; i++)
        out->level[i] = out->level[i] > (bits ? 0 : 127) ? 255 : 0;
    return CS_OK;
}

cs_status cs_images_read(cs_images *out, const cs_images_wanted *wanted,
                         cs_error *err)
{
    cs_idx idx;
    *out = (cs_images){0};
    cs_status s = cs_idx_read_bytes(wanted->images, &idx, err);
    if (s)
        return s;
    s = read_levels(out, &idx, wanted, err);
    if (!s && wanted->labels)
        s = read_labels(out, idx.size[0], wanted, err);
    cs_idx_free(&idx);
    if (s)
        cs_images_free(out);
    return s;
}

cs_status cs_images_from(cs_images *out, const double *x, size_t n,
                         size_t pixels, cs_error *err)
{
    assert(x && pixels > 0);
    size_t side = (size_t)(sqrt((double)pixels) + 0.5);
    bool square = side * side == pixels;
    *out = (cs_images){.n = n,
                       .rows = square ? side : 1,
                       .cols = square ? side : pixels,
                       .level = cs_alloc(n * pixels, 1)};
    if (!out->level)
        return no_memory(err);
    for (size_t i = 0; i < n * pixels; i++)
        out->level[i] = (unsigned char)(255 * fmin(fmax(x[i], 0), 1) + 0.5);
    return CS_OK;
}

/* ---- corruption ---------------------------------------------------------- */

static void words_of(uint64_t seed, size_t image, size_t k, uint64_t word[2])
{
    cs_threefry2x64(20, (const uint64_t[]){image, k},
                    (const uint64_t[]){seed, 5}, word);
}

static double uniform(uint64_t word)
{
    return ((double)(word >> 11) + 0.5) * 0x1p-53;
}

static void add_noise(size_t pixels, size_t image, uint64_t seed, float *x)
{
    for (size_t p = 0; p < pixels; p++) {
        uint64_t word[2];
        words_of(seed, image, p, word);
        double turn = 6.283185307179586 * uniform(word[1]);
        double normal = sqrt(-2 * log(uniform(word[0]))) * cos(turn);
        double level = (double)x[p] + 0.1 * normal;
        x[p] = (float)fmin(fmax(level, 0), 1);
    }
}

static void hide_square(const cs_images *images, size_t image, uint64_t seed,
                        float *x)
{
    uint64_t word[2], place[2];
    words_of(seed, image, 0, word);
    words_of(seed, image, 1, place);
    size_t side = 5 + (size_t)(6 * uniform(word[0]));
    side = side < images->rows ? side : images->rows;
    side = side < images->cols ? side : images->cols;
    double down = (double)(images->rows - side + 1);
    double right = (double)(images->cols - side + 1);
    size_t top = (size_t)(down * uniform(place[0]));
    size_t left = (size_t)(right * uniform(place[1]));
    for (size_t r = top; r < top + side; r++)
        memset(x + r * images->cols + left, 0, side * sizeof *x);
}

void cs_images_show(const cs_images *images, size_t i, cs_corruption corrupt,
                    uint64_t seed, float *x)
{
    assert(i < images->n && corrupt < CS_CORRUPTIONS);
    size_t pixels = images->rows * images->cols;
    const unsigned char *level = images->level + i * pixels;
    for (size_t p = 0; p < pixels; p++)
        x[p] = (float)level[p] / 255;
    if (corrupt == CS_CORRUPT_NOISE)
        add_noise(pixels, i, seed, x);
    if (corrupt == CS_CORRUPT_SQUARE)
        hide_square(images, i, seed, x);
}

static void read_class(const void *self, size_t row, float *x, float *y)
{
    const cs_images *images = self;
    cs_images_show(images, row, CS_CORRUPT_NOT, 0, x);
    y[images->label[row]] = 1;
}

static void read_image(const void *self, size_t row, float *x, float *y)
{
    cs_images_show(self, row, CS_CORRUPT_NOT, 0, x);
    cs_images_show(self, row, CS_CORRUPT_NOT, 0, y);
}

cs_examples cs_images_examples(const cs_images *images)
{
    return (cs_examples){.n = images->n,
                         .read = images->label ? read_class : read_image,
                         .self = images};
}

cs_status cs_images_fit(const cs_images *images, const cs_network *net,
                        cs_error *err)
{
    size_t pixels = images->rows * images->cols, most = 0;
    size_t out = net->unit[net->layers];
    for (size_t i = 0; images->label && i < images->n; i++)
        most = images->label[i] > most ? images->label[i] : most;
    if (net->unit[0] != pixels) {
        cs_fail(err, CS_INPUT,
                "the network has %zu inputs, but the images have %zu pixels",
                net->unit[0], pixels);
        cs_hint(err, "use a network with one input per pixel");
        return CS_INPUT;
    }
    if (images->label && most >= out) {
        cs_fail(err, CS_INPUT,
                "the network has %zu outputs, but labels go up to %zu", out,
                most);
        cs_hint(err, "use a network with %zu outputs", most + 1);
        return CS_INPUT;
    }
    if (!images->label && out != pixels) {
        cs_fail(err, CS_INPUT,
                "the network has %zu outputs, but the images have %zu pixels",
                out, pixels);
        cs_hint(err, "give labels, or use a network with one output per pixel");
        return CS_INPUT;
    }
    return CS_OK;
}

/* ---- evaluation of a network --------------------------------------------- */

enum { BATCH = 64 };

/* Allocates the inputs and the outputs of a batch of images. */
static float *open_batch(const cs_network *net, float **y)
{
    size_t in = net->unit[0], out = net->unit[net->layers];
    float *x = cs_alloc(BATCH * (in + out), sizeof *x);
    *y = x ? x + BATCH * in : NULL;
    return x;
}

cs_status cs_images_classify(const cs_images *images, const cs_network *net,
                             size_t *count, size_t *right, cs_error *err)
{
    assert(count);
    size_t in = net->unit[0], out = net->unit[net->layers], hits = 0;
    float *y, *x = open_batch(net, &y);
    cs_status s = x ? CS_OK : no_memory(err);
    memset(count, 0, out * sizeof *count);
    for (size_t first = 0; !s && first < images->n; first += BATCH) {
        size_t n = images->n - first < BATCH ? images->n - first : BATCH;
        for (size_t i = 0; i < n; i++)
            cs_images_show(images, first + i, CS_CORRUPT_NOT, 0, x + i * in);
        s = cs_network_apply(net, x, n, y, err);
        for (size_t i = 0; !s && i < n; i++) {
            size_t class = cs_network_class(y + i * out, out);
            count[class]++;
            hits += images->label && images->label[first + i] == class;
        }
    }
    if (right)
        *right = hits;
    cs_free(x);
    return s;
}

/* Compares one image with the network's output, and adds the scores of this
 * comparison to *sum. */
static void compare(const cs_images *images, const float *shown, const float *y,
                    double *a, cs_likeness *sum)
{
    size_t pixels = images->rows * images->cols;
    double *b = a + pixels, lift = 0;
    for (size_t p = 0; p < pixels; p++) {
        a[p] = (double)shown[p];
        b[p] = (double)y[p];
        lift += b[p] - a[p];
    }
    double mse = cs_image_mse(a, b, pixels);
    sum->mse += mse;
    /* counts an exact copy as 120 dB */
    sum->psnr += cs_image_psnr(fmax(mse, 1e-12));
    sum->ssim += cs_image_ssim(a, b, images->rows, images->cols);
    sum->lift += lift / (double)pixels;
}

cs_status cs_images_reconstruct(const cs_images *images, const cs_network *net,
                                cs_corruption corrupt, bool clean,
                                uint64_t seed, cs_likeness *out, cs_error *err)
{
    size_t pixels = images->rows * images->cols;
    float *y, *x = open_batch(net, &y);
    double *scratch = cs_alloc(2 * pixels, sizeof *scratch),
           n = (double)images->n;
    cs_status s = x && scratch ? CS_OK : no_memory(err);
    *out = (cs_likeness){0};
    for (size_t first = 0; !s && first < images->n; first += BATCH) {
        size_t some = images->n - first < BATCH ? images->n - first : BATCH;
        for (size_t i = 0; i < some; i++)
            cs_images_show(images, first + i, corrupt, seed, x + i * pixels);
        s = cs_network_apply(net, x, some, y, err);
        for (size_t i = 0; !s && i < some; i++) {
            if (clean)
                cs_images_show(images, first + i, CS_CORRUPT_NOT, 0,
                               x + i * pixels);
            compare(images, x + i * pixels, y + i * pixels, scratch, out);
        }
    }
    *out = (cs_likeness){out->mse / n, out->psnr / n, out->ssim / n,
                         out->lift / n};
    cs_free(scratch);
    cs_free(x);
    return s;
}
