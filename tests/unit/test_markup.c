/* Tests tables in LaTeX, Markdown and HTML. */
#include "support/support.h"

#include "base/markup.h"
#include "base/memory.h"

#include <string.h>

static char *table(const char *name)
{
    static const char *const head[] = {"arm", "R-hat"};
    static const char *const row[] = {"a_b|<c>&![d]", "1.01"};
    static const bool right[] = {false, true};
    const cs_markup *m = cs_markup_find(name);
    assert_non_null(m);
    cs_page p = {0};
    cs_markup_heading(m, "50 %", &p);
    cs_markup_table(m, head, right, 2, &p);
    cs_markup_row(m, row, 2, &p);
    cs_markup_end(m, &p);
    cs_markup_code(m, "a < b_", &p);
    assert_false(p.full);
    return p.text;
}

static void is(const char *name, const char *want)
{
    char *got = table(name);
    assert_string_equal(got, want);
    cs_free(got);
}

static void test_markdown(void **state)
{
    (void)state;
    is("markdown", "## 50 %\n\n"
                   "| arm | R-hat |\n| --- | ---: |\n"
                   "| a\\_b\\|\\<c\\>\\&\\!\\[d\\] | 1.01 |\n\n"
                   "```\na < b_\n```\n\n");
}

static void test_latex(void **state)
{
    (void)state;
    is("latex", "\\subsection*{50 \\%}\n"
                "\\begin{tabular}{lr}\n\\hline\narm & R-hat \\\\\n\\hline\n"
                "a\\_b$|$$<$c$>$\\&![d] & 1.01 \\\\\n\\hline\n"
                "\\end{tabular}\n\n"
                "\\begin{verbatim}\na < b_\n\\end{verbatim}\n\n");
}

static void test_html(void **state)
{
    (void)state;
    is("html", "<h2>50 %</h2>\n"
               "<table>\n<colgroup><col class=\"words\"><col></colgroup>"
               "<thead>\n<tr><th>arm</th><th>R-hat</th></tr>\n"
               "</thead><tbody>\n"
               "<tr><td>a_b|&lt;c&gt;&amp;![d]</td><td>1.01</td></tr>\n"
               "</tbody></table>\n<pre>a &lt; b_</pre>\n");
}

static void check_prose(const char *name, const char *text, const char *want)
{
    cs_page p = {0};
    cs_markup_prose(cs_markup_find(name), text, &p);
    assert_string_equal(p.text, want);
    cs_free(p.text);
}

/* Names in backquotes are code; other backquotes are text. */
static void test_prose(void **state)
{
    (void)state;
    check_prose("markdown", "`a_b` < c_d", "`a_b` \\< c\\_d");
    check_prose("html", "x & `a<b`, `c`",
                "x &amp; <code>a&lt;b</code>, <code>c</code>");
    check_prose("latex", "5 % `a_b`", "5 \\% \\verb`a_b`");
    check_prose("html", "an `open one", "an `open one");
    check_prose("html", "`` <", "`` &lt;");
}

static void test_none(void **state)
{
    (void)state;
    assert_null(cs_markup_find("word"));
    assert_null(cs_markup_find(""));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_markdown), cmocka_unit_test(test_latex),
    cmocka_unit_test(test_html),     cmocka_unit_test(test_prose),
    cmocka_unit_test(test_none),
};
TESTS(test_markup)
