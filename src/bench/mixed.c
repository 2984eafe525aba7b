/* W3d: six models with discrete and real parameters, compared with JAGS on the
 * same data. Each program runs one chain, in a child process, and writes its
 * draws to files. The case measures effective draws per second of CPU time, for
 * the quantity with the fewest effective draws, in two runs: one with n draws
 * and one with 3 n. The effective draws of the second run and the difference of
 * the times give the rate, so the start and the warm-up do not count. Effective
 * draws are computed by cs_ess_bulk for both programs. In round k both programs
 * use seed k, one after the other; the median of the ratios is reported, and the
 * median over the models. */
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/child.h"
#include "bench/mixed_models.h"
#include "bench/others.h"
#include "files/open.h"
#include "stat/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 16384, NAME = 64, COLUMNS = 512 };

/* ---- scripts ------------------------------------------------------------- */

/* Both scripts print the CPU seconds of the longer run minus those of the
 * shorter run, and write the draws of the longer run to OUT, as lines of a CSV
 * file. The function `spent` prints the CPU seconds of the children. */
static const char head[] =
    "d=$(mktemp -d) || exit 1\n"
    "trap 'rm -rf \"$d\"' EXIT\n"
    "cd \"$d\" || exit 1\n"
    "spent() {\n"
    "  times > spent\n"
    "  awk -F '[ms ]+' 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4 }' spent\n"
    "}\n";

static const char tail[] =
    "a=$(go %zu) && b=$(go %zu) || exit 1\n"
    "%s > '%s' || exit 1\n"
    "awk -v a=\"$a\" -v b=\"$b\" 'BEGIN { print \"seconds\", b - a }'\n";

static const char our_script[] =
    "cat > m.lua <<'END_OF_MODEL'\n"
    "local cs = require 'chainscope'\n"
    "local M, lpdf = cs.math, cs.lpdf\n"
    "local function labels(y)\n"
    "  local z = {}\n"
    "  for i = 1, #y do z[i] = y[i] < 13 and 1 or y[i] > 30 and 3 or 2 end\n"
    "  return z\n"
    "end\n"
    "local target, kernel, start = (function()\n%s end)()\n"
    "return cs.scenario { title = 'race', target = target, chains = 1,\n"
    "  seed = %zu, start = start, arms = { arm = kernel },\n"
    "  budget = { steps = 2000 } }\n"
    "END_OF_MODEL\n"
    "go() {\n"
    "  '%s' run m.lua --out out$1 --steps $(($1 + 1000)) --warmup 1000"
    " --workers 1 > log 2>&1 || exit 1\n"
    "  spent\n"
    "}\n";

static const char jags_script[] =
    "command -v jags > /dev/null || exit 1\n"
    "cat > m.bug <<'END_OF_MODEL'\n%sEND_OF_MODEL\n"
    "cat > d.R <<'END_OF_DATA'\n%sEND_OF_DATA\n"
    "cat > i.R <<'END_OF_START'\n"
    "\".RNG.name\" <- \"base::Mersenne-Twister\"\n"
    "\".RNG.seed\" <- %zu\n%sEND_OF_START\n"
    "go() {\n"
    "  { printf '%%s\\n' 'load glm' 'model in m.bug' 'data in d.R' compile \\\n"
    "      'parameters in i.R' initialize 'adapt 1000' 'update 1000'\n"
    "    printf 'monitor %%s\\n' %s\n"
    "    printf '%%s\\n' \"update $1\" 'coda *'; } > commands\n"
    "  jags commands > log 2>&1 || exit 1\n"
    "  spent\n"
    "}\n";

/* Makes a row per draw from the column of all values that JAGS writes. */
static const char jags_rows[] =
    "awk 'NR == FNR { gsub(/[[]/, \".\", $1); gsub(/[]]/, \"\", $1)\n"
    "    h = h (NR > 1 ? \",\" : \"\") $1; n = $3 - $2 + 1; k = NR; next }\n"
    "  FNR == 1 { print h }\n"
    "  { v[FNR] = $2 }\n"
    "  END { for (i = 1; i <= n; i++) { line = v[i]\n"
    "    for (j = 1; j < k; j++) line = line \",\" v[j * n + i]\n"
    "    print line } }' CODAindex.txt CODAchain1.txt";

static void write_ours(const cs_bench_mixed *m, const char *program,
                       size_t seed, const char *out, char *text)
{
    char rows[NAME];
    size_t n = m->draws;
    snprintf(rows, sizeof rows, "grep -v '^#' out%zu/arm_1.csv", 3 * n);
    int used = snprintf(text, TEXT, "%s", head);
    used += snprintf(text + used, TEXT - (size_t)used, our_script, m->lua, seed,
                     program);
    snprintf(text + used, TEXT - (size_t)used, tail, n, 3 * n, rows, out);
}

static void write_theirs(const cs_bench_mixed *m, size_t seed, const char *out,
                         char *text)
{
    size_t n = m->jags_draws;
    int used = snprintf(text, TEXT, "%s", head);
    used += snprintf(text + used, TEXT - (size_t)used, jags_script, m->jags,
                     m->data, seed, m->start, m->monitors);
    snprintf(text + used, TEXT - (size_t)used, tail, n, 3 * n, jags_rows, out);
}

/* ---- draws --------------------------------------------------------------- */

/* Returns true if a column belongs to one of the quantities: it is named like
 * the quantity, or like the quantity with an index. */
