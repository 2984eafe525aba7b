/* Runs that somebody else writes: here the test itself, line by line. */
#include "leave.h"
#include "support/cost.h"
#include "support/support.h"

#include "base/clock.h"
#include "session/client.h"
#include "session/session.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 60 }; /* seconds, then something hangs */

static cs_status open_none(void *self, const char *path, const char *const *set,
                           size_t n_set, cs_opened *out, cs_error *err)
{
    (void)self, (void)set, (void)n_set, (void)out;
    return cs_fail(err, CS_IO, "%s cannot be read", path);
}

static int child(int fd, cs_snapshots *snapshots, int wake, void *argument)
{
    (void)argument;
    const cs_host host = {.open = open_none};
    return without_leaks(cs_session_main(fd, snapshots, wake, &host));
}

/* ---- a folder ---- */

static char folder[] = "/tmp/chainscope-watch-XXXXXX";

static void path_of(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
}

static void append(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void append(const char *name, const char *format, ...)
{
    char path[256];
    va_list args;
    path_of(name, path);
    FILE *f = fopen(path, "ae");
    assert_non_null(f);
    va_start(args, format);
    vfprintf(f, format, args);
    va_end(args);
    assert_int_equal(fclose(f), 0);
}

static void head(const char *name, const char *arm, int id, const char *names)
{
    append(name,
           "# model = banana\n#     save_warmup = 0\n# id = %d\n"
           "#   seed = 7\n# arm = %s\n%s\n",
           id, arm, names);
}

/* Rows first .. last - 1: x.1 is the row's number, x.2 scatters. */
static void rows(const char *name, int first, int last)
{
    for (int i = first; i < last; i++)
        append(name, "%g,0.5,%d,%g\n", -0.5 * i, i, sin(i));
}

static const char columns[] = "lp__,accept_stat__,x.1,x.2";

static int start(void **state)
{
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    return (int)cs_client_create((cs_client **)state, child, NULL, NULL);
}

static int end(void **state)
{
    char line[300];
    int code = leave(*state);
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line) | code;
}

/* ---- what is asked ---- */

static const cs_message *ask(cs_client *c, const char *line)
{
    static uint32_t id;
    assert_int_equal(cs_client_send(c, line, ++id, NULL), CS_OK);
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 20)) {
        const cs_message *m = cs_client_reply(c);
        if (m)
            return m;
    }
    fail_msg("no reply to %s", line);
    return NULL;
}

static void obeyed(cs_client *c, const char *line)
{
    const cs_message *m = ask(c, line);
    if (m->status)
        fail_msg("%s: %s", line, (const char *)m->body);
}

static void refused(cs_client *c, const char *line, const char *because)
{
    const cs_message *m = ask(c, line);
    if (!m->status || !strstr((const char *)m->body, because))
        fail_msg("%s: '%s' does not say '%s'", line, (const char *)m->body,
                 because);
}

static void open_it(cs_client *c)
{
    char line[300];
    snprintf(line, sizeof line, "open %s", folder);
    obeyed(c, line);
    obeyed(c, "run");
}

static void refuses_it(cs_client *c, const char *because)
{
    char line[300];
    snprintf(line, sizeof line, "open %s", folder);
    refused(c, line, because);
}

static double number(const unsigned char *base, size_t used, const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(base, used, &e, "%s", key) && e.data ? e.data[0]
                                                             : (double)NAN;
}

/* What was said last, as the last snapshot has it. */
static char said[CS_SAID][256];

static bool look(cs_client *c, const unsigned char **base, size_t *used)
{
    cs_flat_entry e;
    if (!cs_client_snapshot(c, base, used))
        return false;
    for (int i = 0; i < CS_SAID; i++)
        snprintf(said[i], sizeof said[i], "%s",
                 cs_flat_find(*base, *used, &e, "run/said/%d", i) && e.text
                     ? e.text
                     : "");
    return true;
}

static bool was_said(const char *words)
{
    bool was = false;
    for (int i = 0; i < CS_SAID; i++)
        was |= strstr(said[i], words) != NULL;
    return was;
}

