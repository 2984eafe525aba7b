/* One pass of binary networks over rows of a table, for NET_LANES chains in the
 * lanes of a vector; each chain has its own weights. Included once for doubles
 * and once for floats, with these definitions:
 *   NET(name)     the name for this type
 *   NET_REAL      double or float
 *   NET_VECTOR    a vector of NET_LANES numbers
 *   NET_ALL(a)    a in all lanes
 *   NET_FMA(a, b, c)  a b + c, rounded once
 *   NET_SIGN(a, b, c) the same for a = +-1 or 0, so that a b is exact
 *   NET_TANH(a)
 *   NET_DOUBLES(p), NET_KEEP(p, v)  load, store NET_LANES doubles
 *   NET_TILE      number of rows whose sums fit the registers, a divisor of 8
 *   NET_UNIT(m)   number of vectors of weights per unit
 *   NET_TABLES    1: look up the sums of a unit. A table of 16 holds the sums
 *                 of four inputs of a row with all signs; the bits of their
 *                 weights are the index.
 *   NET_PREDICTS  1: also used for predictions
 *
 * No array of size chains x rows x hidden units is stored: the errors of each
 * block of rows are backpropagated directly after the forward pass of this
 * block. Sums over the rows of a block have type NET_REAL, and sums over blocks
 * are doubles. Every sum is in the order of the rows and of the units,
 * independent of the lanes. */
#if defined(NET)
typedef struct NET(work) {
    NET_VECTOR *w;     /* [padded][NET_UNIT] input weights of each unit,
                          followed by the unit's weight in the output; then the
                          bias of the output */
    NET_VECTOR *part;  /* [2][inputs + 2] sums of two units over a block of
                          rows */
    NET_VECTOR *f;     /* [block] f of each row, before the sigmoid */
    NET_VECTOR *error; /* [block] dlogp / df of each row */
    NET_VECTOR *t;     /* [padded][stride] values of the hidden units */
    float *table;      /* [block][quads][16]: see NET_TABLES */
} NET(work);

static NET(work) NET(lay_out)(const cs_binary *m, double *scratch)
{
    NET(work) k = {.w = (NET_VECTOR *)(void *)scratch};
    k.part = k.w + m->padded * NET_UNIT(m) + 1;
    k.f = k.part + 2 * (m->inputs + 2);
    k.error = k.f + CS_NET_BLOCK;
    k.t = k.error + CS_NET_BLOCK;
    k.table = (float *)(void *)(k.t + CS_NET_STRIDE * m->padded);
    return k;
}

/* Returns the weights 2 x_i - 1 of a vector of lanes, starting at lane l. */
static NET_VECTOR NET(weight)(const cs_point *at, size_t l, size_t i)
{
    NET_VECTOR w;
    const double *x = at->x + i * at->lanes + l;
    for (size_t k = 0; k < NET_LANES; k++)
        w[k] = (NET_REAL)(2 * x[k] - 1);
    return w;
}

#if NET_TABLES
/* Returns an index made of the bits of four inputs. The highest bit of the
 * index is also a sign. */
static NET_VECTOR NET(index)(const cs_binary *m, const cs_point *at, size_t l,
                             size_t unit, size_t quad)
{
    NET_WHOLE index = {0};
    for (size_t b = 0; b < 4 && 4 * quad + b <= m->inputs; b++) {
        NET_VECTOR w = NET(weight)(at, l, (4 * quad + b) * m->hidden + unit);
        index += ((NET_WHOLE)w >> 31 ^ 1) << b;
    }
    return (NET_VECTOR)(index | index >> 3 << 31);
}

static void NET(gather_unit)(const cs_binary *m, const cs_point *at, size_t l,
                             size_t unit, NET_VECTOR *w)
{
    for (size_t q = 0; q < cs_binary_quads(m); q++)
        w[q] = NET(index)(m, at, l, unit, q);
}

/* Computes the inputs of two units for NET_TILE rows, starting at row r of the
 * block. */
