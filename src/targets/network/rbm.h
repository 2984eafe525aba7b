/* Restricted Boltzmann machines: declarations shared by the hot part (rbm.c)
 * and the cold part (rbm_make.c). */
#pragma once

#include "base/param.h"
#include "simd/variants.h"
#include "target/target.h"

enum {
    CS_RBM_VISIBLE,
    CS_RBM_HIDDEN,
    CS_RBM_SD,
    CS_RBM_SEED,
    CS_RBM_WEIGHTS,
    CS_RBM_FILE,
    CS_RBM_COLS,
    CS_RBM_PARAMS
};

/* W and c are rounded to multiples of a power of two, the grain. The grain is
 * so coarse that every sum of these multiples is exact. Therefore W v + c does
 * not depend on the order of updates, and a weight in units of the grain fits
 * in 32 bits. */
typedef struct cs_rbm {
    size_t visible, hidden, cols; /* cols: columns of the image; 0: no image */
    size_t stride;                /* hidden padded to whole vectors */
    double *w;                    /* [hidden][visible] the weights W [own] */
    double *wt;                   /* [visible][stride] the transpose of W
                                     [own] */
    int32_t *grains;              /* [visible][stride] wt in units of the grain
                                     [own] */
    double grain;
    double *grow, *shrink;   /* exp of wt and of -wt, padded with 1 [own] */
    float *single;           /* [visible][hidden] wt in single precision
                                [own] */
    double *pairs;           /* [visible] cs_winograd_row of each row of wt
                                [own] */
    float *pairs_single;     /* [visible] the same numbers in single precision
                                [own] */
    double *centre;          /* [visible] b_i plus half the sum of row i of wt
                                [own] */
    double size;             /* approximate size of a weight, a power of two */
    double *b, *c;           /* b[visible], c[hidden]: biases [own] */
    size_t group;            /* number of factors that can be multiplied without
                                overflow; each factor is between
                                1 / (1 + max exp W) and 1 + max exp W */
    size_t most;             /* largest number of flips for which p is updated;
                              * for more flips p is recomputed */
    double *running;         /* [2^hidden] cumulative probabilities of the
                                hidden states, or NULL [own] */
    double *mean, *variance; /* [visible] moments of the bits, or NULL [own] */
} cs_rbm;

extern const cs_param cs_rbm_params[CS_RBM_PARAMS];

/* The cold functions of the target type. */
cs_status cs_rbm_create(cs_target *t, const cs_value *v, cs_error *err);
void cs_rbm_destroy(cs_target *t);
void cs_rbm_draw(const cs_target *t, const double *logp, double *x);
void cs_rbm_coordinate(const cs_target *t, size_t i, char *text, size_t size);

/* The cold functions of the model that learns (see cs_model_type). The learned
 * parameters are W [hidden][visible], b, c. */
cs_status cs_rbm_copy(const cs_target *t, cs_target *to, cs_error *err);
void cs_rbm_begin(cs_target *t, const double *mean, const double *uniform);
bool cs_rbm_filter(const cs_target *t, size_t i, double *out);
double cs_rbm_log_z0(const cs_target *t, const double *base);
/* Limits the learned parameters to the computable range, and determines the
 * grain. */
void cs_rbm_bound(cs_rbm *m, double *learned);
/* Fills the derived tables that rbm_model.c does not fill. */
void cs_rbm_remake_rest(cs_rbm *m);

CS_DECLARE_VARIANTS(cs_model_type, cs_rbm_model)
