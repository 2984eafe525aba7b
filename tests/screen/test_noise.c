/* Tests chains that follow a noisy gradient: the ellipses of the noise on the
 * map, and the reported numbers. Also tests messages of panels during a
 * warm-up. */
#include "support/support.h"

#include "canned_panel.h"

#include <math.h>
#include <string.h>

/* Adds to the snapshot a map of the square (-4, 4)^2, with a chain in the
 * middle. */
static void put_chain(double chain, const double gradient[4],
                      const double injected[2])
{
    static const double axes[2] = {0, 1};
    const double x[2] = {0.01, 0.01};
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_number(&table, 5, "run/steps");
    cs_flat_text(&table, "sgld", "arm/0/name");
    memset(cs_flat_array(&table, 40, 40, "arm/0/plane/counts"), 0,
           1600 * sizeof(double));
    memcpy(cs_flat_array(&table, 1, 2, "arm/0/plane/axes"), axes, sizeof axes);
    *CS_FLAT_ROWS(&table, cs_row_view, 1, CS_KEY_PLANE_VIEW, (size_t)0) =
        (cs_row_view){.left = -4, .right = 4, .bottom = -4, .top = 4};
    *CS_FLAT_ROWS(&table, cs_row_look, 1, CS_KEY_LOOK) =
        (cs_row_look){.chain = chain};
    memcpy(cs_flat_array(&table, 1, 2, "look/x"), x, sizeof x);
    memcpy(cs_flat_array(&table, 1, 2, "look/proposal"), x, sizeof x);
    *CS_FLAT_ROWS(&table, cs_decision, 1, CS_KEY_STEP) =
        (cs_decision){.accepted = 1, .moved = 1};
    if (!gradient)
        return;
    memcpy(cs_flat_array(&table, 2, 2, "look/noise/gradient"), gradient,
           4 * sizeof *gradient);
    memcpy(cs_flat_array(&table, 1, 2, "look/noise/injected"), injected,
           2 * sizeof *injected);
}

static void put_look(const double gradient[4], const double injected[2])
{
    put_chain(0, gradient, injected);
}

static void draw(cs_canvas *c, const char *panel, int w, int h)
{
    draw_panel(c, panel, w, h, &(cs_selection){.of = ""});
}

typedef struct extent {
    int n, left, right, top, bottom;
    double tilt; /* sum over cells of dx times dy from the chain; positive:
                  * tilted upwards */
} extent;

/* Finds the cells of the plot that contain this letter. The positions are
 * relative to the cell with '@'. */
static extent find(const cs_canvas *c, unsigned letter)
{
    extent e = {0};
    int x0 = 0, y0 = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int y = 3; y < c->height - 1; y++)
            for (int x = 6; x < c->width; x++) {
                unsigned code = c->cell[y * c->width + x].code;
                if (!pass && code == '@') {
                    x0 = x;
                    y0 = y;
                } else if (pass && code == letter) {
                    e.n++;
                    e.left = x - x0 < e.left ? x - x0 : e.left;
                    e.right = x - x0 > e.right ? x - x0 : e.right;
                    e.top = y0 - y > e.top ? y0 - y : e.top;
                    e.bottom = y0 - y < e.bottom ? y0 - y : e.bottom;
                    e.tilt += (double)(x - x0) * (y0 - y);
                }
            }
    assert_true(x0 > 0);
    return e;
}

/* A cell of the map is about 8 / 72 wide and 8 / 36 high, in units of the
 * coordinates. */
static void ellipses_have_their_axes(void **state)
{
    (void)state;
    const double gradient[4] = {4, 0, 0, 1}, injected[2] = {0.25, 2.25};
    cs_canvas c;
    put_look(gradient, injected);
    draw(&c, "map", 80, 40);
    extent x = find(&c, 'x'), o = find(&c, 'o');
    assert_true(x.right > 1.8 * x.top && x.right >= 16 && x.right <= 19);
    assert_true(x.top >= 4 && x.top <= 5 && x.bottom <= -4);
    assert_true(x.left <= -16 && fabs(x.tilt) < 30);
    assert_true(o.right >= 4 && o.right <= 5 && o.top >= 6 && o.top <= 7);
    cs_canvas_fini(&c);
}