static inline void NET(take_in)(const cs_binary *m, const NET(work) * k,
                                size_t unit, const NET_REAL *x, size_t r,
                                NET_VECTOR *a, NET_VECTOR *b)
{
    size_t quads = cs_binary_quads(m);
    const NET_VECTOR *w = k->w + unit * NET_UNIT(m), *v = w + NET_UNIT(m);
    const float *table = k->table + r * quads * 16;
    (void)x;
#pragma GCC unroll 8
    for (size_t i = 0; i < NET_TILE; i++)
        a[i] = b[i] = NET_ALL(0);
    for (size_t q = 0; q < quads; q++, table += 16)
#pragma GCC unroll 8
        for (size_t i = 0; i < NET_TILE; i++) {
            a[i] += NET_LOOK_UP(table + i * quads * 16, w[q]);
            b[i] += NET_LOOK_UP(table + i * quads * 16, v[q]);
        }
}
#else
static void NET(gather_unit)(const cs_binary *m, const cs_point *at, size_t l,
                             size_t unit, NET_VECTOR *w)
{
    for (size_t i = 0; i <= m->inputs; i++)
        w[i] = NET(weight)(at, l, i * m->hidden + unit);
}

/* Computes the inputs of two units for NET_TILE rows, x[inputs][8]. */
static inline void NET(take_in)(const cs_binary *m, const NET(work) * k,
                                size_t unit, const NET_REAL *x, size_t r,
                                NET_VECTOR *a, NET_VECTOR *b)
{
    const NET_VECTOR *w = k->w + unit * NET_UNIT(m), *v = w + NET_UNIT(m);
    (void)r;
#pragma GCC unroll 8
    for (size_t i = 0; i < NET_TILE; i++) {
        a[i] = w[m->inputs];
        b[i] = v[m->inputs];
    }
    for (size_t j = 0; j < m->inputs; j++)
#pragma GCC unroll 8
        for (size_t i = 0; i < NET_TILE; i++) {
            NET_VECTOR in = NET_ALL(x[j * 8 + i]);
            a[i] = NET_SIGN(w[j], in, a[i]);
            b[i] = NET_SIGN(v[j], in, b[i]);
        }
}
#endif

static void NET(gather)(const cs_binary *m, const cs_point *at, size_t l,
                        NET_VECTOR *w)
{
    size_t take = NET_UNIT(m), bias = (m->inputs + 2) * m->hidden;
    for (size_t i = 0; i < m->padded * take; i++)
        w[i] = NET_ALL(0);
    for (size_t j = 0; j < m->hidden; j++) {
        NET(gather_unit)(m, at, l, j, w + j * take);
        w[(j + 1) * take - 1] =
            NET(weight)(at, l, (m->inputs + 1) * m->hidden + j);
    }
    w[m->padded * take] = NET(weight)(at, l, bias);
}

/* Evaluates two units for NET_TILE rows. */
static inline void NET(two_units)(const cs_binary *m, const NET(work) * k,
                                  size_t unit, const NET_REAL *x, size_t r)
{
    NET_VECTOR a[NET_TILE], b[NET_TILE];
    NET(take_in)(m, k, unit, x, r, a, b);
    NET_VECTOR v0 = k->w[(unit + 1) * NET_UNIT(m) - 1];
    NET_VECTOR v1 = k->w[(unit + 2) * NET_UNIT(m) - 1];
    NET_VECTOR *t = k->t + unit * CS_NET_STRIDE + r, *f = k->f + r;
#pragma GCC unroll 8
    for (size_t i = 0; i < NET_TILE; i++) {
        a[i] = NET_TANH(a[i]);
        b[i] = NET_TANH(b[i]);
        t[i] = a[i];
        t[CS_NET_STRIDE + i] = b[i];
        f[i] = NET_SIGN(v1, b[i], NET_SIGN(v0, a[i], f[i]));
    }
}

/* Evaluates n rows, starting at row `first`. n is a multiple of 8. */
static void NET(forward)(const cs_binary *m, const cs_binary_rows *d,
                         const NET(work) * k, size_t first, size_t n)
{
    const NET_REAL *x = (const NET_REAL *)d->x + first * m->inputs;
#if NET_TABLES
    tabulate(m, x, n, k->table);
#endif
    for (size_t r = 0; r < n; r++)
        k->f[r] = k->w[m->padded * NET_UNIT(m)];
    for (size_t j = 0; j < m->padded; j += 2)
        for (size_t r = 0; r < n; r += NET_TILE)
            NET(two_units)(m, k, j, x + r / 8 * 8 * m->inputs + r % 8, r);
}

/* Adds the loss of n rows to logp[NET_LANES]. Stores dlogp / df of each row
 * without a constant factor, and writes f to the cache of these lanes. */
