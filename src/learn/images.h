/* Images as examples for a network: from IDX files or from draws of a chain,
 * corrupted or not. */
#pragma once

#include "data/idx.h"
#include "learn/network.h"

typedef enum cs_corruption {
    CS_CORRUPT_NOT,
    CS_CORRUPT_NOISE,  /* 0.1 N(0, 1) added, then cut to [0, 1] */
    CS_CORRUPT_SQUARE, /* a square of side 5 to 10, anywhere within, set to 0 */
    CS_CORRUPTIONS
} cs_corruption;

/* Images of grey levels 0 to 255, [n][rows * cols], and their classes. */
typedef struct cs_images {
    size_t n, rows, cols;
    unsigned char *level; /* [own] */
    unsigned char *label; /* [n] or NULL [own] */
} cs_images;

/* Reads `images` and, unless NULL, the `labels` of as many; with `binary` each
 * level becomes 0 or 255, whichever is nearer; levels 0 and 1 of a file that has
 * no others always do, 1 as 255. Images number `first` ... first
 * + count - 1 are kept (count 0: all). [own, cs_images_free] Cold. */
typedef struct cs_images_wanted {
    const char *images, *labels;
    size_t first, count;
    bool binary;
} cs_images_wanted;
cs_status cs_images_read(cs_images *out, const cs_images_wanted *wanted,
                         cs_error *err);

/* Images from x[n][pixels], numbers from 0 to 1 (what is beyond is cut off),
 * square if the pixels allow it, else one row. [own] */
cs_status cs_images_from(cs_images *out, const double *x, size_t n,
                         size_t pixels, cs_error *err);
void cs_images_free(cs_images *images);

/* x[pixels] = image number i, corrupted as that seed says. */
void cs_images_show(const cs_images *images, size_t i, cs_corruption corrupt,
                    uint64_t seed, float *x);

/* Examples that want the class of each image (a network with as many outputs
 * as there are classes, at least), or without labels the image itself. */
cs_examples cs_images_examples(const cs_images *images);

/* Whether `net` can look at these images (and, as it has labels, tell that
 * many classes). */
cs_status cs_images_fit(const cs_images *images, const cs_network *net,
                        cs_error *err);

/* count[outputs of net] = how many images it takes for each class; *right
 * (NULL allowed) = for how many of them that is the label. */
cs_status cs_images_classify(const cs_images *images, const cs_network *net,
                             size_t *count, size_t *right, cs_error *err);

/* How like its outputs are to the corrupted images it was shown or, `clean`, to
 * the images as they were: means over all images. */
typedef struct cs_likeness {
    double mse, psnr, ssim, lift; /* lift: mean of output - image */
} cs_likeness;
cs_status cs_images_reconstruct(const cs_images *images, const cs_network *net,
                                cs_corruption corrupt, bool clean,
                                uint64_t seed, cs_likeness *out, cs_error *err);
