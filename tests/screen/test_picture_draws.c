/* Tests pictures of independent draws from known distributions. A run records
 * the draws, panels show its reports, zoomed and beside other panels, and the
 * cells are read back. */
#include "read_panel.h"

#include "screen/canvas/density_band.h"

static uint64_t seed;

static double u_of(uint64_t step, uint64_t chain, size_t d)
{
    return uniform(step + 100003 * seed, chain, d, 1);
}

static double z_of(uint64_t step, uint64_t chain, size_t d)
{
    return normal(step + 100003 * seed, chain, d);
}

/* Opens a run of `chains` chains, moves it, and makes the reports of its probes
 * and those on `words`. */
static void report(said *s, series what, size_t chains, uint64_t steps,
                   const char *words, bool exact)
{
    open_fed_with(s, what, 2, chains, "diagnostics trace energy acceptance");
    move(s, steps);
    fed_report_of(s, words, exact);
    for (size_t i = 0; cs_run_probe(s->run, i); i++)
        cs_run_glance(s->run, 0, i, &s->f);
    read_run(&s->f, chains);
    assert_false(s->f.full);
}

/* ---- ranks ---- */

static double shift; /* added to draws; see the series */

static double bits(uint64_t step, uint64_t chain, size_t d)
{
    return u_of(step, chain, d) < 0.5 + (chain ? 0 : shift);
}

static double shifted(uint64_t step, uint64_t chain, size_t d)
{
    return z_of(step, chain, d) + (chain ? 0 : shift);
}

static double stuck(uint64_t step, uint64_t chain, size_t d)
{
    return chain == 3 ? 0.01 : z_of(step, chain, d);
}

static bool has_marks(const cs_area *a)
{
    for (int y = 0; y + 1 < a->h; y++)
        for (int x = 0; x < a->w; x++)
            if (read_cell(a, x, y)->code == 0x25B2)
                return true;
    return false;
}

/* Returns the share of runs in whose picture no bar is outside the lines. */
static double runs_inside(series what)
{
    enum { RUNS = 300, STEPS = 200 };
    int inside = 0, seen = 0;
    for (seed = 0; seed < RUNS; seed++) {
        said s;
        report(&s, what, CHAINS, STEPS, "ranks=x.1", false);
        cs_area a = read_frame(&s.f, "ranks", (cs_form)(seed % FORMS),
                               seed / FORMS % SIZES);
        seen += a.w > 0 && read_says(&a, "R-hat");
        inside += a.w > 0 && !has_marks(&a);
        close_fed(&s);
    }
    seed = 0;
    assert_int_equal(seen, RUNS);
    return (double)inside / RUNS;
}

/* For a perfect sampler of bits, and of normal numbers, no bar is marked as
 * outside the lines in 95 of 100 runs, within the error of 300 runs. If a chain
 * has too many ones, a bar is marked. */
static void ranks_of_perfect_samplers(void **state)
{
    (void)state;
    const double error = 3 * sqrt(0.95 * 0.05 / 300);
    shift = 0;
    double in = runs_inside(bits), normals = runs_inside(shifted);
    if (!(in > 0.95 - error && normals > 0.95 - error && in < 1 && normals < 1))
        print_error("inside: bits %g, normal %g\n", in, normals);
    assert_true(in > 0.95 - error && in < 1);
    assert_true(normals > 0.95 - error && normals < 1);
    shift = 0.2;
    assert_true(runs_inside(bits) < 0.1);
    shift = 0;
}