static void NET(judge)(const cs_binary_rows *d, const NET(work) * k,
                       size_t first, size_t n, size_t lanes, double *cache,
                       double *logp)
{
    for (size_t r = 0; r < n; r++)
        for (size_t l = 0; l < NET_LANES; l += CS_VECTOR) {
            cs_vd f = NET_DOUBLES((const NET_REAL *)(k->f + r) + l);
            *(cs_vd *)(cache + (first + r) * lanes + l) = f;
            cs_vd p = cs_vsigmoid(f);
            cs_vd off = (p - d->y[first + r]) * d->counts[first + r];
            *(cs_vd *)(logp + l) += off * off;
            NET_KEEP((NET_REAL *)(k->error + r) + l, off * (p - p * p));
        }
}

/* Backpropagates the errors of NET_TILE rows to two units, and adds the results
 * to the sums of these units. Processes two inputs at a time, so that an
 * addition does not have to wait for the result of the addition before it. */
static inline void NET(two_back)(size_t inputs, const NET_REAL *x,
                                 const NET_VECTOR *t, const NET_VECTOR *error,
                                 NET_VECTOR *part)
{
    NET_VECTOR a[NET_TILE], b[NET_TILE];
    NET_VECTOR *other = part + inputs + 2;
    NET_VECTOR c0 = part[inputs], c1 = other[inputs];
    NET_VECTOR s0 = part[inputs + 1], s1 = other[inputs + 1];
#pragma GCC unroll 8
    for (int r = 0; r < NET_TILE; r++) {
        NET_VECTOR e = error[r], p = t[r];
        NET_VECTOR q = t[CS_NET_STRIDE + r];
        s0 = NET_FMA(e, p, s0);
        s1 = NET_FMA(e, q, s1);
        a[r] = e * NET_FMA(-p, p, NET_ALL(1));
        b[r] = e * NET_FMA(-q, q, NET_ALL(1));
        c0 += a[r];
        c1 += b[r];
    }
    part[inputs] = c0;
    other[inputs] = c1;
    part[inputs + 1] = s0;
    other[inputs + 1] = s1;
    size_t i = 0;
    for (; i + 1 < inputs; i += 2) {
        NET_VECTOR p = part[i], q = other[i];
        NET_VECTOR p1 = part[i + 1], q1 = other[i + 1];
#pragma GCC unroll 8
        for (int r = 0; r < NET_TILE; r++) {
            NET_VECTOR in = NET_ALL(x[i * 8 + (size_t)r]);
            NET_VECTOR next = NET_ALL(x[i * 8 + 8 + (size_t)r]);
            p = NET_FMA(a[r], in, p);
            q = NET_FMA(b[r], in, q);
            p1 = NET_FMA(a[r], next, p1);
            q1 = NET_FMA(b[r], next, q1);
        }
        part[i] = p;
        other[i] = q;
        part[i + 1] = p1;
        other[i + 1] = q1;
    }
    if (i < inputs) {
        NET_VECTOR p = part[i], q = other[i];
#pragma GCC unroll 8
        for (int r = 0; r < NET_TILE; r++) {
            NET_VECTOR in = NET_ALL(x[i * 8 + (size_t)r]);
            p = NET_FMA(a[r], in, p);
            q = NET_FMA(b[r], in, q);
        }
        part[i] = p;
        other[i] = q;
    }
}

/* Multiplies the sums by `by` and adds them to every `step`-th row of the
 * gradient, starting at row i. */
static void NET(put)(const cs_point *at, size_t l, const NET_VECTOR *sum,
                     size_t n, NET_VECTOR by, size_t i, size_t step, double *g)
{
    for (size_t k = 0; k < n; k++, i += step) {
        NET_VECTOR all = sum[k] * by;
        for (size_t c = 0; c < NET_LANES; c += CS_VECTOR)
            *(cs_vd *)(g + i * at->lanes + l + c) +=
                NET_DOUBLES((const NET_REAL *)&all + c);
    }
}

/* Backpropagates n rows. Everything that is backpropagated to a unit has the
 * unit's output weight as a factor, which is applied last. */