static bool counts(const char *column, const char *quantities)
{
    for (const char *q = quantities; *q; q += strspn(q, " ")) {
        size_t n = strcspn(q, " ");
        if (strncmp(column, q, n) == 0 && (!column[n] || column[n] == '.'))
            return true;
        q += n;
    }
    return false;
}

/* Finds the columns of the quantities in the first line of the file. */
static size_t find_columns(char *line, const char *quantities, bool *wanted)
{
    size_t n = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *at = strtok(line, ","); at && n < COLUMNS;
         at = strtok(NULL, ","))
        wanted[n++] = counts(at, quantities);
    return n;
}

/* Reads the wanted columns of the lines: draws[columns][n]. Returns the number
 * of columns. */
static size_t read_columns(FILE *f, char *line, const bool *wanted, size_t all,
                           size_t n, double *draws)
{
    size_t columns = 0;
    for (size_t row = 0; row < n && fgets(line, TEXT, f); row++) {
        char *at = line;
        columns = 0;
        for (size_t i = 0; i < all; i++) {
            double value = strtod(at, &at);
            at += *at == ',';
            if (wanted[i])
                draws[columns++ * n + row] = value;
        }
    }
    return columns;
}

/* Returns the smallest number of effective draws of the quantities in a file
 * with n draws; NAN if the file cannot be read. */
static double effective(const char *file, const char *quantities, size_t n)
{
    static char line[TEXT];
    bool wanted[COLUMNS] = {false};
    double *draws = cs_alloc(COLUMNS * n, sizeof *draws), least = HUGE_VAL;
    FILE *f = cs_open_stream(file);
    if (f && draws && fgets(line, TEXT, f)) {
        size_t all = find_columns(line, quantities, wanted);
        size_t columns = read_columns(f, line, wanted, all, n, draws);
        for (size_t i = 0; i < columns; i++)
            least =
                fmin(least, cs_ess_bulk((cs_draws){draws + i * n, n, 1}, NULL));
    }
    if (f)
        fclose(f);
    cs_free(draws);
    return isfinite(least) ? least : (double)NAN;
}

/* ---- rows ---------------------------------------------------------------- */

/* Runs a script, and returns the effective draws per second between its two
 * runs; NAN if the script failed. */
static double rate_of(const char *name, const char *script, const char *file,
                      const char *quantities, size_t n)
{
    static const char *const shell[] = {"sh", NULL};
    const cs_bench_other other = {name, script, shell};
    cs_bench_reported reported;
    if (!cs_bench_consult(&other, &reported))
        return (double)NAN;
    return effective(file, quantities, 3 * n) * 2 / 3 / reported.seconds;
}

/* Prints the row of a model. Sets *ratio_of_model to the ratio; NAN if JAGS is
 * not installed. */
static cs_status run_model(const cs_bench_mixed *m, const char *program,
                           const cs_bench_plan *plan, double *ratio_of_model,
                           cs_error *err)
{
    double ours[CS_BENCH_ROUNDS], theirs[CS_BENCH_ROUNDS],
        ratio[CS_BENCH_ROUNDS];
    static char text[TEXT];
    char out[] = "/tmp/chainscope-bench-XXXXXX.csv", title[NAME];
    if (!cs_bench_file("", out))
        return cs_fail(err, CS_IO, "cannot write %s", out);
    for (size_t k = 0; k < plan->rounds; k++) {
        write_ours(m, program, k + 1, out, text);
        ours[k] = rate_of("chainscope", text, out, m->quantities, m->draws);
        write_theirs(m, k + 1, out, text);
        theirs[k] = rate_of("JAGS", text, out, m->quantities, m->jags_draws);
        ratio[k] = ours[k] / theirs[k];
    }
    unlink(out);
    if (isnan(ours[0]))
        return cs_fail(err, CS_INPUT, "%s: the run of the model failed", m->id);
    bool both = !isnan(theirs[0]);
    snprintf(title, sizeof title, "%s, beside JAGS%s", m->title,
             both ? "" : ", which is not installed");
    cs_bench_row row = cs_bench_row_of(m->id, title, "effective draws/s");
    row.ours = cs_bench_median(ours, plan->rounds);
    if (both) {
        row.peer = cs_bench_median(theirs, plan->rounds);
        row.ratio = cs_bench_median(ratio, plan->rounds);
        row.must = 1;
    }
    cs_bench_print(&row, plan);
    *ratio_of_model = row.ratio;
    return CS_OK;
}

static void print_median(double *ratio, size_t n, const cs_bench_plan *plan)
{
    cs_bench_row row =
        cs_bench_row_of("W3d", "median of the six ratios to JAGS", "");
    row.ratio = cs_bench_median(ratio, n);
    row.must = 5;
    cs_bench_print(&row, plan);
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    char program[1024];
    double ratio[CS_BENCH_MIXED];
    size_t n = 0;
    cs_status status = cs_bench_program(program, sizeof program, err);
    for (size_t i = 0; !status && i < CS_BENCH_MIXED; i++) {
        const cs_bench_mixed *m = &cs_bench_mixed_models[i];
        if (!cs_bench_wants(plan, m->id))
            continue;
        status = run_model(m, program, plan, &ratio[n], err);
        n += !status && !isnan(ratio[n]);
    }
    if (!status && n == CS_BENCH_MIXED)
        print_median(ratio, n, plan);
    return status;
}

const cs_bench_case cs_bench_case_mixed = {
    .run = run_cases,
    .minutes = "W3",
};