/* Finds the bars of a chain below its name. `all` tiles are in equal columns. */
static cs_area tile_of(const cs_area *a, size_t chain, int *columns)
{
    cs_area tile = {.canvas = a->canvas};
    int across[CHAINS] = {0}, n = 0, below = a->h - 1;
    for (size_t c = 0; c < CHAINS; c++)
        for (int y = 0; y + 1 < a->h; y++)
            for (int x = 0; x + 1 < a->w; x++) {
                const cs_cell *k = read_cell(a, x, y);
                if (k->code != '1' + c || k->role != cs_theme_chain(c) ||
                    k[1].code != (unsigned char)cs_theme_glyph(c))
                    continue;
                across[n++] = x;
                if (c == chain)
                    tile = cs_area_part(a, x, y + 1, a->w, a->h);
                else if (tile.canvas && tile.w && y >= tile.y - a->y &&
                         y < below)
                    below = y;
            }
    *columns = n > 1 && across[1] > across[0]
                   ? (n > 2 && across[2] > across[1] ? n : 2)
                   : 1;
    int w = a->w / *columns - (*columns > 1);
    return cs_area_part(&tile, 0, 0, w, below - (tile.y - a->y));
}

/* The heights of the bars of a chain add up to its draws, and each bar has the
 * height of its count, for equal chains and for a chain that is too high. */
static void heights_of_ranks(void **state)
{
    enum { STEPS = 2000, BARS = 20 };
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (size_t size = 0; size < SIZES; size++) {
            said s;
            int columns, read = 0;
            shift = kind;
            report(&s, shifted, CHAINS, STEPS, "ranks=x.1", false);
            cs_area a = read_frame(&s.f, "ranks", FORM_ZOOMED, size);
            cs_flat_entry counts = entry(&s, "arm/0/draws/0/counts");
            for (size_t c = 0; c < CHAINS; c++) {
                cs_area t = tile_of(&a, c, &columns);
                double height[BARS], sum = 0;
                for (int b = 0; b < BARS; b++) {
                    int x = (2 * b + 1) * t.w / (2 * BARS);
                    height[b] = read_height(&t, x, cs_theme_chain(c));
                    sum += height[b];
                }
                double unit = STEPS / sum, all = 0;
                for (int b = 0; b < BARS; b++, read++) {
                    double n = counts.data[c * BARS + (size_t)b];
                    all += n;
                    if (fabs(height[b] * unit - n) > 0.4 * unit + 0.02 * n)
                        print_error(
                            "%d: chain %zu bar %d: %g, %g lines of %g\n",
                            read_size[size][0], c, b, n, height[b], unit);
                    assert_near(height[b] * unit, n, 0.02, 0.4 * unit);
                }
                assert_near(all, STEPS, 1e-9, 0);
            }
            assert_int_equal(read, CHAINS * BARS);
            close_fed(&s);
        }
    shift = 0;
}

/* A stuck chain does not set the height of the bars of the other chains. */
static void stuck_chains_set_no_ranks(void **state)
{
    (void)state;
    said s;
    int columns;
    report(&s, stuck, CHAINS, 2000, "ranks=x.1", false);
    cs_area a = read_frame(&s.f, "ranks", FORM_ZOOMED, 1);
    cs_area t = tile_of(&a, 0, &columns);
    double mean = 0;
    for (int x = 0; x < t.w; x++)
        mean += read_height(&t, x, cs_theme_chain(0)) / t.w;
    assert_true(mean > 0.5 * t.h);
    close_fed(&s);
}

/* ---- one quantity ---- */

static double two_modes(uint64_t step, uint64_t chain, size_t d)
{
    return (u_of(step, chain, 5) < 0.3 ? -3 : 3) + 0.5 * z_of(step, chain, d);
}

static double usual(uint64_t step, uint64_t chain, size_t d)
{
    return z_of(step, chain, d) + shift;
}

static double far_away(uint64_t step, uint64_t chain, size_t d)
{
    return chain == 3 ? 1e6 + 0.01 * (double)(step % 2) : z_of(step, chain, d);
}

/* Returns the axis drawn in an area, and the plot above it. */
static const cs_x_axis *axis_in(const cs_area *a, cs_area *field)
{
    for (size_t i = 0; i < read_canvas.n_axes; i++) {
        const cs_x_axis *k = &read_canvas.axis[i];
        if (k->x < a->x || k->x + k->w > a->x + a->w || k->y < a->y ||
            k->y >= a->y + a->h)
            continue;
        *field = (cs_area){&read_canvas, k->x, k->top, k->w, k->h};
        return k;
    }
    fail_msg("no axis");
    return NULL;
}

