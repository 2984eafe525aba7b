/* Tests reading the comment lines about the data of a model. */
#include "support/support.h"

#include "io/cmdstan.h"
#include "io/data_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lines_make_groups(void **state)
{
    (void)state;
    cs_error err;
    cs_data_lines d;
    const char *text = "# posterior_predictive y = y_rep\n"
                       "# log_likelihood y = log_lik\n"
                       "# observed_data y = 28,8,-3\n"
                       "# observed_data y = 7,1e-300\n"
                       "# constant_data y = 0.5\n";
    assert_int_equal(cs_data_lines_read(text, &d, &err), CS_OK);
    assert_int_equal(d.n, 4);
    const cs_data_line *line = cs_data_lines_find(&d, "y_rep");
    assert_non_null(line);
    assert_string_equal(line->name, "y");
    assert_string_equal(cs_data_group_name(line->group),
                        "posterior_predictive");
    assert_int_equal(cs_data_lines_find(&d, "log_lik")->group,
                     CS_DATA_LOG_LIKELIHOOD);
    assert_null(cs_data_lines_find(&d, "y"));
    assert_int_equal(d.line[2].n, 5);
    assert_near(d.line[2].x[2], -3, 0, 0);
    assert_near(d.line[2].x[4], 1e-300, 0, 0);
    assert_int_equal(d.line[3].n, 1);
    cs_data_lines_free(&d);
    assert_int_equal(cs_data_lines_read(NULL, &d, &err), CS_OK);
    assert_int_equal(d.n, 0);
    cs_data_lines_free(&d);
}

static void wrong_lines_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "# observed_data y",        "# observed_data y =",
        "# observed_data y = ",     "# observed_data y = 1,x",
        "# observed_data y = 1,,2", "# observed_data y = 1,nan",
        "# observed_data  = 1",     "# log_likelihood = a",
        "# log_likelihood y = ",    "# something y = 1"};
    cs_error err;
    cs_data_lines d;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (cs_data_lines_read(wrong[i], &d, &err) != CS_INPUT)
            fail_msg("accepted: %s", wrong[i]);
        assert_non_null(strstr(err.what, "wrong line"));
        cs_data_lines_free(&d);
    }
}

/* A name has at most CS_DATA_NAME - 1 bytes. */
static void long_names_are_refused(void **state)
{
    (void)state;
    cs_error err;
    cs_data_lines d;
    for (int n = CS_DATA_NAME - 1; n <= CS_DATA_NAME; n++) {
        char line[2 * CS_DATA_NAME], name[CS_DATA_NAME + 1];
        memset(name, 'a', (size_t)n);
        name[n] = 0;
        snprintf(line, sizeof line, "# log_likelihood %s = y", name);
        assert_int_equal(cs_data_lines_read(line, &d, &err),
                         n < CS_DATA_NAME ? CS_OK : CS_INPUT);
        if (n < CS_DATA_NAME)
            assert_string_equal(cs_data_lines_find(&d, "y")->name, name);
        cs_data_lines_free(&d);
    }
}

/* The statistics of a check are not a variable. */
static void statistics_are_no_variable(void **state)
{
    (void)state;
    cs_error err;
    cs_data_lines d;
    assert_int_equal(
        cs_data_lines_read("# predictive_statistics y = max\n", &d, &err),
        CS_OK);
    assert_int_equal(d.n, 1);
    assert_string_equal(d.line[0].variable, "max");
    assert_null(cs_data_lines_find(&d, "max"));
    cs_data_lines_free(&d);
}

/* The header of a file of draws keeps these lines in their order. */
static void headers_keep_lines(void **state)
{
    (void)state;
    cs_error err;
    cs_cmdstan *w;
    cs_cmdstan_head h;
    static const char *const name[] = {"lp__", "y_rep.1"};
    const char *lines = "# posterior_predictive y = y_rep\n"
                        "# observed_data y = 1\n";
    char path[] = "/tmp/cs_data_lines_XXXXXX";
    assert_true(mkdtemp(path) != NULL);
    char file[64];
    snprintf(file, sizeof file, "%s/a_1.csv", path);
    const cs_cmdstan_spec spec = {.path = file,
                                  .model = "m",
                                  .algorithm = "nuts",
                                  .arm = "a",
                                  .data_lines = lines,
                                  .thin = 1,
                                  .save_warmup = true,
                                  .name = name,
                                  .columns = 2};
    assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, &err), CS_OK);
    assert_int_equal(cs_cmdstan_rows(w, (double[]){-1, 2}, 1, &err), CS_OK);
    assert_int_equal(cs_cmdstan_finish(w, 0, 1, 0, &err), CS_OK);
    cs_cmdstan_destroy(w);
    assert_int_equal(cs_cmdstan_head_read(file, &h, &err), CS_OK);
    assert_string_equal(h.data_lines, lines);
    cs_cmdstan_head_free(&h);
    remove(file);
    remove(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_make_groups),
    cmocka_unit_test(wrong_lines_are_refused),
    cmocka_unit_test(long_names_are_refused),
    cmocka_unit_test(statistics_are_no_variable),
    cmocka_unit_test(headers_keep_lines),
};
TESTS(test_data_lines)
