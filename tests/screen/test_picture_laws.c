/* Tests pictures of a known distribution. The masses are read back from the
 * cells of a picture, and compared with the exact masses. */
#include "support/support.h"

#include "canned_table.h"
#include "read_back.h"
#include "screen/canvas/density_band.h"
#include "screen/canvas/raster.h"
#include "screen/panels/scalar_series.h"
#include "screen/state/ui.h"

#include <math.h>
#include <string.h>

enum { SIDE = 5, MODES = SIDE * SIDE, WIDE = 57, HIGH = 45, ARMS = 4 };

static double law[WIDE * HIGH]; /* exact shares of the lattice */

/* Computes the exact shares of the bins for 25 equal modes. The modes are 75
 * apart and have the standard deviation sd. The bins are not aligned with the
 * modes. */
static void make_lattice(double sd)
{
    const double wide = 456.0 / WIDE, high = 450.0 / HIGH, s = sd * sqrt(2);
    double total = 0;
    for (size_t i = 0; i < WIDE * HIGH; i++) {
        double x0 = -0.5 + wide * (double)(i % WIDE);
        double y0 = 449.5 - high * (double)(i / WIDE);
        law[i] = 0;
        for (size_t m = 0; m < MODES; m++) {
            double x = x0 - 75 - 75 * (double)(m % SIDE);
            double y = y0 - 75 - 75 * (double)(m / SIDE);
            law[i] += (erf((x + wide) / s) - erf(x / s)) *
                      (erf(y / s) - erf((y - high) / s));
        }
        total += law[i];
    }
    for (size_t i = 0; i < WIDE * HIGH; i++)
        law[i] /= total;
}

/* Counts n independent draws from the law. */
static void draw_counts(size_t n, uint64_t seed, double *counts)
{
    uint64_t state = seed * 2 + 1;
    double below[WIDE * HIGH + 1] = {0};
    for (size_t i = 0; i < WIDE * HIGH; i++)
        below[i + 1] = below[i] + law[i];
    memset(counts, 0, WIDE * HIGH * sizeof *counts);
    for (size_t k = 0; k < n; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double u = (double)(state >> 11) * 0x1p-53;
        size_t low = 0, high = WIDE * HIGH;
        while (high - low > 1) {
            size_t middle = (low + high) / 2;
            if (below[middle] <= u)
                low = middle;
            else
                high = middle;
        }
        counts[low]++;
    }
}

/* Starts a snapshot of `arms` arms on the lattice. */
static void begin(size_t arms)
{
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, (double)arms, "run/arms");
    cs_flat_number(&table, 100, "run/steps");
    double *modes = cs_flat_array(&table, MODES, 2, "target/modes");
    for (size_t m = 0; m < MODES; m++) {
        modes[2 * m] = 75 + 75 * (double)(m % SIDE);
        modes[2 * m + 1] = 75 + 75 * (double)(m / SIDE);
    }
}

/* Adds the plane of an arm; returns its counts. */
static double *put_plane(size_t arm, bool exact)
{
    static const double view[] = {-0.5, 455.5, -0.5, 449.5};
    cs_flat_text(&table, arm ? "other" : "a", "arm/%zu/name", arm);
    memcpy(cs_flat_array(&table, 1, 4, "arm/%zu/plane/view", arm), view,
           sizeof view);
    if (exact)
        memcpy(cs_flat_array(&table, HIGH, WIDE, "arm/%zu/plane/truth", arm),
               law, sizeof law);
    return cs_flat_array(&table, HIGH, WIDE, "arm/%zu/plane/counts", arm);
}

static int pixels; /* width of a cell in pixels; 0: only characters */

static void draw(cs_canvas *c, int w, int h, unsigned variant)
{
    const cs_shot s = {.base = table.base, .used = table.used};
    const cs_selection at = {.of = "", .variant = variant, .every_arm = true};
    assert_false(table.full);
    assert_int_equal(cs_canvas_init(c, w, h, CS_BRAILLE, NULL), CS_OK);
    cs_canvas_pixels(c, pixels, 2 * pixels);
    cs_area a = cs_canvas_area(c);
    cs_panel_draw(cs_panel_find("map"), &a, &s, &at);
}

/* Returns the number of the mode nearest to a coordinate. */
static double nearest(double v)
{
    return fmin(fmax(floor(v / 75 - 0.5), 0), SIDE - 1);
}

