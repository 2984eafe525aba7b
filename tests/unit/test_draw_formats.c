/* Tests the readers of draws of other programs: exact values, chains, warm-up,
 * notes, recognition by content, and messages about damaged files. */
#include "support/support.h"

#include "base/memory.h"
#include "base/page.h"
#include "io/formats/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 16, COLUMNS = 8 };

/* Everything that a reader sends. */
typedef struct taken {
    char name[COLUMNS][32];
    size_t columns, rows;
    double row[ROWS][COLUMNS];
    uint64_t chain[ROWS];
    bool warmup[ROWS];
    cs_page notes;
    const char *file[4];
    size_t files;
} taken;

static taken got;
static char folder[32];
static cs_error err;

static int begin(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/chainscope-formats-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    char command[64];
    cs_free(got.notes.text);
    got.notes = (cs_page){0};
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : 1;
}

static cs_status take_columns(void *self, const char *const *name, size_t n,
                              cs_error *e)
{
    (void)self, (void)e;
    assert_true(n <= COLUMNS && got.columns == 0);
    for (size_t i = 0; i < n; i++)
        snprintf(got.name[i], sizeof got.name[i], "%s", name[i]);
    got.columns = n;
    return CS_OK;
}

static cs_status take_row(void *self, uint64_t chain, bool warmup,
                          const double *row, cs_error *e)
{
    (void)self, (void)e;
    assert_true(got.rows < ROWS);
    memcpy(got.row[got.rows], row, got.columns * sizeof *row);
    got.chain[got.rows] = chain;
    got.warmup[got.rows++] = warmup;
    return CS_OK;
}

static void take_note(void *self, const char *text)
{
    (void)self;
    cs_page_put(&got.notes, "%s\n", text);
}

