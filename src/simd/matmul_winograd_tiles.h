/* Tiles of simd/matmul_winograd.h for one kind of number. matmul_winograd.h
 * includes this file once per kind, with two macros that the file undefines at
 * its end:
 *
 *     CS_KIND(part)   name of a part of the kind: vector, load, fma, ...
 *     CS_KIND_NUMBER  type of the numbers
 *
 * Without these macros the file is empty. */
#if defined(CS_KIND)
#define number CS_KIND_NUMBER
#define vector CS_KIND(vector)
#define kind_round CS_KIND(pair_round)
#define kind_tile CS_KIND(pair_tile)
#define kind_strip CS_KIND(pair_strip)
#define kind_aux CS_KIND(pair_aux)

typedef struct CS_KIND(pair_sums) {
    vector of[CS_KIND(PAIR_ROWS)][CS_KIND(PAIR_TILE)];
} CS_KIND(pair_sums);

/* Adds two columns, paired or not, to the sums of a tile. */
static inline __attribute__((always_inline)) void
kind_round(const number *a, size_t rows, size_t stride, const number *x,
           size_t lanes, size_t wide, bool paired, CS_KIND(pair_sums) * sum)
{
    vector in[2][CS_KIND(PAIR_TILE)];
#pragma GCC unroll 8
    for (size_t v = 0; v < wide; v++) {
        in[0][v] = CS_KIND(load)(x + v * CS_KIND(WIDE));
        in[1][v] = CS_KIND(load)(x + lanes + v * CS_KIND(WIDE));
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++) {
            const number *two = a + r * stride;
            vector s = sum->of[r][v];
            if (paired)
                s = CS_KIND(fma)(CS_KIND(plus_all)(two, in[1][v]),
                                 CS_KIND(plus_all)(two + 1, in[0][v]), s);
            else
                s = CS_KIND(fma_all)(two + 1, in[1][v],
                                     CS_KIND(fma_all)(two, in[0][v], s));
            sum->of[r][v] = s;
        }
}

/* Computes one tile: `rows` rows, `wide` vectors of lanes. Both numbers are
 * constants after inlining, so the sums are kept in registers. */
static inline __attribute__((always_inline)) void
kind_tile(const number *a, const number *own, size_t rows, size_t stride,
          size_t cols, const number *x, const vector *x_aux, size_t lanes,
          size_t wide, number *y)
{
    CS_KIND(pair_sums) sum;
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            sum.of[r][v] = CS_KIND(all)(0);
    size_t j = 0;
    for (; j + CS_PAIRS_ROUND <= cols; j += CS_PAIRS_ROUND)
#pragma GCC unroll 3
        for (size_t k = 0; k < CS_PAIRS_ROUND; k += 2)
            kind_round(a + j + k, rows, stride, x + (j + k) * lanes, lanes,
                       wide, k < CS_PAIRS_OF_ROUND, &sum);
    for (; j < cols; j++)
#pragma GCC unroll 16
        for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
            for (size_t v = 0; v < wide; v++)
                sum.of[r][v] = CS_KIND(fma_all)(
                    a + r * stride + j,
                    CS_KIND(load)(x + j * lanes + v * CS_KIND(WIDE)),
                    sum.of[r][v]);
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            CS_KIND(store)
    (y + r * lanes + v * CS_KIND(WIDE),
     sum.of[r][v] - CS_KIND(all)(own[r]) - x_aux[v]);
}

/* Returns the sum of x0 x1 over the pairs, for one vector of lanes. */
static inline vector kind_aux(const number *x, size_t cols, size_t lanes)
{
    vector sum = CS_KIND(all)(0);
    for (size_t j = 0; j + CS_PAIRS_ROUND <= cols; j += CS_PAIRS_ROUND)
        for (size_t k = j; k < j + CS_PAIRS_OF_ROUND; k += 2)
            sum = CS_KIND(fma)(CS_KIND(load)(x + k * lanes),
                               CS_KIND(load)(x + (k + 1) * lanes), sum);
    return sum;
}

/* Computes all rows of y for `wide` vectors of lanes. */
static inline __attribute__((always_inline)) void
kind_strip(const number *a, const number *own, size_t rows, size_t stride,
           size_t cols, const number *x, size_t lanes, size_t wide, number *y)
{
    enum { HIGH = CS_KIND(PAIR_ROWS) };
    vector x_aux[CS_KIND(PAIR_TILE)];
    size_t i = 0;
    for (size_t v = 0; v < wide; v++)
        x_aux[v] = kind_aux(x + v * CS_KIND(WIDE), cols, lanes);
    for (; i + HIGH <= rows; i += HIGH)
        kind_tile(a + i * stride, own + i, HIGH, stride, cols, x, x_aux, lanes,
                  wide, y + i * lanes);
    for (; i < rows; i++)
        kind_tile(a + i * stride, own + i, 1, stride, cols, x, x_aux, lanes,
                  wide, y + i * lanes);
}

/* Computes all complete vectors of lanes from lane l on. Returns the first
 * remaining lane. */
static inline size_t CS_KIND(pairs)(const number *a, const number *own,
                                    size_t rows, size_t stride, size_t cols,
                                    const number *x, size_t l, size_t lanes,
                                    number *y)
{
    enum { WIDE = CS_KIND(WIDE), TILE = CS_KIND(PAIR_TILE) };
    for (; l + TILE * WIDE <= lanes; l += TILE * WIDE)
        kind_strip(a, own, rows, stride, cols, x + l, lanes, TILE, y + l);
    for (; l + WIDE <= lanes; l += WIDE)
        kind_strip(a, own, rows, stride, cols, x + l, lanes, 1, y + l);
    return l;
}

#undef number
#undef vector
#undef kind_round
#undef kind_tile
#undef kind_strip
#undef kind_aux
#undef CS_KIND
#undef CS_KIND_NUMBER
#endif
