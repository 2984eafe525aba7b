/* Tests kernels whose log p is estimated or unknown. Panels say that log p is
 * estimated or unknown, and how to request log p. A requested log p is shown
 * next to the kernel's estimate. */
#include "support/support.h"

#include "canned_panel.h"
#include "frame.h"

#include <string.h>

/* Sets the kind of log p of arm 0 to `kind` in all entries, and selects a chain
 * of this arm. */
static void put(const char *kind, bool asked)
{
    canned(&table, memory);
    if (!kind)
        return;
    cs_flat_text(&table, kind, "look/logp");
    cs_flat_text(&table, kind, "arm/0/logp");
    if (asked) {
        cs_flat_number(&table, -237.5, "look/true_logp");
        cs_flat_number(&table, 1200, "arm/0/observed_log_densities");
        cs_flat_number(&table, 48000, "arm/0/observed_data_terms");
        return;
    }
    cs_flat_text(&table, kind, "arm/0/trace/logp");
    cs_flat_text(&table, kind, "arm/0/energy/logp");
    cs_flat_text(&table, kind, "arm/0/diagnostics/logp");
}

static bool panel_says(const char *panel, int w, int h, const char *words)
{
    cs_canvas c;
    draw_panel(&c, panel, w, h, &(cs_selection){.of = "", .detail = true});
    bool found = says(&c, words);
    cs_canvas_fini(&c);
    return found;
}

static const struct saying {
    const char *panel, *kind, *words;
    bool asked, there;
} sayings[] = {
    {"state", NULL, "log p(x') - log p(x)", false, true},
    {"state", NULL, "l evaluates it", false, false},
    {"state", "estimate", ", estimate; l evaluates it", false, true},
    {"state", "estimate", "change of the estimate", false, true},
    {"state", "estimate", "log p -237.5, estimate ", true, true},
    {"state", "estimate", "l evaluates it", true, false},
    {"state", "none", "log p not computed; l evaluates it", false, true},
    {"state", "none", "change of", false, false},
    {"state", "none", "log p -237.5", true, true},
    {"state", "none", "estimate", true, false},
    {"trace", NULL, "energy = -log p (nats)", false, true},
    {"trace", "estimate", "energy = -log p, estimate (nats)", false, true},
    {"trace", "estimate", "energy = -log p (nats)", true, true},
    {"trace", "none", "does not compute log p", false, true},
    {"trace", "none", "trace = { true_logp = true", false, true},
    {"energy", NULL, "energy = -log p (nats)", false, true},
    {"energy", "estimate", "energy = -log p, estimate (nats)", false, true},
    {"energy", "none", "does not compute log p", false, true},
    {"energy", "none", "energy = { true_logp = true", false, true},
    {"summary", NULL, "lp__ ", false, true},
    {"summary", NULL, "for probes and displays", false, false},
    {"summary", "estimate", "lp__ est.", false, true},
    {"summary", "none", "lp__ none", false, true},
    {"summary", "estimate", "lp__ est.", true, false},
    {"summary", "estimate",
     "for probes and displays: log p of 1,200 states, 48,000 data terms", true,
     true},
    {"picture", NULL, "log p ", false, true},
    {"picture", "estimate", "est. ", false, true},
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++) {
        const struct saying *want = &sayings[i];
        put(want->kind, want->asked);
        if (panel_says(want->panel, 110, 34, want->words) != want->there)
            fail_msg("%s of %s%s %s '%s'", want->panel,
                     want->kind ? want->kind : "exact",
                     want->asked ? ", asked for," : "",
                     want->there ? "does not say" : "says", want->words);
    }
}

/* The exact distribution of the energy is compared only with exact values of
 * log p. These values may come from a request. */
static void test_truth(void **state)
{
    (void)state;
    put(NULL, false);
    assert_true(panel_says("energy", 110, 34, "TV"));
    put("estimate", false);
    assert_false(panel_says("energy", 110, 34, "TV"));
    put("estimate", true);
    assert_true(panel_says("energy", 110, 34, "TV"));
}

/* An estimated log ratio is shown with its parts. */
static void test_estimates(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        size_t n;
        put(k ? "none" : NULL, false);
        const cs_shot s = {.base = table.base, .used = table.used};
        const cs_decision *d = CS_SHOT_ROWS(&s, cs_decision, &n, CS_KEY_STEP);
        assert_non_null(d);
        cs_decision step = *d;
        step.estimates = k;
        step.log_aux = k ? 1.75 : 0;
        memcpy((char *)table.base +
                   ((const char *)d - (const char *)table.base),
               &step, sizeof step);
        assert_int_equal(panel_says("state", 64, 20, "change of the log prior"),
                         k);
        assert_int_equal(panel_says("state", 64, 20, "estimate of the rest"),
                         k);
        assert_int_equal(panel_says("state", 64, 20, "+1.750"), k);
        assert_int_equal(panel_says("state", 64, 20, "log a, an estimate"), k);
        assert_int_equal(panel_says("state", 64, 20, "log a, their sum"), !k);
    }
}

static void test_frame(void **state)
{
    (void)state;
    cs_canvas c;
    cs_error err;
    const cs_shot s = {.base = table.base, .used = table.used};
    const cs_selection at = {.of = ""};
    put("estimate", true);
    assert_int_equal(cs_canvas_init(&c, 64, 20, CS_BRAILLE, &err), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_panel_draw(cs_panel_find("state"), &a, &s, &at);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, "logp_state");
    cs_canvas_fini(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_words),
    cmocka_unit_test(test_truth),
    cmocka_unit_test(test_estimates),
    cmocka_unit_test(test_frame),
};
TESTS_WITH(test_logp, setup, teardown)