/* Waits for a snapshot in which the run is in that state at that step. */
static const unsigned char *see(cs_client *c, const char *state, double steps,
                                size_t *used)
{
    const unsigned char *base = NULL;
    char is[32] = "";
    double at = NAN;
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 20)) {
        cs_flat_entry e;
        if (!look(c, &base, used) ||
            !cs_flat_find(base, *used, &e, "run/state"))
            continue;
        snprintf(is, sizeof is, "%s", e.text);
        at = number(base, *used, "run/steps");
        if (strcmp(is, state) == 0 && at == steps)
            return base;
    }
    fail_msg("it is %s at %g, not %s at %g", is, at, state, steps);
    return NULL;
}

/* Waits until something has been said. */
static void hear(cs_client *c, const char *words)
{
    const unsigned char *base;
    size_t used;
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 20)) {
        look(c, &base, &used);
        if (was_said(words))
            return;
    }
    fail_msg("'%s' was never said", words);
}

/* ---- tests ---- */

static void test_growing(void **state)
{
    cs_client *c = *state;
    size_t used;
    cs_flat_entry e;
    head("a_1.csv", "a", 1, columns);
    open_it(c);
    see(c, "waiting", 0, &used);
    append("a_1.csv", "-1,0.5,0.2"); /* half a row */
    rows("b.txt", 0, 5);             /* another file */
    append("a_1.csv", "5,1\n");
    const unsigned char *base = see(c, "waiting", 1, &used);
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    assert_true(e.data[0] == 0.25 && e.data[1] == 1);
    assert_true(number(base, used, "look/at") == 0);
    rows("a_1.csv", 1, 200);
    base = see(c, "waiting", 200, &used);
    assert_true(cs_flat_find(base, used, &e, "run/target"));
    assert_string_equal(e.text, "banana");
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    assert_true(e.data[0] == 199);
    assert_true(number(base, used, "arm/0/evaluations") == 0);
    /* Back, and on again, as it was. */
    obeyed(c, "rewind to 20");
    base = see(c, "paused", 20, &used);
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    assert_true(e.data[0] == 19);
    rows("a_1.csv", 200, 300); /* it rests */
    obeyed(c, "run");
    base = see(c, "waiting", 300, &used);
    append("a_1.csv", "# \n#  Elapsed Time: 1 seconds (Warm-up)\n");
    see(c, "done", 300, &used);
    hear(c, "has ended");
}

/* Chains and arms that come later, one that stays behind, one that stopped. */
static void test_chains(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 50);
    open_it(c);
    const unsigned char *base = see(c, "waiting", 50, &used);
    assert_true(number(base, used, "arm/0/chains") == 1);
    head("a_2.csv", "a", 2, columns);
    rows("a_2.csv", 0, 30);
    base = see(c, "waiting", 30, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
    rows("a_1.csv", 50, 800);
    hear(c, "a_2.csv has fallen behind");
    base = see(c, "waiting", 800, &used);
    assert_true(number(base, used, "arm/0/chains") == 1);
    rows("a_2.csv", 30, 700);
    base = see(c, "waiting", 700, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
    head("b_1.csv", "b", 1, "lp__,z,x.2,x.1"); /* another order, one more */
    append("b_1.csv", "-1,9,2,3\n");
    base = see(c, "waiting", 700, &used);
    while (number(base, used, "run/arms") != 2)
        base = see(c, "waiting", 700, &used);
    assert_true(number(base, used, "run/dim") == 2);
    assert_true(number(base, used, "arm/1/steps") == 1);
    append("a_1.csv", "#  Elapsed Time: 1\n");
    append("a_2.csv", "#  Elapsed Time: 1\n"); /* it stopped at 700 */
    append("b_1.csv", "#  Elapsed Time: 1\n");
    base = see(c, "done", 800, &used);
    assert_true(number(base, used, "arm/0/failed") == 1);
    hear(c, "the chain had stopped");
}

/* A run that is resumed cuts its files; one that is begun anew is another. */
static void test_cut(void **state)
{
    cs_client *c = *state;
    size_t used;
    cs_flat_entry e;
    char path[256];
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 100);
    open_it(c);
    see(c, "waiting", 100, &used);
    path_of("a_1.csv", path);
    assert_int_equal(truncate(path, 400), 0); /* within a row */
    hear(c, "was cut");
    append("a_1.csv", "\n");
    assert_int_equal(unlink(path), 0);
    hear(c, "has no files of draws");
    head("a_1.csv", "a", 1, columns);
    append("a_1.csv", "-1,1,42,42\n");
    hear(c, "read again now");
    const unsigned char *base = see(c, "waiting", 1, &used);
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    assert_true(e.data[0] == 42);
}

