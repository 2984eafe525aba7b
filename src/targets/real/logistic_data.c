#include "targets/real/logistic_data.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME "logistic_regression"

/* Computes mean and standard deviation of column j; returns false if the column
 * is constant or not finite. */
static bool moments(const cs_row_table *t, size_t j, double *mean, double *sd)
{
    double sum = 0, square = 0, n = (double)t->rows;
    for (size_t i = 0; i < t->rows; i++)
        sum += t->data[i * t->cols + j];
    *mean = sum / n;
    for (size_t i = 0; i < t->rows; i++) {
        double r = t->data[i * t->cols + j] - *mean;
        square += r * r;
    }
    *sd = sqrt(square / n);
    return *sd > 0 && isfinite(*sd);
}

/* Scales column j of the table and of the held-out rows. */
static cs_status standardise(cs_row_table *t, cs_row_table *test, size_t j,
                             cs_error *err)
{
    double mean, sd;
    if (!moments(t, j, &mean, &sd)) {
        cs_fail(err, CS_INPUT, NAME ": column %zu is constant", j + 1);
        cs_hint(
            err,
            "leave it out (`intercept` adds one), or set standardise = false");
        return CS_INPUT;
    }
    for (size_t i = 0; i < t->rows; i++)
        t->data[i * t->cols + j] = (t->data[i * t->cols + j] - mean) / sd;
    for (size_t i = 0; i < test->rows; i++)
        test->data[i * test->cols + j] =
            (test->data[i * test->cols + j] - mean) / sd;
    return CS_OK;
}

static cs_status check(const cs_row_table *t, cs_error *err)
{
    for (size_t i = 0; i < t->rows; i++) {
        double y = t->data[(i + 1) * t->cols - 1];
        if (y == 0 || y == 1)
            continue;
        cs_fail(err, CS_INPUT, NAME ": the response of row %zu is %g", i + 1,
                y);
        cs_hint(err, "the last column must be 0 or 1");
        return CS_INPUT;
    }
    return CS_OK;
}

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for target " NAME);
}

static const char challenger[] =
    "temperature,distress\n"
    "66,0\n70,1\n69,0\n68,0\n67,0\n72,0\n73,0\n70,0\n57,1\n63,1\n70,1\n78,0\n"
    "67,0\n53,1\n67,0\n75,0\n70,0\n81,0\n76,0\n79,0\n75,1\n76,0\n58,1\n";

/* Reads the rows and the names of the columns from a file. */
static cs_status take_file(cs_logistic_data *m, const char *path, cs_error *err)
{
    cs_table table;
    cs_status s = strcmp(path, "challenger") == 0
                      ? cs_table_parse(challenger, sizeof challenger - 1, path,
                                       &table, err)
                      : cs_table_read(path, &table, err);
    if (s)
        return s;
    m->t = (cs_row_table){
        .rows = table.rows, .cols = table.cols, .data = table.data};
    m->names = table.names;
    table.data = NULL;
    table.names = NULL;
    cs_table_free(&table);
    return CS_OK;
}

static cs_status take_array(cs_logistic_data *m, const cs_value *file,
                            const cs_value *table, cs_error *err)
{
    cs_status s = cs_row_table_take(&m->t, NAME, file, table, err);
    if (s)
        return s;
    m->names = cs_alloc(m->t.cols, sizeof *m->names);
    if (!m->names)
        return no_memory(err);
    for (size_t j = 0; j < m->t.cols; j++)
        snprintf(m->names[j], CS_TABLE_NAME, "x%zu", j + 1);
    return CS_OK;
}

static cs_status take_rows(cs_logistic_data *m, const cs_value *file,
                           const cs_value *table, cs_error *err)
{
    const char *path = file->given ? file->text : "challenger";
    cs_status s = table->given ? take_array(m, file, table, err)
                               : take_file(m, path, err);
    if (s || m->t.cols >= 2)
        return s;
    s = cs_fail(err, CS_INPUT, NAME ": the table has only one column");
    if (!table->given)
        cs_where(err, path, 0);
    cs_hint(err, "give the predictors first, then the response (0 or 1)");
    return s;
}

/* Reads the held-out rows, if they are given. */
static cs_status take_test(cs_logistic_data *m, const cs_value *held_out,
                           cs_error *err)
{
    const cs_value no_file = {.name = "file"};
    if (!held_out->given)
        return CS_OK;
    cs_status s = cs_row_table_take(&m->test, NAME, &no_file, held_out, err);
    if (!s && m->test.cols != m->t.cols) {
        s = cs_fail(err, CS_INPUT,
                    NAME ": held_out has %zu columns, but the table has %zu",
                    m->test.cols, m->t.cols);
        cs_hint(err, "give the predictors first, then the response (0 or 1)");
    }
    if (!s)
        s = check(&m->test, err);
    if (!s && !(m->test_y = cs_alloc(m->test.rows, sizeof *m->test_y)))
        s = no_memory(err);
    for (size_t i = 0; !s && i < m->test.rows; i++)
        m->test_y[i] = m->test.data[(i + 1) * m->test.cols - 1];
    return s;
}

cs_status cs_logistic_data_take(cs_logistic_data *m, const cs_value *file,
                                const cs_value *table, const cs_value *held_out,
                                bool standard, cs_error *err)
{
    *m = (cs_logistic_data){0};
    cs_status s = take_rows(m, file, table, err);
    if (!s)
        s = check(&m->t, err);
    if (!s)
        s = take_test(m, held_out, err);
    for (size_t j = 0; !s && standard && j + 1 < m->t.cols; j++)
        s = standardise(&m->t, &m->test, j, err);
    return s;
}

void cs_logistic_data_free(cs_logistic_data *m)
{
    cs_row_table_free(&m->t);
    cs_row_table_free(&m->test);
    cs_free(m->names);
    cs_free(m->test_y);
    *m = (cs_logistic_data){0};
}