/* Reads the mass near each mode back from a picture, up to a common factor. If
 * the modes are shown as symbols, reads the masses from the symbols and returns
 * true. */
static bool read_modes(const cs_canvas *c, const cs_plane *p, double *mass)
{
    bool symbols = false;
    for (int m = 0; m < MODES; m++)
        mass[m] = 0;
    for (int y = 0; y < p->h; y++)
        for (int x = 0; x < p->w; x++)
            symbols |= c->cell[(p->y + y) * c->width + p->x + x].code == 0x25CF;
    for (int y = 0; y < 2 * p->h; y++)
        for (int x = 0; x < p->w; x++) {
            int cx = p->x + x, cy = p->y + y / 2;
            unsigned code = c->cell[cy * c->width + cx].code;
            bool mark = code == 0x25CF || code == 0x25CB;
            /* a symbol fills both halves of its cell; a full one has the
             * colour of its mode, a ring is on the colour of its mode */
            double half = mark ? y / 2 + 0.5 : (y + 0.5) / 2;
            double at = p->left + (p->right - p->left) * (x + 0.5) / p->w;
            double up = p->top - (p->top - p->bottom) * half / p->h;
            double column = nearest(at), row = nearest(up);
            bool close = fabs(at - 75 * column - 75) < 0.45 * 75 &&
                         fabs(up - 75 * row - 75) < 0.45 * 75;
            double v = code == 0x25CF
                           ? share_of(c->cell[cy * c->width + cx].role)
                           : half_share(c, cx, cy, y % 2);
            if (mark || (close && !symbols))
                mass[(int)row * SIDE + (int)column] += v;
        }
    return symbols;
}

/* Returns the largest relative distance from the mean. */
static double unevenness(const double *mass)
{
    double mean = 0, most = 0;
    for (int m = 0; m < MODES; m++)
        mean += mass[m] / MODES;
    for (int m = 0; m < MODES; m++)
        most = fmax(most, fabs(mass[m] / mean - 1));
    return most;
}

/* 25 equal modes, narrow or wide, look equal in the picture of the exact law at
 * all sizes: the masses near the modes are within 10 % of the mean of these
 * masses. */
static void equal_modes_look_equal(void **state)
{
    (void)state;
    static const double sd[] = {3, 8, 14, 20};
    for (size_t k = 0; k < sizeof sd / sizeof *sd; k++) {
        int symbols = 0;
        make_lattice(sd[k]);
        begin(1);
        memcpy(put_plane(0, true), law, sizeof law);
        for (int w = 18; w <= 200; w += w < 60 ? 1 : 10) {
            double mass[MODES];
            cs_canvas c;
            draw(&c, w, w / 3 + 2, 2);
            assert_int_equal(c.n_planes, 1);
            bool drawn_as_symbols = read_modes(&c, &c.plane[0], mass);
            if (!(unevenness(mass) < 0.1))
                print_error("sd %g, %d x %d%s: %g\n", sd[k], w, w / 3 + 2,
                            drawn_as_symbols ? ", symbols" : "",
                            unevenness(mass));
            assert_true(unevenness(mass) < 0.1);
            symbols += drawn_as_symbols && w >= 40;
            cs_canvas_fini(&c);
        }
        assert_int_equal(symbols, 0); /* there is space for whole cells */
    }
}

/* Returns true if a half cell between two modes, m and the next one along the
 * axis, is at most half as bright as the mode m. Symbols are apart if they are
 * in different characters. */
static bool are_apart(const cs_canvas *c, const cs_plane *p, int m, int axis)
{
    double x = 75 + 75 * (m % SIDE), y = 75 + 75 * (m / SIDE);
    int n = axis ? 2 * p->h : p->w, at[2];
    int column = (int)((x - p->left) / (p->right - p->left) * p->w);
    int half = (int)((p->top - y) / (p->top - p->bottom) * 2 * p->h);
    for (int i = 0; i < 2; i++)
        at[i] = axis ? (int)((p->top - y - 75 * i) / (p->top - p->bottom) * n)
                     : (int)((x + 75 * i - p->left) / (p->right - p->left) * n);
    const cs_cell *k = c->cell + (p->y + half / 2) * c->width + p->x + column;
    if (k->code == 0x25CF && !k->ground)
        return at[0] / (1 + axis) != at[1] / (1 + axis);
    double own = half_share(c, p->x + column, p->y + half / 2, half % 2);
    double least = own;
    for (int i = (int)fmin(at[0], at[1]); i <= (int)fmax(at[0], at[1]); i++) {
        int cx = axis ? column : i, cy = axis ? i : half;
        least = fmin(least, half_share(c, p->x + cx, p->y + cy / 2, cy % 2));
    }
    return own > 0 && least <= own / 2;
}

