/* Images as examples for a network. They are read from IDX files or made from
 * draws of a chain, and may be corrupted. */
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

/* Reads `images` and, unless NULL, their `labels`. If `binary` is true, rounds
 * each level to 0 or 255. If a file has only the levels 0 and 1, level 1 always
 * becomes 255. Keeps the images with numbers `first` to first + count - 1 (all
 * images if count is 0). [own, cs_images_free] Cold. */
typedef struct cs_images_wanted {
    const char *images, *labels;
    size_t first, count;
    bool binary;
} cs_images_wanted;
cs_status cs_images_read(cs_images *out, const cs_images_wanted *wanted,
                         cs_error *err);

/* Makes images from x[n][pixels], with values clipped to the range 0 to 1. The
 * images are square if the number of pixels is a square; otherwise each image
 * is a single row. [own] */
cs_status cs_images_from(cs_images *out, const double *x, size_t n,
                         size_t pixels, cs_error *err);
void cs_images_free(cs_images *images);

/* Writes image number i to x[pixels], corrupted with this seed. */
void cs_images_show(const cs_images *images, size_t i, cs_corruption corrupt,
                    uint64_t seed, float *x);

/* Returns examples. If there are labels, the output of an example is the class
 * of the image. The network must then have at least one output per class.
 * Without labels, the output is the image itself. */
cs_examples cs_images_examples(const cs_images *images);

/* Checks that the inputs of `net` are images of this size. If the images have
 * labels, also checks that `net` has enough classes. */
cs_status cs_images_fit(const cs_images *images, const cs_network *net,
                        cs_error *err);

/* Classifies the images. Fills count[outputs of net] with the number of images
 * in each class. Sets *right (NULL allowed) to the number of images whose class
 * is their label. */
cs_status cs_images_classify(const cs_images *images, const cs_network *net,
                             size_t *count, size_t *right, cs_error *err);

/* Mean similarity, over all images, between the network's outputs and the
 * corrupted input images; if `clean` is true, between the outputs and the
 * original images. */
typedef struct cs_likeness {
    double mse, psnr, ssim, lift; /* lift: mean of the output minus the image */
} cs_likeness;
cs_status cs_images_reconstruct(const cs_images *images, const cs_network *net,
                                cs_corruption corrupt, bool clean,
                                uint64_t seed, cs_likeness *out, cs_error *err);