static void test_bad_rows(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    append("a_1.csv", "1,2,3\n");
    rows("a_1.csv", 11, 20);
    open_it(c);
    hear(c, "line 17 is no row of draws; nothing behind it is shown");
    see(c, "done", 10, &used);
    head("c_1.csv", "c", 1, columns);
    append("c_1.csv", "-1,1,x,1\n-1,1,2,1\n");
    hear(c, "row 1 of its file cannot be read");
    hear(c, "c_1.csv: row 1 of its draws has a value that is no number");
}

/* Parts, each in a folder of its own, that come one by one. */
static void test_parts(void **state)
{
    cs_client *c = *state;
    size_t used;
    char path[256];
    path_of("1", path);
    assert_int_equal(mkdir(path, 0777), 0);
    head("1/a_1.csv", "a", 1, columns);
    rows("1/a_1.csv", 0, 20);
    open_it(c);
    see(c, "waiting", 20, &used);
    path_of("2", path);
    assert_int_equal(mkdir(path, 0777), 0);
    head("2/a_2.csv", "a", 2, columns);
    rows("2/a_2.csv", 0, 25);
    hear(c, "a_2.csv is there");
    const unsigned char *base = see(c, "waiting", 20, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
    append("2/lock", "1\n"); /* and nobody has it */
    hear(c, "/2 has died");
    /* The same chain again: another run's, or a merged one. */
    path_of("3", path);
    assert_int_equal(mkdir(path, 0777), 0);
    head("3/a_2.csv", "a", 2, columns);
    rows("3/a_2.csv", 0, 25);
    hear(c, "one chain, written twice");
}

static void test_refused(void **state)
{
    cs_client *c = *state;
    size_t used;
    refuses_it(c, "has no files of draws");
    append("t.csv", "x,y\n1,2\n");
    refuses_it(c, "its columns begin with x");
    append("u.csv", "# model = a\nlp__");
    refuses_it(c, "is no file of draws");
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 5);
    append("b_1.csv", "# model = plum\n# arm = b\nlp__,x.1\n1,1\n");
    refuses_it(c, "of different models");
    append("b_1.csv", "2,2\n");
    char path[256];
    path_of("b_1.csv", path);
    assert_int_equal(unlink(path), 0);
    head("b_1.csv", "b", 1, "lp__,y");
    refuses_it(c, "the files share no variable");
    assert_int_equal(unlink(path), 0);
    open_it(c);
    see(c, "waiting", 5, &used);
    refused(c, "set a.step=1", "these draws are read from");
    refused(c, "arm add mala", "these draws are read from");
    refused(c, "out somewhere", "these draws are read from");
    refused(c, "logp", "its draws are read");
    refused(c, "open /nowhere", "cannot be read");
}

static void test_idle(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 500);
    append("lock", "1\n"); /* nobody has it: it is looked for once */
    open_it(c);
    see(c, "waiting", 500, &used);
    hear(c, "has died");
    double before = cost_of_children();
    cost_spin(0.5);
    double spent = cost_of_children() - before;
    if (spent > 0.1)
        fail_msg("%g s while nothing grows, beside 0.5 s of a loop", spent);
    rows("a_1.csv", 500, 501); /* and it is still awake */
    see(c, "waiting", 501, &used);
}

/* ---- folders that change in bad ways ---- */

static void in_place(const char *name, long at, const char *text)
{
    char path[256];
    path_of(name, path);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, text, strlen(text), at), strlen(text));
    assert_int_equal(close(fd), 0);
}

static void away(const char *name)
{
    char path[256];
    path_of(name, path);
    assert_int_equal(remove(path), 0);
}

static double shown_x(const unsigned char *base, size_t used, int k)
{
    cs_flat_entry e;
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    return e.data[k];
}