static double value_at(const cs_x_axis *k, int column)
{
    return k->from + (k->to - k->from) * (column + 0.5) / k->w;
}

/* In the histogram of two modes, the sums over the bars have the masses of the
 * modes. */
static void masses_of_modes(void **state)
{
    (void)state;
    said s;
    report(&s, two_modes, CHAINS, 4000, "marginal=x.1", false);
    for (cs_form form = 0; form < FORMS; form++)
        for (size_t size = 0; size < SIZES; size++) {
            cs_area f, a = read_frame(&s.f, "marginal", form, size);
            const cs_x_axis *k = axis_in(&a, &f);
            double sum[2] = {0};
            assert_true(k->from < -4 && k->to > 4);
            for (int x = 0; x < f.w; x++)
                sum[value_at(k, x) > 0] +=
                    read_height(&f, x, cs_theme_chain(0));
            assert_near(sum[0] / (sum[0] + sum[1]), 0.3, 0.1, 0);
            assert_near(sum[1] / (sum[0] + sum[1]), 0.7, 0.1, 0);
        }
    close_fed(&s);
}

/* Reads the share of the mass within one standard deviation of 0 from the bars
 * and from the line, and the largest distance between the two, in lines. */
static void read_normal(const cs_x_axis *k, const cs_area *f, double *bars,
                        double *line, double *apart)
{
    double bar[2] = {0}, exact[2] = {0};
    *apart = 0;
    for (int x = 0; x < f->w; x++) {
        double own = read_height(f, x, cs_theme_chain(0));
        double over = read_line(f, x);
        bool near = fabs(value_at(k, x)) < 1;
        bar[near] += own;
        exact[near] += over;
        *apart = fmax(*apart, fabs(own - over));
    }
    *bars = bar[1] / (bar[0] + bar[1]);
    *line = exact[1] / (exact[0] + exact[1]);
}

/* The bars of normal draws follow the exact line, and both have 68 % of their
 * mass within one standard deviation. Draws that are shifted by one standard
 * deviation do not follow the line. */
static void exact_and_sampled_marginals_agree(void **state)
{
    (void)state;
    const double inside = 0.6827;
    for (int kind = 0; kind < 2; kind++) {
        said s;
        shift = kind;
        report(&s, usual, CHAINS, 4000, "marginal=x.1", true);
        for (cs_form form = 0; form < FORMS; form++)
            for (size_t size = 0; size < SIZES; size++) {
                double bars, line, apart;
                cs_area f, a = read_frame(&s.f, "marginal", form, size);
                const cs_x_axis *k = axis_in(&a, &f);
                read_normal(k, &f, &bars, &line, &apart);
                if ((apart < 1.5 + 0.1 * f.h) == kind)
                    print_error("kind %d form %d at %d: off by %g of %d\n",
                                kind, (int)form, read_size[size][0], apart,
                                f.h);
                assert_true((apart < 1.5 + 0.1 * f.h) == !kind);
                assert_true((fabs(bars / inside - 1) < 0.1) == !kind);
                assert_near(line, inside, 0.1, 0);
            }
        close_fed(&s);
    }
    shift = 0;
}

/* A stuck chain sets neither the axis nor the height of the histogram, and its
 * draws beyond the axis are counted. */
static void stuck_chains_set_no_marginal(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        said s;
        report(&s, far ? far_away : stuck, CHAINS, 4000, "marginal=x.1", false);
        cs_area f, a = read_frame(&s.f, "marginal", FORM_LARGE, 1);
        const cs_x_axis *k = axis_in(&a, &f);
        assert_true(k->from < -2 && k->from > -6 && k->to > 2 && k->to < 6);
        assert_int_equal(read_says(&a, "25% beyond"), far);
        double top = 0;
        for (int x = 0; x < f.w; x++)
            if (fabs(value_at(k, x)) > 0.5)
                top = fmax(top, read_height(&f, x, cs_theme_chain(0)));
        assert_true(top > 0.7 * f.h);
        close_fed(&s);
    }
}

