#include "targets/real/row_table.h"

#include "base/memory.h"
#include "data/table.h"
#include "simd/simd.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static cs_status no_memory(const char *who, cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for target %s", who);
}

static cs_status make_room(cs_row_table *t, const char *who, size_t rows,
                           size_t cols, cs_error *err)
{
    *t = (cs_row_table){.rows = rows, .cols = cols};
    if (rows <= SIZE_MAX / 8 / cols)
        t->data = cs_alloc(rows * cols, sizeof *t->data);
    if (!t->data)
        return no_memory(who, err);
    cs_memory_large(t->data, rows * cols * sizeof *t->data);
    return CS_OK;
}

static cs_status copy_array(cs_row_table *t, const char *who, const cs_value *v,
                            cs_error *err)
{
    for (size_t i = 0; i < v->rows * v->cols; i++)
        if (!isfinite(v->array[i])) {
            cs_fail(err, CS_INPUT, "%s: %s has %g in row %zu", who, v->name,
                    v->array[i], i / v->cols + 1);
            cs_hint(err, "leave out rows with missing numbers");
            return CS_INPUT;
        }
    cs_status s = make_room(t, who, v->rows, v->cols, err);
    if (!s)
        memcpy(t->data, v->array, v->rows * v->cols * sizeof *t->data);
    return s;
}

/* Reads the numbers of a file into the table. */
static cs_status take_file(cs_row_table *t, const char *path, cs_error *err)
{
    cs_table table;
    cs_status s = cs_table_read(path, &table, err);
    if (s)
        return s;
    *t = (cs_row_table){
        .rows = table.rows, .cols = table.cols, .data = table.data};
    table.data = NULL;
    cs_table_free(&table);
    return CS_OK;
}

cs_status cs_row_table_take(cs_row_table *t, const char *who,
                            const cs_value *file, const cs_value *array,
                            cs_error *err)
{
    cs_status s = CS_OK;
    if (file->given && array->given) {
        s = cs_fail(err, CS_INPUT, "%s: both %s and %s are given", who,
                    file->name, array->name);
        cs_hint(err, "leave one of them out");
    } else if (file->given) {
        s = take_file(t, file->text, err);
    } else if (array->given) {
        s = copy_array(t, who, array, err);
    }
    if (s || !(file->given || array->given) || (t->rows && t->cols))
        return s;
    cs_fail(err, CS_INPUT, "%s: a table without numbers", who);
    cs_hint(err, "give at least one row");
    return CS_INPUT;
}

/* Generates the rows in groups of eight: row i uses step i / 8 of stream i %
 * 8. */
cs_status cs_row_table_random(cs_row_table *t, const char *who, size_t rows,
                              size_t cols, uint64_t seed, cs_error *err)
{
    assert(rows && cols);
    static const uint64_t lane[CS_PAD] = {0, 1, 2, 3, 4, 5, 6, 7};
    double *normal = cs_alloc(cols, CS_PAD * sizeof *normal);
    cs_status s =
        normal ? make_room(t, who, rows, cols, err) : no_memory(who, err);
    for (size_t i = 0; !s && i < rows; i += CS_PAD) {
        cs_streams from = cs_streams_of(seed, i / CS_PAD, lane, CS_PAD, CS_PAD);
        cs_fill_normal(&from, CS_FOR_DATA, cols, normal);
        for (size_t r = 0; r < CS_PAD && i + r < rows; r++)
            for (size_t j = 0; j < cols; j++)
                t->data[(i + r) * cols + j] = normal[j * CS_PAD + r];
    }
    cs_free(normal);
    return s;
}

cs_status cs_row_table_close(cs_row_table *t, const char *who, cs_error *err)
{
    assert(t->rows && t->cols);
    t->split = (t->rows - 1) / CS_ROW_TILE * CS_ROW_TILE;
    if (t->split && (t->rows - t->split) * t->cols < CS_PAD)
        t->split -= CS_ROW_TILE; /* otherwise a vector could extend beyond
                                    `data` */
    t->tail = cs_alloc(2 * CS_ROW_TILE * t->cols + CS_PAD, sizeof *t->tail);
    if (!t->tail)
        return no_memory(who, err);
    memcpy(t->tail, t->data + t->split * t->cols,
           (t->rows - t->split) * t->cols * sizeof *t->tail);
    return CS_OK;
}

void cs_row_table_free(cs_row_table *t)
{
    cs_free(t->data);
    cs_free(t->tail);
    t->data = t->tail = NULL;
}