static void write_bytes(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void write_file(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

/* Reads a file; returns the name of its format, or NULL after an error or for
 * an unknown format. */
static const char *read_file(const char *name)
{
    const cs_draw_format *f;
    bool native;
    cs_draw_sink sink = {.columns = take_columns,
                         .row = take_row,
                         .note = take_note,
                         .file = got.file,
                         .n_files = got.files};
    got.columns = got.rows = got.notes.used = 0;
    if (got.notes.text)
        *got.notes.text = 0;
    err = (cs_error){0};
    if (cs_draw_format_find(name, &f, &native, &err) || !f)
        return NULL;
    return !f->read || f->read(name, &sink, &err) == CS_OK ? f->name : NULL;
}

static void reads(const char *text, const char *format)
{
    write_file("a.lua", text); /* the ending has no effect */
    const char *name = read_file("a.lua");
    if (!name)
        print_message("%s:%d: %s\n", err.where, err.line, err.what);
    assert_non_null(name);
    assert_string_equal(name, format);
}

static void has_note(const char *text)
{
    if (!got.notes.text || !strstr(got.notes.text, text)) {
        print_message("no '%s' in: %s\n", text,
                      got.notes.text ? got.notes.text : "");
        fail();
    }
}

static void has_row(size_t i, uint64_t chain, double a, double b)
{
    assert_true(i < got.rows);
    assert_int_equal(got.chain[i], chain);
    for (size_t k = 0; k < 2; k++) {
        double want = k ? b : a;
        assert_true(got.row[i][k] == want ||
                    (isnan(want) && isnan(got.row[i][k])));
    }
}

static void has_names(const char *a, const char *b)
{
    assert_string_equal(got.name[0], a);
    assert_string_equal(got.name[1], b);
}

/* ---- formats ---- */

static void test_csv(void **state)
{
    (void)state;
    reads("mu,tau\n0.1,-1e-300\n3.0000000000000004,2\n", "CSV");
    assert_int_equal(got.columns, 2);
    assert_int_equal(got.rows, 2);
    has_names("mu", "tau");
    has_row(0, 0, 0.1, -1e-300);
    has_row(1, 0, 3.0000000000000004, 2);
    assert_true(!got.notes.text || !*got.notes.text);
}

/* As a spreadsheet of a country with decimal commas writes it. */
static void test_spreadsheet(void **state)
{
    (void)state;
    reads("\xef\xbb\xbf\"b[1,2]\";\"c\"\r\n1,5;NA\r\n-2;\r\n3,25;4\r\n", "CSV");
    has_names("b.1.2", "c");
    has_row(0, 0, 1.5, NAN);
    has_row(1, 0, -2, NAN);
    has_row(2, 0, 3.25, 4);
    has_note("semicolons separate the fields, and numbers have a decimal "
             "comma");
    has_note("byte order mark");
    has_note("CR LF");
    has_note("2 values are missing in column c");
    has_note("b[1,2] is called b.1.2");
    /* the comma of the row does not separate fields: the header has none */
    reads("mu;b\n919;7,5\n1;2\n", "CSV");
    has_names("mu", "b");
    has_row(0, 0, 919, 7.5);
    has_row(1, 0, 1, 2);
    has_note("semicolons separate the fields");
}

/* As R's write.csv and write.table write data frames, with the names of rows,
 * and posterior's as_draws_df with the columns of chains and draws. */
static void test_r(void **state)
{
    (void)state;
    reads("\"\",\"mu\",\"up\",\".chain\",\".iteration\"\n"
          "\"1\",1,TRUE,1,1\n\"2\",2,FALSE,2,1\n\"3\",Inf,NA,1,2\n",
          "CSV");
    assert_int_equal(got.columns, 2);
    has_names("mu", "up");
    has_row(0, 1, 1, 1);
    has_row(1, 2, 2, 0);
    has_row(2, 1, HUGE_VAL, NAN);
    has_note("the names of the rows");
    has_note("true is 1");
    has_note("the column .iteration counts draws");
    reads("\"mu\" \"b\"\n\"1\" 0.5 -1\n\"2\" 1.5 -2\n", "CSV");
    has_names("mu", "b");
    has_row(1, 0, 1.5, -2);
    has_note("blanks separate the fields");
    reads("a\tb\n1\t2\n", "CSV");
    has_row(0, 0, 1, 2);
    has_note("tabs");
    reads("mu\n1\n2", "CSV");
    assert_int_equal(got.columns, 1);
    assert_int_equal(got.rows, 2);
    has_note("no line break");
}

/* As rstan's sample_file and CmdStan with save_warmup write it. */
static void test_stan(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "# save_warmup=1", "#     save_warmup = 1", "#     save_warmup = true"};
    for (size_t i = 0; i < 3; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "# stan_version_major=2\n%s\nmu,lp__\n9,9\n"
                 "# Adaptation terminated\n# Step size = 0.5\n"
                 "1,2\n3,4\n# \n#  Elapsed Time: 1 seconds (Warm-up)\n# \n",
                 settings[i]);
        reads(text, "CmdStan CSV");
        assert_int_equal(got.rows, 3);
        assert_true(got.warmup[0] && !got.warmup[1] && !got.warmup[2]);
        has_row(2, 0, 3, 4);
    }
    reads("# method = sample (Default)\n#     save_warmup = 1\n#     algorithm "
          "= fixed_param\nlp__,mu\n0,1\n0,2\n",
          "CmdStan CSV");
    assert_false(got.warmup[1]);
    reads("# method = sample\n#     save_warmup = false (Default)\nlp__,mu\n"
          "0,1\n",
          "CmdStan CSV");
    assert_false(got.warmup[0]);
}

static void test_coda(void **state)
{
    (void)state;
    write_file("CODAindex.txt", "mu 1 2\nb[1,2] 3 4\n");
    write_file("CODAchain1.txt",
               "1001  0.5\n1003  1.5\n1001  -1e-5\n1003  NA\n");
    const char *name = read_file("CODAchain1.txt");
    assert_non_null(name);
    assert_string_equal(name, "CODA");
    has_names("mu", "b.1.2");
    assert_int_equal(got.rows, 2);
    has_row(0, 0, 0.5, -1e-5);
    has_row(1, 0, 1.5, NAN);
    has_note("iterations 1001, 1003");
    /* with other names, the index is one of the files that the user gave */
    assert_int_equal(rename("CODAindex.txt", "i.csv"), 0);
    assert_null(read_file("CODAchain1.txt"));
    assert_non_null(strstr(err.what, "index is missing"));
    got.file[0] = "i.csv";
    got.files = 1;
    assert_non_null(read_file("CODAchain1.txt"));
    has_row(0, 0, 0.5, -1e-5);
    got.files = 0;
    assert_string_equal(read_file("i.csv"), "CODA index");
}