/* Where the folder was: nothing, another program's file, another folder. */
static void test_folder_replaced(void **state)
{
    cs_client *c = *state;
    size_t used;
    char other[280], old[280];
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    see(c, "waiting", 10, &used);
    snprintf(old, sizeof old, "%s.old", folder);
    snprintf(other, sizeof other, "%s.lua", folder);
    assert_int_equal(rename(folder, old), 0);
    hear(c, "is gone");
    FILE *f = fopen(folder, "we"); /* a script: it must not be run */
    assert_non_null(f);
    fprintf(f, "io.open('%s', 'w'):close()\n", other);
    assert_int_equal(fclose(f), 0);
    refused(c, "restart", "is no folder");
    cost_spin(0.2);
    assert_int_not_equal(access(other, F_OK), 0);
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(mkdir(folder, 0777), 0);
    head("b_1.csv", "b", 1, columns);
    append("b_1.csv", "-1,1,42,42\n");
    const unsigned char *base = see(c, "waiting", 1, &used);
    assert_true(shown_x(base, used, 0) == 42);
    /* Another one at once, without a moment in which there is none. */
    char line[600];
    snprintf(line, sizeof line, "mv '%s' '%s.2' && mv '%s' '%s'", folder,
             folder, old, folder);
    assert_int_equal(system(line), 0);
    see(c, "waiting", 10, &used);
    hear(c, "is another folder now");
    snprintf(line, sizeof line, "rm -rf '%s.2'", folder);
    assert_int_equal(system(line), 0);
}

/* What takes the place of a file, and the next good one. */
static void test_file_replaced(void **state)
{
    cs_client *c = *state;
    size_t used;
    char path[256], link_to[256];
    static const char *const said_of[] = {
        "a_1.csv is no regular file", "a_1.csv is a folder",
        "a_1.csv is a link that leads to itself",
        "a_1.csv is a link to what is not there", "a_1.csv is no regular file"};
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    see(c, "waiting", 10, &used);
    path_of("a_1.csv", path);
    path_of("b.txt", link_to);
    for (size_t i = 0; i < sizeof said_of / sizeof *said_of; i++) {
        assert_int_equal(remove(path), 0);
        int made = i == 0   ? mkfifo(path, 0666)
                   : i == 1 ? mkdir(path, 0777)
                   : i == 2 ? symlink("a_1.csv", path)
                   : i == 3 ? symlink("nowhere", path)
                            : symlink("/dev/zero", path);
        assert_int_equal(made, 0);
        hear(c, said_of[i]);
        assert_int_equal(remove(path), 0);
        head("a_1.csv", "a", 1, columns);
        rows("a_1.csv", 0, 20 + (int)i);
        see(c, "waiting", 20 + (double)i, &used);
    }
    /* A link to draws outside is followed. */
    head("b.txt", "a", 1, columns);
    rows("b.txt", 0, 5);
    assert_int_equal(remove(path), 0);
    assert_int_equal(symlink("b.txt", path), 0);
    see(c, "waiting", 5, &used);
}

/* Files that were no draws, and are. */
static void test_become_draws(void **state)
{
    cs_client *c = *state;
    size_t used;
    char path[256];
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    append("a_2.csv", "x,y\n1,2\n");
    path_of("a_3.csv", path);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_int_equal(ftruncate(fd, (off_t)10 << 30), 0); /* zeros, 10 GB */
    assert_int_equal(close(fd), 0);
    path_of("a_4.csv", path);
    assert_int_equal(mkfifo(path, 0666), 0);
    open_it(c);
    see(c, "waiting", 10, &used);
    hear(c, "a_4.csv is no regular file: it is left out");
    for (int k = 2; k <= 4; k++) {
        char name[] = "a_0.csv";
        name[2] = (char)('0' + k);
        away(name);
        head(name, "a", k, columns);
        rows(name, 0, 10 + k);
        while (number(see(c, "waiting", 10, &used), used, "arm/0/chains") != k)
            continue;
    }
    /* A row of zeros, as a crash may leave it, which a resumed run cuts off. */
    path_of("a_1.csv", path);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size + 100), 0);
    append("a_1.csv", "\n");
    hear(c, "has a zero byte");
    assert_int_equal(truncate(path, about.st_size), 0);
    rows("a_1.csv", 10, 12);
    see(c, "waiting", 12, &used);
}

