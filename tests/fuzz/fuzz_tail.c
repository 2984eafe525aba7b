/* Fuzzes the reader of a growing draws file. If the file is read piece by
 * piece, the result must equal that of reading it at once. Then the file is
 * truncated, and the reader must detect this. */
#include "fuzz.h"
#include "io/tail.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cs_tail *open_tail(const char *path)
{
    cs_tail *t;
    cs_error err = {0};
    if (cs_tail_open(&t, path, &err) != CS_OK)
        fuzz_broken(err.what);
    return t;
}

static void check_same(cs_tail *a, cs_tail *b)
{
    cs_tail_view x = cs_tail_now(a), y = cs_tail_now(b);
    if (x.columns != y.columns || x.rows != y.rows || x.ended != y.ended ||
        x.id != y.id || x.seed != y.seed || strcmp(x.arm, y.arm) != 0 ||
        strcmp(x.model, y.model) != 0 || !x.wrong != !y.wrong ||
        (x.wrong && strcmp(x.wrong, y.wrong) != 0))
        fuzz_broken("reading in pieces differs from reading at once");
    double *row = calloc(x.columns + 1, sizeof *row),
           *other = calloc(x.columns + 1, sizeof *other);
    if (!row || !other)
        fuzz_broken("out of memory");
    for (uint64_t i = 0; i < x.rows; i++) {
        uint64_t back = x.rows - 1 - i; /* also in reverse order */
        bool good = cs_tail_row(a, i, row);
        if (good != cs_tail_row(b, i, other) ||
            (good && memcmp(row, other, x.columns * sizeof *row) != 0))
            fuzz_broken("a row differs");
        cs_tail_row(b, back, other);
        if (cs_tail_row(a, back, row) &&
            memcmp(row, other, x.columns * sizeof *row) != 0)
            fuzz_broken("a row differs in reverse order");
    }
    if (cs_tail_row(a, x.rows, row))
        fuzz_broken("a row after the last one was read");
    free(row);
    free(other);
}

static void one_input(const uint8_t *data, size_t size)
{
    size_t piece = size ? 1 + (data[0] * 7u + data[size / 2]) % 97 : 1;
    const char *path = fuzz_file("", 0);
    cs_tail *growing = open_tail(path);
    FILE *f = fopen(path, "ab");
    if (!f)
        fuzz_broken("cannot write the file");
    for (size_t at = 0; at < size; at += piece) {
        size_t n = size - at < piece ? size - at : piece;
        if (fwrite(data + at, 1, n, f) != n || fflush(f) != 0)
            fuzz_broken("cannot write the file");
        cs_tail_news news = cs_tail_look(growing);
        if (news != CS_TAIL_SAME && news != CS_TAIL_GREW)
            fuzz_broken("a growing file was reported as truncated");
        if (at > 64 * piece)
            piece *= 2;
    }
    fclose(f);
    cs_tail *whole = open_tail(path);
    cs_tail_look(whole);
    check_same(growing, whole);
    cs_tail_news last = cs_tail_look(growing);
    if (last != CS_TAIL_SAME)
        fuzz_broken("a change was reported for an unchanged file");
    cs_tail_view v = cs_tail_now(growing);
    if (truncate(path, (off_t)(size / 2)) != 0)
        fuzz_broken("cannot truncate the file");
    last = cs_tail_look(growing);
    double *row = calloc(v.columns + 1, sizeof *row);
    for (uint64_t i = 0; row && i < v.rows; i += 5)
        cs_tail_row(growing, i, row); /* the truncated file may lack this row */
    if (v.rows && last != CS_TAIL_CUT && size / 2 + 64 < size &&
        memchr(data + size / 2, '\n', size - size / 2) && !v.wrong)
        fuzz_broken("the truncated file was not detected");
    free(row);
    cs_tail_close(growing);
    cs_tail_close(whole);
}

const fuzz_reader reader_tail = {.read = one_input};