static void test_json(void **state)
{
    (void)state;
    reads("{\"chain\": 1, \"draw\": 1, \"mu\": 0.1, \"b\": [[1, 2], [3, 4]]}\n"
          "{\"chain\": 2, \"draw\": 1, \"b\": [[5, 6], [7, null]], \"mu\": "
          "\"-Infinity\"}\n\n"
          "{\"chain\": 2, \"warmup\": true, \"mu\": 1, \"b\": [[5, 6], [7, "
          "8]]}\n",
          "JSON lines");
    assert_int_equal(got.columns, 5);
    has_names("mu", "b.1.1");
    /* the first index varies fastest in the columns, as in files of Stan */
    assert_string_equal(got.name[2], "b.2.1");
    has_row(0, 1, 0.1, 1);
    assert_near(got.row[0][2], 3, 0, 0);
    assert_near(got.row[0][3], 2, 0, 0);
    has_row(1, 2, -HUGE_VAL, 5);
    assert_true(isnan(got.row[1][4]));
    assert_true(got.warmup[2]);
    has_note("1 value is null");
}

/* ---- recognition ---- */

static void is_unknown(const char *text)
{
    write_file("a.csv", text);
    if (read_file("a.csv"))
        fail_msg("recognised: %s", text);
    assert_string_equal(err.what, "");
}

static void test_unknown(void **state)
{
    (void)state;
    is_unknown("");
    is_unknown("return { target = 'banana' }\n-- a, b\n");
    is_unknown("local x, y = 1, 2\nreturn x, y\n");
    is_unknown("{\"version\": 2, \"width\": 80, \"height\": 24}\n[0.1, \"o\", "
               "\"x\"]\n");
    is_unknown("{\n\"a\": 1\n}\n");
    is_unknown("# only comments\n");
    is_unknown("a,b\nc,d\n");
    is_unknown("1,2\n3,4\n");
}

static void refused(const char *text, size_t n, const char *what)
{
    write_bytes("a.csv", text, n);
    assert_null(read_file("a.csv"));
    if (!strstr(err.what, what))
        fail_msg("'%s' is not in: %s", what, err.what);
}

static void test_known_but_not_read(void **state)
{
    (void)state;
    refused("\x1f\x8b\x08\0xxxx", 8, "compressed by gzip");
    refused("PK\x03\x04xxxx", 8, "zip archive");
    refused("\xff\xfem\0u\0", 6, "UTF-16");
    refused("# method = variational\nlp__,mu\n0,1\n", 35,
            "the method is variational");
    assert_int_equal(err.line, 1);
    /* rstan names the algorithm only */
    refused("# iter=9\n# algorithm=meanfield\nlp__,mu\n0,1\n", 43,
            "the method is meanfield");
    refused("# iter=9\n# algorithm=LBFGS\nlp__,mu\n0,1\n", 39,
            "the method is LBFGS");
    assert_int_equal(err.line, 2);
    assert_null(read_file("."));
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_null(read_file("pipe")); /* a pipe is not opened */
    assert_non_null(strstr(err.what, "cannot be read"));
}

/* ---- damage ---- */

static void damaged(const char *text, int line, const char *what)
{
    write_file("a.csv", text);
    if (read_file("a.csv"))
        fail_msg("read without an error: %s", text);
    if (!strstr(err.what, what) || err.line != line ||
        !strstr(err.where, "a.csv"))
        fail_msg("%s:%d: %s: expected line %d: %s", err.where, err.line,
                 err.what, line, what);
}

static void test_damaged_csv(void **state)
{
    (void)state;
    damaged("a,b\n1,2\n3\n4,5\n", 3, "1 fields, but the first row has 2");
    damaged("a,b\n1,2\n3,4,5\n", 3, "3 fields, but the first row has 2");
    damaged("a,b\n1,2\n3,4\n5", 4,
            "ends at byte 13 in the middle of a row: it has 1 of 2 fields");
    damaged("a,b\n1,2\n3,abc\n", 3, "field 2 (b) is 'abc'");
    damaged("chain,b\n1,2\n1.5,3\n", 3, "field 1 (chain) is '1.5'");
    damaged("a,b,a\n1,2,3\n", 0, "columns 1 and 3 have the same name, a");
    damaged("b[1],b.1\n1,2\n", 0, "have the same name, b.1");
    damaged("# model = m\nlp__,mu\n", 2, "no draws after the header");
    damaged("# model = m\n", 1, "no header");
    write_bytes("a.csv", "a,b\n1,2\n3,\0004\n", 13);
    assert_null(read_file("a.csv"));
    assert_int_equal(err.line, 3);
    assert_non_null(strstr(err.what, "byte 10 is zero"));
}

