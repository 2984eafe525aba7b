/* Images as examples for a network: from IDX files or from draws of a chain,
 * with or without corruption. */
#pragma once

#include "data/idx.h"
#include "learn/network.h"

typedef enum cs_corruption {
    CS_CORRUPT_NOT,
    CS_CORRUPT_NOISE,  /* adds 0.1 N(0, 1) to each pixel, then clips to [0,
                          1] */
    CS_CORRUPT_SQUARE, /* sets a square with a side of 5 to 10 pixels, at a
                          random place, to 0 */
    CS_CORRUPTIONS
} cs_corruption;

/* Images of grey levels 0 to 255, [n][rows * cols], and their labels. */
typedef struct cs_images {
    size_t n, rows, cols;
    unsigned char *level; /* [n][rows * cols] grey levels [own] */
    unsigned char *label; /* [n] labels, or NULL [own] */
} cs_images;

/* Reads `images` and, unless NULL, their `labels`. With `binary` each level is
 * rounded to 0 or 255. If a file has only the levels 0 and 1, level 1 always
 * becomes 255. Keeps images number `first` to first + count - 1 (all images if
 * count is 0). [own, cs_images_free] Cold. */
typedef struct cs_images_wanted {
    const char *images, *labels;
    size_t first, count;
    bool binary;
} cs_images_wanted;
cs_status cs_images_read(cs_images *out, const cs_images_wanted *wanted,
                         cs_error *err);

/* Makes images from x[n][pixels], clipped to 0 to 1. The images are square if
 * the number of pixels allows it; otherwise each image is a single row.
 * [own] */
cs_status cs_images_from(cs_images *out, const double *x, size_t n,
                         size_t pixels, cs_error *err);
void cs_images_free(cs_images *images);

/* Writes image number i to x[pixels], corrupted with this seed. */
void cs_images_show(const cs_images *images, size_t i, cs_corruption corrupt,
                    uint64_t seed, float *x);

/* Returns examples whose output is the class of each image (for a network with
 * at least one output per class) or, without labels, the image itself. */
cs_examples cs_images_examples(const cs_images *images);

/* Checks that `net` takes images of this size and, with labels, has enough
 * classes. */
cs_status cs_images_fit(const cs_images *images, const cs_network *net,
                        cs_error *err);

/* Fills count[outputs of net] with the number of images assigned to each class.
 * Sets *right (NULL allowed) to the number of images that are assigned to their
 * label. */
cs_status cs_images_classify(const cs_images *images, const cs_network *net,
                             size_t *count, size_t *right, cs_error *err);

/* Mean similarity, over all images, of the network's outputs to the corrupted
 * input images or, with `clean`, to the original images. */
typedef struct cs_likeness {
    double mse, psnr, ssim, lift; /* lift: mean of the output minus the image */
} cs_likeness;
cs_status cs_images_reconstruct(const cs_images *images, const cs_network *net,
                                cs_corruption corrupt, bool clean,
                                uint64_t seed, cs_likeness *out, cs_error *err);