/* Adds five arms whose counts are exactly the law, and the other panels of the
 * scenario of the 25 modes. */
static void put_scenario(void)
{
    static const char *const name[] = {"walk", "dmala", "any", "acs",
                                       "released"};
    enum { N = 5 };
    begin(N);
    for (size_t arm = 0; arm < N; arm++) {
        cs_flat_text(&table, name[arm], "arm/%zu/name", arm);
        memcpy(put_plane(arm, true), law, sizeof law);
        canned_trace(&table, arm, 4);
        canned_counts(&table, arm, 4);
    }
    assert_false(table.full);
}

/* In the layout of the scenario of the 25 modes, with the panels of the
 * scenario beside the map, the modes look equal, and neighbouring modes are
 * apart. The other panels leave the map 38 x 12 characters at 80x24. */
static void modes_look_equal_beside_panels(void **state)
{
    (void)state;
    static const int size[][2] = {{80, 24}, {120, 40}, {200, 60}};
    static cs_ui ui;
    for (size_t sharp = 0; sharp < 2; sharp++)
        for (size_t i = 0; i < 3; i++) {
            cs_canvas c;
            make_lattice(sharp ? 8 : 14);
            put_scenario();
            cs_ui_init(&ui);
            assert_int_equal(
                cs_canvas_init(&c, size[i][0], size[i][1], CS_BRAILLE, NULL),
                CS_OK);
            cs_screen_frame(&ui, table.base, table.used, &c);
            cs_ui_panels(&ui, "map trace energy acceptance visits");
            cs_canvas_clear(&c);
            cs_screen_frame(&ui, table.base, table.used, &c);
            assert_true(!ui.slots.zoom && c.n_planes > 0);
            /* the third picture is the difference from the law */
            for (size_t k = 0; k < c.n_planes && k < 2; k++) {
                double mass[MODES];
                read_modes(&c, &c.plane[k], mass);
                assert_true(unevenness(mass) < 0.1);
                for (int m = 0; m < MODES; m++) {
                    assert_true(m % SIDE == SIDE - 1 ||
                                are_apart(&c, &c.plane[k], m, 0));
                    assert_true(m / SIDE == SIDE - 1 ||
                                are_apart(&c, &c.plane[k], m, 1));
                }
            }
            cs_canvas_fini(&c);
        }
}

/* Reads the mass near each mode back from the pixels of a map, up to a common
 * factor. Fails if the brightest colour is far from a mode. */
static void read_pixels(const cs_canvas *c, const cs_plane *p, double *mass)
{
    int wide = c->pixels.wide, high = c->pixels.high;
    for (int m = 0; m < MODES; m++)
        mass[m] = 0;
    for (int y = 0; y < p->h * high; y++)
        for (int x = 0; x < p->w * wide; x++) {
            unsigned role = c->pixels.role[(p->y * high + y) * c->width * wide +
                                           p->x * wide + x];
            double at =
                p->left + (p->right - p->left) * (x + 0.5) / (p->w * wide);
            double up =
                p->top - (p->top - p->bottom) * (y + 0.5) / (p->h * high);
            double column = nearest(at), row = nearest(up);
            double far =
                fmax(fabs(at - 75 * column - 75), fabs(up - 75 * row - 75));
            if (far < 0.45 * 75)
                mass[(int)row * SIDE + (int)column] += share_of(role);
            if (role == CS_ROLE_RAMP + CS_RAMP_ROLES - 1)
                assert_true(far < 18); /* two bins */
        }
}

/* On a terminal with graphics, the brightest pixels lie at the modes, and equal
 * modes have equal sums. */