/* ---- pairs ---- */

/* Four modes, at (-2, -2), (2, -2), (-2, 2) and (2, 2). */
static const double mode_mass[] = {0.1, 0.2, 0.3, 0.4};

static double four_modes(uint64_t step, uint64_t chain, size_t d)
{
    double u = u_of(step, chain, 5);
    int m = 0;
    while (m < 3 && u > mode_mass[m])
        u -= mode_mass[m++];
    return (d == 0 ? m % 2 : m / 2) * 4.0 - 2 + 0.4 * z_of(step, chain, d);
}

static double stuck_beside(uint64_t step, uint64_t chain, size_t d)
{
    return chain == 3 ? 0.01 : four_modes(step, chain, d);
}

static double stuck_far(uint64_t step, uint64_t chain, size_t d)
{
    return chain == 3 ? 1e6 : four_modes(step, chain, d);
}

/* Reads the masses of the quadrants of a plane, up to a common factor. Returns
 * the largest share of the scale that is shown around the modes. */
static double read_quadrants(const cs_x_axis *k, double *mass)
{
    double most = 0;
    memset(mass, 0, 4 * sizeof *mass);
    for (int y = 0; y < 2 * k->h; y++)
        for (int x = 0; x < k->w; x++) {
            double v =
                half_share(&read_canvas, k->x + x, k->top + y / 2, y % 2);
            double right = value_at(k, x);
            double up =
                k->up.to + (k->up.from - k->up.to) * (y + 0.5) / (2 * k->h);
            mass[(right > 0) + 2 * (up > 0)] += v;
            if (fabs(right) > 1 && fabs(up) > 1)
                most = fmax(most, v);
        }
    return most;
}

/* Returns the plane of the pair of coordinates in an area. */
static const cs_x_axis *plane_in(const cs_area *a)
{
    cs_area field;
    const cs_x_axis *k = axis_in(a, &field);
    assert_true(k->plane);
    return k;
}

/* The sums of the cells over each of four modes are the masses of the modes. */
static void masses_of_pairs(void **state)
{
    (void)state;
    said s;
    report(&s, four_modes, CHAINS, 8000, "pairs=x.1,x.2", false);
    for (cs_form form = 0; form < FORMS; form++)
        for (size_t size = 0; size < SIZES; size++) {
            double mass[4], sum = 0;
            cs_area a = read_frame(&s.f, "pairs", form, size);
            read_quadrants(plane_in(&a), mass);
            for (int m = 0; m < 4; m++)
                sum += mass[m];
            for (int m = 0; m < 4; m++) {
                if (fabs(mass[m] / sum / mode_mass[m] - 1) > 0.1)
                    print_error("form %d at %d: mode %d: %g\n", (int)form,
                                read_size[size][0], m, mass[m] / sum);
                assert_near(mass[m] / sum, mode_mass[m], 0.1, 0);
            }
        }
    close_fed(&s);
}

/* A stuck chain sets neither the axes nor the colours of the pairs. */
static void stuck_chains_set_no_pairs(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        said s;
        double mass[4];
        report(&s, far ? stuck_far : stuck_beside, CHAINS, 8000,
               "pairs=x.1,x.2", false);
        cs_area a = read_frame(&s.f, "pairs", FORM_LARGE, 1);
        const cs_x_axis *k = plane_in(&a);
        assert_true(k->from > -5 && k->to < 5);
        assert_true(read_quadrants(k, mass) > 0.8);
        assert_int_equal(read_says(&a, "25% beyond"), far);
        close_fed(&s);
    }
}

/* ---- the trace ---- */

