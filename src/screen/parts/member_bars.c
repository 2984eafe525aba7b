/* Draws the acceptance, work and time of the members of an arm's kernel. */
#include "screen/parts/member_bars.h"

#include "base/count.h"
#include "kernel/composed.h"

#include <math.h>
#include <stdio.h>

/* Widths of the columns. */
enum { MEMBER = 11, KERNEL = 17, NUMBER = 9, WORK = 26 };

typedef struct table {
    const cs_shot *s;
    const double *row; /* [n][CS_MEMBER_COLUMNS] */
    size_t n, arm;
    bool kernels, moved, time, work; /* the columns that fit */
} table;

static table find(const cs_shot *s, size_t arm)
{
    size_t columns;
    table t = {.s = s, .arm = arm};
    t.row = cs_shot_array(s, &t.n, &columns, "arm/%zu/kernel/members", arm);
    if (!t.row || columns != CS_MEMBER_COLUMNS)
        t = (table){.n = 0};
    return t;
}

size_t cs_members_count(const cs_shot *s, size_t arm)
{
    return find(s, arm).n;
}

static void choose_columns(table *t, int w)
{
    int used = MEMBER + 2 * NUMBER;
    t->time = used + NUMBER <= w;
    used += t->time ? NUMBER : 0;
    t->kernels = used + KERNEL <= w;
    used += t->kernels ? KERNEL : 0;
    t->moved = used + NUMBER <= w;
    used += t->moved ? NUMBER : 0;
    t->work = used + WORK <= w;
}

static void draw_head(const cs_area *a, const table *t)
{
    int x = cs_print(a, 0, 0, CS_ROLE_LABEL, "%-*s", MEMBER, "member");
    if (t->kernels)
        x = cs_print(a, x, 0, CS_ROLE_LABEL, "%-*s", KERNEL, "kernel");
    x = cs_print(a, x, 0, CS_ROLE_LABEL, "%*s%*s", NUMBER, "accepted", NUMBER,
                 "best");
    if (t->moved)
        x = cs_print(a, x, 0, CS_ROLE_LABEL, "%*s", NUMBER, "moved");
    if (t->time)
        x = cs_print(a, x, 0, CS_ROLE_LABEL, "%*s", NUMBER, "time");
    if (t->work)
        cs_print(a, x, 0, CS_ROLE_LABEL, "  work per step");
}

static void draw_work(const cs_area *a, int x, int y, const double *row)
{
    size_t most = 0;
    for (size_t k = 1; k < CS_MEMBER_WORKS; k++)
        if (row[CS_MEMBER_OF_LOG_DENSITIES + k] >
            row[CS_MEMBER_OF_LOG_DENSITIES + most])
            most = k;
    double n = row[CS_MEMBER_OF_LOG_DENSITIES + most];
    cs_print_cut(a, x, y, a->w - x, CS_ROLE_NORMAL, "  %.3g %s", n,
                 cs_member_work[most][n != 1]);
}

static int print_share(const cs_area *a, int x, int y, double share)
{
    return isnan(share)
               ? cs_print(a, x, y, CS_ROLE_LABEL, "%*s", NUMBER, "-")
               : cs_print(a, x, y, CS_ROLE_NORMAL, "%*.2f", NUMBER, share);
}

static void draw_row(const cs_area *a, int y, const table *t, size_t i)
{
    const double *row = t->row + i * CS_MEMBER_COLUMNS;
    double aim =
        cs_shot_number(t->s, NAN, "arm/%zu/kernel/member/%zu/aim", t->arm, i);
    int x = cs_print(
        a, 0, y, CS_ROLE_VALUE, "%-*.*s", MEMBER, MEMBER - 1,
        cs_shot_text(t->s, "arm/%zu/kernel/member/%zu/name", t->arm, i));
    if (t->kernels)
        x = cs_print(
            a, x, y, CS_ROLE_NORMAL, "%-*.*s", KERNEL, KERNEL - 1,
            cs_shot_text(t->s, "arm/%zu/kernel/member/%zu/kernel", t->arm, i));
    x = print_share(a, x, y, row[CS_MEMBER_OF_ACCEPTANCE]);
    x = print_share(a, x, y, aim);
    if (t->moved)
        x = print_share(a, x, y, row[CS_MEMBER_OF_MOVED]);
    double time = row[CS_MEMBER_OF_TIME];
    if (t->time && isnan(time))
        x = cs_print(a, x, y, CS_ROLE_LABEL, "%*s", NUMBER, "-");
    else if (t->time)
        x = cs_print(a, x, y, CS_ROLE_NORMAL, "%*.0f%%", NUMBER - 1,
                     100 * time);
    if (t->work)
        draw_work(a, x, y, row);
}

/* Draws the bar of a member from 0 to 1. */
static void draw_bar(const cs_area *a, int y, const table *t, size_t i)
{
    double rate = t->row[i * CS_MEMBER_COLUMNS + CS_MEMBER_OF_ACCEPTANCE];
    double aim =
        cs_shot_number(t->s, NAN, "arm/%zu/kernel/member/%zu/aim", t->arm, i);
    int w = a->w - 4;
    if (w < 10 || isnan(rate))
        return;
    cs_put(a, 0, y, CS_ROLE_LABEL, '0');
    cs_put(a, a->w - 1, y, CS_ROLE_LABEL, '1');
    int n = (int)(fmin(rate, 1) * w + 0.5);
    for (int x = 0; x < w; x++)
        cs_put(a, 2 + x, y, x < n ? CS_ROLE_ACCEPT : CS_ROLE_FAINT,
               x < n ? 0x2588 : 0xB7);
    if (isnan(aim))
        return;
    int at = (int)(aim * (w - 1) + 0.5);
    cs_put(a, 2 + at, y, at < n ? CS_ROLE_INK : CS_ROLE_LABEL, 0x2502);
}

int cs_draw_members(const cs_area *a, const cs_shot *s, size_t arm)
{
    table t = find(s, arm);
    if (t.n == 0 || a->h < 2)
        return 0;
    choose_columns(&t, a->w);
    draw_head(a, &t);
    int each = a->h >= 1 + 3 * (int)t.n ? 3 : a->h >= 1 + 2 * (int)t.n ? 2 : 1;
    int y = 1;
    for (size_t i = 0; i < t.n; i++, y += each) {
        bool last = y + 2 > a->h && i + 1 < t.n;
        if (last) {
            cs_print(a, 0, y, CS_ROLE_LABEL, "%zu more members", t.n - i);
            return y + 1;
        }
        draw_row(a, y, &t, i);
        if (each > 1)
            draw_bar(a, y + 1, &t, i);
    }
    return y;
}