/* Figures that are another column's, or another file's. */
static void test_written_over(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    const unsigned char *base = see(c, "waiting", 10, &used);
    assert_true(shown_x(base, used, 0) == 9);
    in_place("a_1.csv", 10, "orange");
    hear(c, "was cut or begun anew");
    away("a_1.csv");
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 30);
    see(c, "waiting", 30, &used);
    append("a_1.csv", "lp__,accept_stat__,x.1,x.2\n-1,1,7,8\n"); /* joined */
    base = see(c, "waiting", 31, &used);
    assert_true(shown_x(base, used, 0) == 7);
    append("a_1.csv", "lp__,accept_stat__,x.2,x.1\n-1,1,1,2\n");
    base = see(c, "done", 31, &used);
    assert_true(shown_x(base, used, 0) == 7);
    hear(c, "names other columns than the first head");
}

/* Chains of an arm whose columns are more, or in another order. */
static void test_other_columns(void **state)
{
    cs_client *c = *state;
    size_t used;
    char wide[20000] = "lp__,accept_stat__,x.1,x.2";
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    for (size_t n = strlen(wide); n + 3 < sizeof wide; n += 2)
        memcpy(wide + n, ",y", 3);
    head("a_2.csv", "a", 2, wide);
    refuses_it(c, "are chains of one arm with different columns");
    away("a_2.csv");
    open_it(c);
    see(c, "waiting", 10, &used);
    head("a_2.csv", "a", 2, "lp__,accept_stat__,x.2,x.1");
    rows("a_2.csv", 0, 20);
    hear(c, "are chains of one arm with different columns");
    away("a_2.csv");
    head("a_2.csv", "a", 2, columns);
    rows("a_2.csv", 0, 20);
    hear(c, "read again now");
    const unsigned char *base = see(c, "waiting", 10, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
}

/* Many files that come and go leave no trace. */
static void test_come_and_go(void **state)
{
    cs_client *c = *state;
    size_t used;
    char from[256], to[256];
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    see(c, "waiting", 10, &used);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 850; i++) {
            char name[32];
            snprintf(name, sizeof name, "r%d_%d.csv", round, i);
            path_of(name, from);
            int fd = open(from, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
            assert_int_equal(close(fd), 0);
        }
        rows("a_1.csv", 10 + round, 11 + round);
        see(c, "waiting", 11 + round, &used);
        for (int i = 0; i < 850; i++) {
            snprintf(to, sizeof to, "r%d_%d.csv", round, i);
            away(to);
        }
    }
    rows("a_1.csv", 15, 16);
    see(c, "waiting", 16, &used);
    assert_false(was_said("more than"));
}

/* A folder that cannot be opened is tried again now and then, and no more. */
static void test_lost_idle(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    see(c, "waiting", 10, &used);
    away("a_1.csv");
    hear(c, "has no files of draws");
    usleep(3200000); /* from then on writers would be looked for */
    double woken = cost_wakes_of_children(), from = cs_clock();
    usleep(1000000);
    double rate = (cost_wakes_of_children() - woken) / (cs_clock() - from);
    if (rate > 20)
        fail_msg("awake %g times a second while nothing changes", rate);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_growing, start, end),
    cmocka_unit_test_setup_teardown(test_chains, start, end),
    cmocka_unit_test_setup_teardown(test_cut, start, end),
    cmocka_unit_test_setup_teardown(test_bad_rows, start, end),
    cmocka_unit_test_setup_teardown(test_parts, start, end),
    cmocka_unit_test_setup_teardown(test_refused, start, end),
    cmocka_unit_test_setup_teardown(test_idle, start, end),
    cmocka_unit_test_setup_teardown(test_folder_replaced, start, end),
    cmocka_unit_test_setup_teardown(test_file_replaced, start, end),
    cmocka_unit_test_setup_teardown(test_become_draws, start, end),
    cmocka_unit_test_setup_teardown(test_written_over, start, end),
    cmocka_unit_test_setup_teardown(test_other_columns, start, end),
    cmocka_unit_test_setup_teardown(test_come_and_go, start, end),
    cmocka_unit_test_setup_teardown(test_lost_idle, start, end),
};
TESTS(test_watch)