/* Three quarters of the values are uniform on 0 to 5, the others on 5 to 10. */
static double uneven(uint64_t step, uint64_t chain, size_t d)
{
    double u = u_of(step, chain, d);
    return u_of(step, chain, 7) < 0.75 ? 5 * u : 5 + 5 * u;
}

/* Returns the plot of all steps, which is the first plot of the trace. */
static cs_area whole_run(const cs_area *a)
{
    cs_area f = {.canvas = a->canvas};
    axis_in(a, &f);
    return f;
}

/* Reads the shares of the values below and above 5, averaged over the
 * columns. */
static void read_parts(const cs_area *f, double *part)
{
    const double level = CS_DENSITY_BAND_PERCENT / 100.0;
    const double top = cs_density_band_top(f->h) / (level * level) / f->w;
    part[0] = part[1] = 0;
    for (int y = 0; y < 2 * f->h; y++)
        for (int x = 0; x < f->w; x++)
            part[y >= f->h] +=
                top * half_share(&read_canvas, f->x + x, f->y + y / 2, y % 2);
}

/* The trace of all steps shows the share of the values in each part of the
 * axis, for a single chain and for several. The shares add up to 1, although
 * the values of each column are from 0 to 10. */
static void traces_show_time_spent(void **state)
{
    (void)state;
    enum { NARROW = 72 }; /* below, a trace shows only the newest steps */
    int read = 0;
    for (size_t chains = 1; chains <= CHAINS; chains += CHAINS - 1) {
        said s;
        report(&s, uneven, chains, 4000, "", false);
        for (cs_form form = 0; form < FORMS; form++)
            for (size_t size = 0; size < SIZES; size++) {
                double part[2];
                cs_area a = read_frame(&s.f, "trace=x.1", form, size);
                if (a.w < NARROW)
                    continue;
                read++;
                cs_area f = whole_run(&a);
                read_parts(&f, part);
                if (fabs(part[1] - 0.75) > 0.1 || fabs(part[0] - 0.25) > 0.06)
                    print_error("%zu chains, form %d at %d, %d x %d: %g, %g\n",
                                chains, (int)form, read_size[size][0], f.w, f.h,
                                part[1], part[0]);
                assert_near(part[1], 0.75, 0, 0.1);
                assert_near(part[0], 0.25, 0, 0.06);
            }
        close_fed(&s);
    }
    assert_true(read >= 6);
}

/* ---- the energy ---- */

/* Log p of energies with mean 50 and standard deviation 4. */
static double energies(uint64_t step, uint64_t chain, size_t d)
{
    return d == 2 ? -50 - 4 * z_of(step, chain, d) : z_of(step, chain, d);
}

/* The bars of the energy have 68 % of their mass within one standard
 * deviation. */
static void masses_of_energies(void **state)
{
    (void)state;
    said s;
    report(&s, energies, CHAINS, 4000, "", false);
    for (cs_form form = 0; form < FORMS; form++)
        for (size_t size = 0; size < SIZES; size++) {
            cs_area f, a = read_frame(&s.f, "energy", form, size);
            const cs_x_axis *k = axis_in(&a, &f);
            double bar[2] = {0};
            for (int x = 0; x < f.w; x++)
                bar[fabs(value_at(k, x) - 50) < 4] +=
                    read_height(&f, x, cs_theme_chain(0));
            assert_near(bar[1] / (bar[0] + bar[1]), 0.6827, 0.1, 0);
        }
    close_fed(&s);
}

/* ---- the autocorrelation ---- */

/* The mean of the newest ten normal numbers: the autocorrelation at lag k is 1
 * - k / 10, and 0 from lag 10 on. */
static double moving_mean(uint64_t step, uint64_t chain, size_t d)
{
    double sum = 0;
    for (uint64_t i = 0; i < 10; i++)
        sum += z_of(step + i, chain, d);
    return sum;
}

/* The curve at each lag is within half a line of the autocorrelation, plus its
 * sampling error. */