static void test_long_header(void **state)
{
    (void)state;
    enum { LONG = 300, MANY = 9000000 };
    char *text = malloc(MANY);
    assert_non_null(text);
    memset(text, 'a', LONG);
    strcpy(text + LONG, ",b\n1,2\n");
    damaged(text, 0, "has more than 200 bytes");
    for (size_t i = 0; i < MANY; i += 2)
        memcpy(text + i, "a,", 2);
    /* such a header is not recognised, since its end is not in the first 4
     * MiB */
    write_bytes("a.csv", text, MANY);
    assert_null(read_file("a.csv"));
    free(text);
}

static void test_damaged_coda(void **state)
{
    (void)state;
    write_file("aindex.txt", "mu 1 2\nb 3 4\n");
    damaged("1 1\n2 2\n1 3\n3 4\n", 4, "iteration 3 of b is out of order");
    damaged("1 1\n2 2\n1 3\n2 x\n", 4, "not a line ITERATION VALUE");
    damaged("1 1.111111111\n2 2.222222222\n1 3\n", 3,
            "the file ends at byte 32: draw 2 of b is missing");
    damaged("1 1\n2 2\n", 0, "too few for the 2 quantities");
    write_file("aindex.txt", "mu 1 2\nb 3 5\n");
    write_file("a.csv", "1 1\n2 2\n1 3\n2 4\n");
    assert_null(read_file("a.csv"));
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.where, "aindex.txt"));
}

static void test_damaged_json(void **state)
{
    (void)state;
    damaged("{\"a\": 1}\n{\"b\": 1}\n", 2, "b is not a key of the first line");
    damaged("{\"a\": 1, \"b\": 2}\n{\"b\": 1}\n", 2, "a is missing");
    damaged("{\"a\": [1, 2]}\n{\"a\": [1]}\n", 2, "another shape");
    damaged("{\"a\": [[1, 2], [3]]}\n", 1, "unequal length");
    damaged("{\"a\": [1, [2, 3]]}\n", 1, "mixes numbers and lists");
    damaged("{\"a\": [1, [2]], \"b\": 1}\n", 1, "mixes numbers and lists");
    damaged("{\"a\": [[[1]], [2, [3]]]}\n", 1, "mixes numbers and lists");
    damaged("{\"a\": 1}\n{\"a\": \"x\"}\n", 2, "not a number");
    damaged("{\"a\": 1, \"a\": 1}\n", 1, "occurs twice");
    damaged("{\"a\": 1}\n{\"a\": nan}\n", 2, "");
    damaged("{\"a\": 1}\n{\"a\": 1\n", 2, "");
    damaged("{\"a\": 1}\n[1]\n", 2, "not an object");
    damaged("{\"chain\": 1}\n", 1, "no quantities");
}

/* netCDF and HDF5 are binary; the message is the library's. */
static void test_damaged_netcdf(void **state)
{
    (void)state;
    static const char bytes[] = "\x89HDF\r\n\x1a\n0123456789012345678901234567";
    write_bytes("a.csv", bytes, sizeof bytes);
    assert_null(read_file("a.csv"));
    assert_non_null(strstr(err.what, "netCDF"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_csv, begin, end),
    cmocka_unit_test_setup_teardown(test_spreadsheet, begin, end),
    cmocka_unit_test_setup_teardown(test_r, begin, end),
    cmocka_unit_test_setup_teardown(test_stan, begin, end),
    cmocka_unit_test_setup_teardown(test_coda, begin, end),
    cmocka_unit_test_setup_teardown(test_json, begin, end),
    cmocka_unit_test_setup_teardown(test_unknown, begin, end),
    cmocka_unit_test_setup_teardown(test_known_but_not_read, begin, end),
    cmocka_unit_test_setup_teardown(test_damaged_csv, begin, end),
    cmocka_unit_test_setup_teardown(test_long_header, begin, end),
    cmocka_unit_test_setup_teardown(test_damaged_coda, begin, end),
    cmocka_unit_test_setup_teardown(test_damaged_json, begin, end),
    cmocka_unit_test_setup_teardown(test_damaged_netcdf, begin, end),
};
TESTS(test_draw_formats)