static void pixels_show_the_modes(void **state)
{
    (void)state;
    make_lattice(14);
    begin(1);
    memcpy(put_plane(0, true), law, sizeof law);
    for (int w = 30; w <= 200; w += 17)
        for (int wide = 6; wide <= 12; wide += 3) {
            double mass[MODES];
            cs_canvas c;
            pixels = wide;
            draw(&c, w, w / 3 + 2, 2);
            pixels = 0;
            read_pixels(&c, &c.plane[0], mass);
            assert_true(mass[0] > 0 && unevenness(mass) < 0.1);
            cs_canvas_fini(&c);
        }
}

/* The pictures of all arms and of the exact law have the same extent, the same
 * cells and the same colours. If the counts of an arm equal the law, the arm's
 * picture equals the picture of the law, cell by cell. Draws from the law show
 * the masses of the law. On the smallest area only one arm fits beside the
 * exact law. */
static void exact_and_sampled_agree(void **state)
{
    (void)state;
    static const struct {
        int w, h;
        size_t arms;
    } size[] = {{60, 20, 1},
                {61, 30, ARMS},
                {118, 38, ARMS},
                {119, 37, ARMS},
                {198, 58, ARMS}};
    make_lattice(14);
    begin(ARMS);
    for (size_t arm = 0; arm < ARMS; arm++)
        draw_counts(400000, arm, put_plane(arm, true));
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        cs_canvas c;
        const size_t arms = size[i].arms;
        draw(&c, size[i].w, size[i].h, 0);
        assert_int_equal(c.n_planes, arms + 1);
        double exact[MODES], mass[MODES];
        const cs_plane *last = &c.plane[arms];
        bool symbols = read_modes(&c, last, exact);
        for (size_t k = 0; k < arms; k++) {
            const cs_plane *p = &c.plane[k];
            assert_true(p->w == last->w && p->h == last->h);
            assert_true(p->left == last->left && p->right == last->right);
            assert_true(p->bottom == last->bottom && p->top == last->top);
            assert_int_equal(read_modes(&c, p, mass), symbols);
            for (int m = 0; m < MODES; m++)
                assert_near(mass[m], exact[m], 0.1, 0);
        }
        cs_canvas_fini(&c);
    }
}

/* The law is unknown. If the chains of an arm stay in one cell, this arm does
 * not set the colour scale of the other arms. A stuck chain does not set the
 * scale of the 15 other chains of its arm. */
static void stuck_chains_set_no_scale(void **state)
{
    (void)state;
    double most[2] = {0};
    make_lattice(14);
    for (int stuck = 0; stuck < 2; stuck++) {
        cs_canvas c;
        begin(ARMS);
        for (size_t arm = 0; arm < ARMS; arm++) {
            double *counts = put_plane(arm, false);
            draw_counts(150000, arm, counts);
            if (stuck && arm == 1)
                memset(counts, 0, sizeof law);
            if (stuck)
                counts[3] += 10000;
        }
        draw(&c, 118, 38, 0);
        const cs_plane *p = &c.plane[0];
        for (int i = 0; i < 2 * p->w * p->h; i++) {
            int x = i % p->w, y = i / p->w;
            double v = half_share(&c, p->x + x, p->y + y / 2, y % 2);
            /* the stuck chains are in the first row of bins */
            if (y > 4)
                most[stuck] = fmax(most[stuck], v);
        }
        cs_canvas_fini(&c);
    }
    assert_true(most[0] > 0.8);
    assert_near(most[1], most[0], 0.2, 0);
}

/* ---- the trace ---- */

/* Three quarters of the draws are uniform on 0 to 5, the others on 5 to 10. The
 * colours of each part of the axis show these shares. The shares add up to 1,
 * although each bin of time has values from 0 to 10. */