static void curves_of_autocorrelations(void **state)
{
    (void)state;
    const double error = 0.05;
    said s;
    report(&s, moving_mean, CHAINS, 8000, "autocorrelation=x.1", false);
    for (cs_form form = 0; form < FORMS; form++)
        for (size_t size = 0; size < SIZES; size++) {
            cs_area f, a = read_frame(&s.f, "autocorrelation", form, size);
            const cs_x_axis *k = axis_in(&a, &f);
            const double low = k->up.from, high = k->up.to;
            for (int lag = 1; lag < 10; lag++) {
                int x = (int)((lag - k->from) / (k->to - k->from) * (f.w - 1) +
                              0.5);
                double rho = 1 - lag / 10.0, nearest = HUGE_VAL;
                for (int y = 0; y < f.h; y++)
                    if (read_cell(&f, x, y)->role == cs_theme_chain(0))
                        nearest = fmin(
                            nearest,
                            fabs(high - (high - low) * (y + 0.5) / f.h - rho));
                if (nearest > error + 1.5 * (high - low) / f.h)
                    print_error("form %d at %d: lag %d off by %g\n", (int)form,
                                read_size[size][0], lag, nearest);
                assert_true(nearest <= error + 1.5 * (high - low) / f.h);
            }
        }
    close_fed(&s);
}

/* ---- acceptance ---- */

enum { RATES = 16 };

/* Chain c accepts a share of (c + 0.5) / 16 of its steps. */
static double accepts(uint64_t step, uint64_t chain, size_t d)
{
    return ((double)chain + 0.5) / RATES - u_of(step, chain, d + 9);
}

/* Each of 16 chains has its own acceptance rate. In the plot over time, the
 * centre of the mass near a rate is within half a line of the rate, and the mass
 * is a sixteenth. The number below the plot is the mean rate. */
static void rates_of_acceptance(void **state)
{
    (void)state;
    said s;
    fed_accepts = accepts;
    report(&s, usual, RATES, 60000, "", false);
    for (cs_form form = 0; form < FORMS; form++)
        for (size_t size = 0; size < SIZES; size++) {
            cs_area a = read_frame(&s.f, "acceptance", form, size);
            cs_area f = whole_run(&a);
            const double level = CS_DENSITY_BAND_PERCENT / 100.0;
            const double top = cs_density_band_top(f.h) / (level * level) / f.w;
            double below = 0, total = 0;
            assert_true(read_says(&a, "0.50"));
            /* the cumulative mass at a height is the height: the rates are
             * spread evenly from 0 to 1 */
            for (int y = 2 * f.h - 1; y >= 0; y--) {
                for (int x = 0; x < f.w; x++)
                    total += top * half_share(&read_canvas, f.x + x,
                                              f.y + y / 2, y % 2);
                below = fmax(below, fabs(total - 1 + y / (2.0 * f.h)));
            }
            if (below > 0.1 + 0.5 / f.h)
                print_error("form %d at %d: %d lines: off by %g, total %g\n",
                            (int)form, read_size[size][0], f.h, below, total);
            assert_near(total, 1, 0.1, 0);
            assert_true(below < 0.1 + 0.5 / f.h);
        }
    close_fed(&s);
    fed_accepts = NULL;
}

static int close_canvas(void **state)
{
    (void)state;
    cs_canvas_fini(&read_canvas);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ranks_of_perfect_samplers),
    cmocka_unit_test(heights_of_ranks),
    cmocka_unit_test(stuck_chains_set_no_ranks),
    cmocka_unit_test(masses_of_modes),
    cmocka_unit_test(exact_and_sampled_marginals_agree),
    cmocka_unit_test(stuck_chains_set_no_marginal),
    cmocka_unit_test(masses_of_pairs),
    cmocka_unit_test(stuck_chains_set_no_pairs),
    cmocka_unit_test(traces_show_time_spent),
    cmocka_unit_test(masses_of_energies),
    cmocka_unit_test(curves_of_autocorrelations),
    cmocka_unit_test(rates_of_acceptance),
};
TESTS_WITH(test_picture_draws, NULL, close_canvas)
