/* Fuzzes the repair of draws files whose writer was killed. A repair removes
 * only an incomplete last row. A repair changes a file only if this program
 * wrote the file. Then the files are read. */
#include "fuzz.h"
#include "io/cmdstan.h"
#include "io/data_lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t read_back(const char *path, uint8_t *to, size_t capacity)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fuzz_broken("cannot open the file");
    size_t n = fread(to, 1, capacity, f);
    fclose(f);
    return n;
}

static void take(void *self, uint64_t i, const double *row)
{
    uint64_t *taken = self;
    if (i != (*taken)++)
        fuzz_broken("a row is missing");
    (void)row;
}

static void read_rows(const char *path, size_t size, uint64_t rows)
{
    const cs_cmdstan_mark upto = {.bytes = size, .rows = rows};
    uint64_t taken = 0;
    cs_error err = {0};
    cs_status s = cs_cmdstan_read(path, &upto, 2, take, &taken, &err);
    if (s == CS_OK ? taken != rows : taken >= rows || !err.what[0])
        fuzz_broken("fewer rows than requested, without a message");
}

/* Reads the lines about observed data. */
static void read_data(const char *lines)
{
    cs_data_lines d;
    cs_error err = {0};
    cs_status s = cs_data_lines_read(lines, &d, &err);
    for (size_t i = 0; s == CS_OK && i < d.n; i++)
        if (!d.line[i].n == !d.line[i].variable[0])
            fuzz_broken("a line has neither data nor a variable");
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    cs_data_lines_free(&d);
}

/* Reads all rows, with the columns given by the header. */
static void read_all(const char *path)
{
    uint64_t taken = 0;
    cs_cmdstan_head h;
    cs_error err = {0};
    cs_status s = cs_cmdstan_head_read(path, &h, &err);
    if (s == CS_OK)
        s = cs_cmdstan_read(path, NULL, h.columns, take, &taken, &err);
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    if (h.data_lines)
        read_data(h.data_lines);
    cs_cmdstan_head_free(&h);
}

static void one_input(const uint8_t *data, size_t size)
{
    static const char name[] = "draws.csv", ours[] = "# stan_version_major";
    uint8_t *left = malloc(size + 1);
    if (!left || rename(fuzz_file(data, size), name) != 0)
        fuzz_broken("cannot create the file to repair");
    cs_cmdstan_repair(".");
    size_t n = read_back(name, left, size + 1), whole = size;
    while (whole && data[whole - 1] != '\n')
        whole--;
    bool mine = size >= sizeof ours - 1 && whole &&
                memcmp(data, ours, sizeof ours - 1) == 0;
    if (n != (mine ? whole : size) || memcmp(left, data, n) != 0)
        fuzz_broken("the file was not cut at the end of a row");
    if (access("lock", F_OK) == 0)
        fuzz_broken("the lock file still exists");
    for (uint64_t rows = 1; rows < 4; rows++)
        read_rows(name, n, rows);
    read_all(name);
    free(left);
}

const fuzz_reader reader_draws = {.read = one_input};