static void trace_shows_time_spent(void **state)
{
    (void)state;
    enum { C = 8, BINS = 64, DRAWS = 256, W = 40, H = 20 };
    static double low[C * BINS], high[C * BINS], draw[C * DRAWS], ends[DRAWS];
    const double top = cs_density_band_top(H);
    const double level = CS_DENSITY_BAND_PERCENT / 100.0;
    for (size_t i = 0; i < C * BINS; i++)
        low[i] = high[i] = NAN; /* draws no line */
    for (size_t i = 0; i < C * DRAWS; i++) {
        double u = ((double)(i * 7919 % 1000) + 0.5) / 1000;
        draw[i] = i % 4 == 3 ? 5 + 5 * u : 5 * u;
        ends[i % DRAWS] = (double)(i % DRAWS + 1);
    }
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_plot p = cs_plot_make(&a, 0, DRAWS, 0, 10);
    const cs_density_band b = {.low = low,
                               .high = high,
                               .chains = C,
                               .bins = BINS,
                               .draw = draw,
                               .draw_time = ends,
                               .draws = DRAWS};
    cs_density_band_draw(&p, &b, 0);
    double part[2] = {0};
    for (int y = 0; y < 2 * H; y++)
        for (int x = 0; x < W; x++)
            part[y < H] +=
                half_share(&c, x, y / 2, y % 2) * top / (level * level) / W;
    assert_near(part[0], 0.75, 0, 0.075);
    assert_near(part[1], 0.25, 0, 0.04);
    cs_canvas_fini(&c);
}

/* A chain that stays far away does not set the axis of the trace. */
static void stuck_chains_set_no_axis(void **state)
{
    (void)state;
    enum { C = 4, T = 64 };
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_text(&table, "energy a", "arm/0/trace/names");
    double *time = cs_flat_array(&table, 1, T, "arm/0/trace/time");
    double *low = cs_flat_array(&table, C, T, "arm/0/trace/0/low");
    double *high = cs_flat_array(&table, C, T, "arm/0/trace/0/high");
    for (size_t i = 0; i < C * T; i++) {
        bool stuck = i / T == 2;
        time[i % T] = (double)(i % T + 1);
        low[i] = stuck ? 1e6 : 2 * canned_wave(i % T, i / T);
        high[i] = stuck ? 1e6 + 0.01 : low[i] + 1;
    }
    const cs_shot s = {.base = table.base, .used = table.used};
    const cs_selection at = {.of = ""};
    double bottom, top;
    assert_true(cs_series_range(&s, &at, 0, false, &bottom, &top));
    assert_true(bottom > -10 && top < 10 && top > 1);
}

/* ---- the visits to modes ---- */

/* Each column of time shows the shares of its draws in the modes. The shares
 * add up to 1 in two difficult cases: a column combines several bins with
 * different shares, and the chains of the other arm have stayed in one mode. */
static void visits_show_shares(void **state)
{
    (void)state;
    enum { N = 5, T = 96, C = 4, W = 60, H = N + 3 };
    const double top = 4.0 / N;
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 2, "run/arms");
    for (size_t arm = 0; arm < 2; arm++) {
        double *visits =
            cs_flat_array(&table, C, N, "arm/%zu/modes/visits", arm);
        double *shares =
            cs_flat_array(&table, N, T, "arm/%zu/modes/shares", arm);
        double *weight =
            cs_flat_array(&table, 1, N, "arm/%zu/modes/weight", arm);
        for (size_t i = 0; i < C * N; i++)
            visits[i] = !arm ? 20 : i % N == 2 ? 100 : 0;
        for (size_t i = 0; i < N * T; i++) { /* 0.4 or 0, and 0.2 */
            double share =
                i / T == N - 1 ? 0.2 : (double)((i / T + i) % 2) * 0.4;
            shares[i] = arm ? i / T == 2 : share;
        }
        for (size_t m = 0; m < N; m++)
            weight[m] = 1.0 / N;
    }
    cs_canvas c;
    const cs_shot s = {.base = table.base, .used = table.used};
    const cs_selection at = {.of = "", .variant = 2};
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_panel_draw(cs_panel_find("visits"), &a, &s, &at);
    int columns = 0;
    double all = 0;
    for (int x = 0; x < W; x++) {
        double sum = 0;
        bool any = false;
        for (int y = 0; y < H - 1; y++) {
            unsigned role = c.cell[y * W + x].role;
            any |= is_level(role);
            sum += top * share_of(role);
        }
        columns += any;
        all += any ? sum : 0;
        if (any) /* 24 colours show the share of each mode to within 9 % */
            assert_near(sum, 1, 0.2, 0);
    }
    assert_true(columns > W / 3);
    assert_near(all / columns, 1, 0.1, 0);
    cs_canvas_fini(&c);
}

/* In a panel of 44 columns beside others, the last line counts the modes that
 * do not fit. */