static void NET(backward)(const cs_binary *m, const NET(work) * k, size_t first,
                          size_t n, const cs_point *at, size_t l, double *g)
{
    size_t inputs = m->inputs, h = m->hidden;
    const NET_REAL *x = (const NET_REAL *)m->train.x + first * inputs;
    for (size_t j = 0; j < m->padded; j += 2) {
        for (size_t i = 0; i < 2 * (inputs + 2); i++)
            k->part[i] = NET_ALL(0);
        for (size_t r = 0; r < n; r += NET_TILE)
            NET(two_back)
        (inputs, x + r / 8 * 8 * inputs + r % 8, k->t + j * CS_NET_STRIDE + r,
         k->error + r, k->part);
        for (size_t i = j; i < j + 2 && i < h; i++) {
            const NET_VECTOR *part = k->part + (i - j) * (inputs + 2);
            NET_VECTOR v = k->w[(i + 1) * NET_UNIT(m) - 1];
            NET(put)(at, l, part, inputs + 1, v, i, h, g);
            NET(put)
            (at, l, part + inputs + 1, 1, NET_ALL(1), (inputs + 1) * h + i, h,
             g);
        }
    }
    NET_VECTOR sum = NET_ALL(0);
    for (size_t r = 0; r < n; r++)
        sum += k->error[r];
    NET(put)(at, l, &sum, 1, NET_ALL(1), (inputs + 2) * h, 1, g);
}

/* Computes u and, unless g is NULL, g[dim] over the training rows, for a vector
 * of lanes, starting at lane l. */
static void NET(pass)(const cs_binary *m, const cs_point *at, size_t l,
                      double *logp, double *g)
{
    _Alignas(CS_ALIGN) double loss[NET_LANES] = {0};
    const cs_binary_rows *d = &m->train;
    NET(work) k = NET(lay_out)(m, at->scratch);
    NET(gather)(m, at, l, k.w);
    for (size_t first = 0; first < d->padded; first += CS_NET_BLOCK) {
        size_t left = d->padded - first;
        size_t n = left < CS_NET_BLOCK ? left : CS_NET_BLOCK;
        NET(forward)(m, d, &k, first, n);
        NET(judge)(d, &k, first, n, at->lanes, at->cache + l, loss);
        if (g)
            NET(backward)(m, &k, first, n, at, l, g);
    }
    memcpy(logp + l, loss, sizeof loss);
}

#if NET_PREDICTS
/* Writes the predictions for the test rows to p[rows], for a vector of lanes,
 * starting at lane l. */
static void NET(predict)(const cs_binary *m, const cs_point *at, size_t l,
                         double *p)
{
    const cs_binary_rows *d = &m->test;
    NET(work) k = NET(lay_out)(m, at->scratch);
    NET(gather)(m, at, l, k.w);
    for (size_t first = 0; first < d->padded; first += CS_NET_BLOCK) {
        size_t left = d->padded - first;
        size_t n = left < CS_NET_BLOCK ? left : CS_NET_BLOCK;
        NET(forward)(m, d, &k, first, n);
        for (size_t r = 0; r < n && first + r < d->rows; r++)
            for (size_t i = 0; i < NET_LANES; i += CS_VECTOR)
                *(cs_vd *)(p + (first + r) * at->lanes + l + i) =
                    cs_vsigmoid(NET_DOUBLES((const NET_REAL *)(k.f + r) + i));
    }
}

/* ---- change of a single weight ------------------------------------------- */

/* If a weight changes sign, only the hidden unit of this weight is computed
 * again,
 *
 *     f(in)' = f(in) + v' tanh(a') - v tanh(a),   a = c + sum_i w_i in_i.
 *
 * The cache of a lane holds f of the rows, before the sigmoid, followed by the
 * sum of squared errors. A pass over the whole network fills the cache, and
 * changes of single weights update it. The struct holds the input and output
 * weights of the unit, before and after the change. */
typedef struct NET(turn) {
    NET_VECTOR *w, *w_next; /* [inputs + 1] input weights of the unit, with its
                               bias last */
    NET_VECTOR v, v_next;
    cs_vd b; /* change of the bias of the output */
} NET(turn);

/* Fills lane k of a vector. In each lane a different weight may change, and
 * this weight may belong to a different unit. If `turns` is false, no weight of
 * lane k changes. */
