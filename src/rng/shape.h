/* Converts the two words of a block to uniforms, log uniforms or normals: two
 * numbers or, in single precision, four numbers. Processes `wide` vectors
 * together, to hide latencies. Included by fill.c. */
#pragma once

#include "rng/octaves.h"

/* Returns the number of results per block, which is at most MOST_ROWS. */
enum { MOST_ROWS = 4 };
INLINE size_t rows_of(cs_shape form)
{
    return form == CS_SINGLE_NORMALS ? MOST_ROWS : 2;
}

/* Returns 1 + k 2^-52, where k is the lower 52 bits. */
INLINE cs_vd one_and(cs_vu word)
{
    const cs_vu mask = cs_vset_u(0x000fffffffffffffu);
    const cs_vu one = cs_vset_u(0x3ff0000000000000u);
#if defined(__AVX512F__)
    return (cs_vd)_mm512_ternarylogic_epi64((__m512i)word, (__m512i)mask,
                                            (__m512i)one, 0xea);
#else
    return (cs_vd)((word & mask) | one);
#endif
}

/* Returns (k + 1/2) 2^-52: the result is exact, and never 0 or 1. */
INLINE cs_vd unit(cs_vu word)
{
    return one_and(word) - (1.0 - 0x1p-53);
}

/* Exchanges x and y in lanes where bit 62 of the word is set. */
INLINE void exchange(cs_vu word, cs_vd *x, cs_vd *y)
{
    cs_vd was = *x;
#if defined(__AVX512F__)
    __mmask8 set = _mm512_test_epi64_mask((__m512i)word,
                                          _mm512_set1_epi64(INT64_C(1) << 62));
    *x = (cs_vd)_mm512_mask_blend_pd(set, (__m512d)*x, (__m512d)*y);
    *y = (cs_vd)_mm512_mask_blend_pd(set, (__m512d)*y, (__m512d)was);
#else
    cs_vi set = (cs_vi)(word << 1) < 0;
    *x = cs_vselect(set, *y, *x);
    *y = cs_vselect(set, was, *y);
#endif
}

/* Makes one step of Horner's scheme, with coefficient c. */
#define HORNER(p, z, c) EACH p[j] = cs_vfma(z[j], p[j], cs_vset(c))

/* Computes y = -2 log u for each word, with a minimax polynomial in s^2.
 * Relative error 3e-14. */
INLINE void squares(int wide, const cs_vu *word, cs_vd *y)
{
    cs_vd f[WIDE], z[WIDE], p[WIDE];
    EACH y[j] = cs_vm_log_split(unit(word[j]), &f[j]);
    EACH f[j] = f[j] / (2.0 + f[j]);
    EACH z[j] = f[j] * f[j];
    EACH p[j] = cs_vset(-3.921969906786852977376e-01);
    HORNER(p, z, -4.434824394821468840355e-01);
    HORNER(p, z, -5.714433882315849144717e-01);
    HORNER(p, z, -7.999998971562981564531e-01);
    HORNER(p, z, -1.333333333594064695760e+00);
    HORNER(p, z, -3.999999999999892974500e+00);
    EACH f[j] = f[j] * p[j];
    EACH y[j] = cs_vfma(y[j], cs_vset(-1.38629436111989061883), f[j]);
}

/* Computes two normals per block by Box and Muller, "A note on the generation
 * of random normal deviates" (1958), equation (1). The lower 52 bits of the
 * second word are an angle within an eighth of a turn from an axis; the upper
 * two bits choose the axis and its direction. sin and cos of v pi/2 are minimax
 * polynomials in v^2, with relative errors 5e-15 and 7e-14. */
INLINE void as_normals(int wide, cs_vu *a, cs_vu *b)
{
    cs_vd r[WIDE], v[WIDE], z[WIDE], p[WIDE], q[WIDE];
    squares(wide, a, r);
    EACH r[j] = cs_vsqrt(r[j]);
    EACH v[j] = one_and(b[j]) - 1.5;
    EACH z[j] = v[j] * v[j];
    EACH p[j] = cs_vset(-3.556206576694743695172e-06);
    EACH q[j] = cs_vset(-2.484597856984593718306e-05);
    HORNER(p, z, 1.604291525100030987774e-04);
    HORNER(q, z, 9.191586039896455133727e-04);
    HORNER(p, z, -4.681752566775680170219e-03);
    HORNER(q, z, -2.086346731197187900908e-02);
    HORNER(p, z, 7.969262615353442380517e-02);
    HORNER(q, z, 2.536695070914812832896e-01);
    HORNER(p, z, -6.459640975042396648931e-01);
    HORNER(q, z, -1.233700550118188576931e+00);
    HORNER(p, z, 1.570796326794889452572e+00);
    HORNER(q, z, 9.999999999999343858192e-01);
    EACH p[j] = r[j] * v[j] * p[j];
    EACH q[j] = r[j] * q[j];
    EACH q[j] = (cs_vd)((cs_vu)q[j] ^ (b[j] & 0x8000000000000000u));
    EACH exchange(b[j], &q[j], &p[j]);
    EACH a[j] = (cs_vu)q[j];
    EACH b[j] = (cs_vu)p[j];
}

/* Computes normals from the halves of the first word and, if needed, of the
 * second. */
INLINE void as_single_normals(int wide, size_t count, cs_vu (*w)[WIDE])
{
    halves first[WIDE], second[WIDE];
    half_normals(wide, w[0], first);
    if (count > 2) {
        half_normals(wide, w[1], second);
        EACH widen(second[j], &w[2][j], &w[3][j]);
    }
    EACH widen(first[j], &w[0][j], &w[1][j]);
}

/* Computes at least the first `count` numbers from the words w[0] and w[1] of
 * some blocks, one row per number. */
INLINE void make(int wide, cs_shape form, size_t count, cs_vu (*w)[WIDE])
{
    if (form == CS_UNIFORMS) {
        EACH w[0][j] = (cs_vu)unit(w[0][j]);
        EACH w[1][j] = (cs_vu)unit(w[1][j]);
    } else if (form == CS_NORMALS) {
        as_normals(wide, w[0], w[1]);
    } else if (form == CS_SINGLE_NORMALS) {
        as_single_normals(wide, count, w);
    } else if (form == CS_LOG_UNIFORMS) {
        cs_vd y[WIDE];
        for (size_t k = 0; k < count; k++) {
            squares(wide, w[k], y);
            EACH w[k][j] = (cs_vu)(-0.5 * y[j]);
        }
    }
}