static void visits_count_modes_below(void **state)
{
    (void)state;
    enum { C = 4, W = 44, H = 12 };
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    double *visits = cs_flat_array(&table, C, MODES, "arm/0/modes/visits");
    for (size_t i = 0; i < C * MODES; i++)
        visits[i] = i == 3 ? 0 : 10;
    cs_canvas c;
    char line[W + 1] = "";
    const cs_shot s = {.base = table.base, .used = table.used};
    const cs_selection at = {.of = ""};
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_panel_draw(cs_panel_find("visits"), &a, &s, &at);
    for (int x = 0; x < W; x++)
        line[x] = (char)c.cell[(H - 1) * W + x].code;
    assert_non_null(
        strstr(line, "25 of 25 modes; 24 in every chain, 15 below"));
    cs_canvas_fini(&c);
}

/* ---- the energy ---- */

/* Adds an energy histogram with bins of width 1/2. Each of 4 chains has 10,000
 * draws from a normal distribution of mean 50 and standard deviation 4, and
 * `far` draws between 200 and 200.5. A fifth chain has stayed at 300. */
static void put_energy(bool exact, double far)
{
    enum { CHAINS = 5, BINS = 640 };
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_number(&table, 10000, "run/steps");
    double *edge = cs_flat_array(&table, 1, BINS + 1, "arm/0/energy/edges");
    double *truth =
        exact ? cs_flat_array(&table, 1, BINS, "arm/0/energy/truth") : NULL;
    double *counts = cs_flat_array(&table, CHAINS, BINS, "arm/0/energy/counts");
    memset(counts, 0, CHAINS * BINS * sizeof *counts);
    for (size_t b = 0; b <= BINS; b++)
        edge[b] = (double)b / 2;
    for (size_t b = 0; b < BINS; b++) {
        double p = (erf((edge[b + 1] - 50) / (4 * sqrt(2))) -
                    erf((edge[b] - 50) / (4 * sqrt(2)))) /
                   2;
        if (truth)
            truth[b] = p;
        for (size_t c = 0; c + 1 < CHAINS; c++)
            counts[c * BINS + b] = 10000 * p + (b == 400 ? far : 0);
    }
    counts[(CHAINS - 1) * BINS + 600] = 10000;
}

/* The range of the energy axis comes from the exact law. Without a law, it
 * comes from the central draws of the chains. First states and stuck chains do
 * not extend the axis. The share of draws beyond the axis is displayed. */
static void energy_axis_is_of_the_law(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        cs_canvas c;
        put_energy(exact, 50);
        const cs_shot s = {.base = table.base, .used = table.used};
        const cs_selection at = {.of = ""};
        assert_false(table.full);
        assert_int_equal(cs_canvas_init(&c, 80, 20, CS_BRAILLE, NULL), CS_OK);
        cs_area a = cs_canvas_area(&c);
        cs_panel_draw(cs_panel_find("energy"), &a, &s, &at);
        assert_int_equal(c.n_axes, 1);
        assert_true(c.axis[0].from > 25 && c.axis[0].from < 41);
        assert_true(c.axis[0].to > 60 && c.axis[0].to < 75);
        char line[81] = "";
        for (int x = 0; x < 80; x++)
            line[x] = c.cell[x].code < 0x7F && c.cell[x].code
                          ? (char)c.cell[x].code
                          : '?';
        /* 50 of 10,050 draws of each of 4 chains, and all draws of the fifth
         * chain */
        assert_non_null(strstr(line, "20% above >"));
        cs_canvas_fini(&c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(equal_modes_look_equal, setup, teardown),
    cmocka_unit_test_setup_teardown(modes_look_equal_beside_panels, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(pixels_show_the_modes, setup, teardown),
    cmocka_unit_test_setup_teardown(exact_and_sampled_agree, setup, teardown),
    cmocka_unit_test_setup_teardown(stuck_chains_set_no_scale, setup, teardown),
    cmocka_unit_test(trace_shows_time_spent),
    cmocka_unit_test_setup_teardown(stuck_chains_set_no_axis, setup, teardown),
    cmocka_unit_test_setup_teardown(visits_show_shares, setup, teardown),
    cmocka_unit_test_setup_teardown(visits_count_modes_below, setup, teardown),
    cmocka_unit_test_setup_teardown(energy_axis_is_of_the_law, setup, teardown),
};
TESTS(test_picture_laws)