static void NET(turn_lane)(const cs_binary *m, const cs_point *at, size_t lane,
                           size_t k, size_t site, bool turns, NET(turn) * c)
{
    size_t row = turns ? site / m->hidden : m->inputs + 3, h = m->hidden;
    size_t unit = site / h < m->inputs + 2 ? site % h : 0;
    const double *x = at->x + unit * at->lanes + lane;
    for (size_t i = 0; i <= m->inputs; i++) {
        NET_REAL w = (NET_REAL)(2 * x[i * h * at->lanes] - 1);
        c->w[i][k] = w;
        c->w_next[i][k] = i == row ? -w : w;
    }
    NET_REAL v = (NET_REAL)(2 * x[(m->inputs + 1) * h * at->lanes] - 1);
    c->v[k] = v;
    c->v_next[k] = row == m->inputs + 1 ? -v : v;
    c->b[k] = row == m->inputs + 2 ? 2 - 4 * x[row * h * at->lanes] : 0;
}

/* Computes f' of NET_TILE rows, x[inputs][8]. */
static inline void NET(turn_rows)(const cs_binary *m, const NET(turn) * c,
                                  const NET_REAL *x, const double *f,
                                  size_t lanes, cs_vd *next)
{
    NET_VECTOR was[NET_TILE], is[NET_TILE];
#pragma GCC unroll 8
    for (size_t r = 0; r < NET_TILE; r++) {
        was[r] = c->w[m->inputs];
        is[r] = c->w_next[m->inputs];
    }
    for (size_t i = 0; i < m->inputs; i++)
#pragma GCC unroll 8
        for (size_t r = 0; r < NET_TILE; r++) {
            NET_VECTOR in = NET_ALL(x[i * 8 + r]);
            was[r] = NET_SIGN(c->w[i], in, was[r]);
            is[r] = NET_SIGN(c->w_next[i], in, is[r]);
        }
#pragma GCC unroll 8
    for (size_t r = 0; r < NET_TILE; r++) {
        NET_VECTOR by = c->v_next * NET_TANH(is[r]) - c->v * NET_TANH(was[r]);
        next[r] = *(const cs_vd *)(f + r * lanes) +
                  NET_DOUBLES((const NET_REAL *)&by) + c->b;
    }
}

/* Computes the loss of a vector of lanes after the weight at site[lane] changes
 * sign. If values are given, computes only the lanes whose value is new, and
 * updates the cache of these lanes. */
static cs_vd NET(turn_over)(const cs_binary *m, const cs_point *at, size_t l,
                            const uint32_t *site, const double *value)
{
    const cs_binary_rows *d = &m->train;
    double *f = at->cache + l;
    cs_vd loss = cs_vset(0);
    NET(turn) c = {.w = (NET_VECTOR *)(void *)at->scratch};
    c.w_next = c.w + m->inputs + 1;
    c.v = c.v_next = NET_ALL(0); /* weights do not change in lanes beyond a
                                    vector of doubles */
    for (size_t i = 0; NET_LANES > CS_VECTOR && i <= m->inputs; i++)
        c.w[i] = c.w_next[i] = NET_ALL(0);
    for (size_t k = l; k < l + CS_VECTOR; k++)
        NET(turn_lane)
    (m, at, k, k - l, site[k],
     !value || value[k] != at->x[site[k] * at->lanes + k], &c);
    for (size_t r = 0; r < d->padded; r += NET_TILE) {
        const NET_REAL *x = (const NET_REAL *)d->x + r / 8 * 8 * m->inputs;
        cs_vd next[NET_TILE];
        NET(turn_rows)(m, &c, x + r % 8, f + r * at->lanes, at->lanes, next);
        for (size_t k = 0; k < NET_TILE; k++) {
            cs_vd off = (cs_vsigmoid(next[k]) - d->y[r + k]) * d->counts[r + k];
            loss += off * off;
            if (value)
                *(cs_vd *)(f + (r + k) * at->lanes) = next[k];
        }
    }
    if (value)
        *(cs_vd *)(f + d->padded * at->lanes) = loss;
    return loss;
}

#endif

#undef NET
#undef NET_REAL
#undef NET_VECTOR
#undef NET_LANES
#undef NET_ALL
#undef NET_FMA
#undef NET_SIGN
#undef NET_TANH
#undef NET_DOUBLES
#undef NET_KEEP
#undef NET_TILE
#undef NET_UNIT
#undef NET_TABLES
#undef NET_WHOLE
#undef NET_LOOK_UP
#undef NET_PREDICTS
#endif