static void ellipses_lean(void **state)
{
    (void)state;
    const double injected[2] = {0, 0};
    cs_canvas c;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double gradient[4] = {2, sign * 1.6, sign * 1.6, 2};
        put_look(gradient, injected);
        draw(&c, "map", 80, 40);
        assert_true(find(&c, 'x').tilt * sign > 100);
        cs_canvas_fini(&c);
    }
}

/* The path is that of chain 2, which is in row 1 of the trace. Tempered groups
 * have two chains each. Dots mark the positions of the chain in the last 24
 * steps. */
static void the_path_is_the_chains(void **state)
{
    (void)state;
    enum { ROWS = 3, N = 30 };
    const double gradient[4] = {0.01, 0, 0, 0.01}, injected[2] = {0.01, 0.01};
    cs_canvas c;
    for (int known = 0; known < 2; known++) {
        put_chain(2, gradient, injected);
        cs_flat_number(&table, 2, "arm/0/group");
        cs_flat_text(&table, known ? "energy x.1 x.2" : "energy x.1 y",
                     "arm/0/trace/names");
        for (size_t s = 0; s < 3; s++) {
            double *to =
                cs_flat_array(&table, ROWS, N, "arm/0/trace/%zu/recent", s);
            for (size_t r = 0; r < ROWS; r++)
                for (size_t t = 0; t < N; t++)
                    to[r * N + t] = r != 1   ? 3
                                    : s == 1 ? -0.1 * (double)(N - t)
                                             : 2;
        }
        draw(&c, "map", 80, 40);
        extent dots = find(&c, 0x2022);
        assert_int_equal(dots.n > 15, known);
        if (known) {
            assert_true(dots.right <= 0 && dots.left >= -23);
            assert_true(dots.left <= -19 && dots.top >= 8 && dots.top <= 10);
            assert_int_equal(dots.bottom, 0); /* no dots below the chain */
        }
        cs_canvas_fini(&c);
    }
}

static void no_noise_no_ellipse(void **state)
{
    (void)state;
    cs_canvas c;
    put_look(NULL, NULL);
    draw(&c, "map", 80, 40);
    assert_int_equal(find(&c, 'x').n + find(&c, 'o').n, 0);
    cs_canvas_fini(&c);
}

/* The panel of a kernel without an accept step shows no acceptance
 * probability. */
static void figures_stand_in_the_state(void **state)
{
    (void)state;
    const double gradient[4] = {0.09, 0, 0, 1}, injected[2] = {0.25, 4};
    static const int sizes[][2] = {{60, 20}, {34, 9}};
    for (size_t i = 0; i < 2; i++) {
        cs_canvas c;
        put_look(gradient, injected);
        draw(&c, "state", sizes[i][0], sizes[i][1]);
        assert_true(says(&c, "moved, no accept step"));
        assert_true(says(&c, "0.3, added 0.5"));
        assert_false(says(&c, "u ="));
        assert_false(says(&c, "log ratio"));
        cs_canvas_fini(&c);
        put_look(NULL, NULL);
        draw(&c, "state", sizes[i][0], sizes[i][1]);
        assert_false(says(&c, "added"));
        assert_true(says(&c, "accepted"));
        cs_canvas_fini(&c);
    }
}

/* A warm-up of fixed length is not called a search. */
static void a_warm_up_is_called_so(void **state)
{
    (void)state;
    for (int tuner = 0; tuner < 2; tuner++) {
        cs_canvas c;
        cs_flat_begin(&table, memory, CANNED_BYTES);
        cs_flat_number(&table, 1, "run/arms");
        cs_flat_number(&table, 5, "run/steps");
        cs_flat_number(&table, 0.4, "run/tuned");
        if (tuner)
            cs_flat_text(&table, "acceptance", "arm/0/tuner");
        draw(&c, "trace", 60, 12);
        assert_int_equal(says(&c, "This is the warm-up"), !tuner);
        assert_int_equal(says(&c, "A tuner is running"), tuner);
        cs_canvas_fini(&c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(ellipses_have_their_axes, setup, teardown),
    cmocka_unit_test_setup_teardown(ellipses_lean, setup, teardown),
    cmocka_unit_test_setup_teardown(the_path_is_the_chains, setup, teardown),
    cmocka_unit_test_setup_teardown(no_noise_no_ellipse, setup, teardown),
    cmocka_unit_test_setup_teardown(a_warm_up_is_called_so, setup, teardown),
    cmocka_unit_test_setup_teardown(figures_stand_in_the_state, setup,
                                    teardown),
};
TESTS(test_noise)
