/* Measures and prints the speed of the screen. This program is not a test,
 * because the results depend on the load of the machine. Usage: tui_bars FILE
 * [ROWS COLS] */
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 9, KEYS = 60 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void tell(const char *what, double *ms, int n)
{
    qsort(ms, (size_t)n, sizeof *ms, ascending);
    printf("%-34s median %6.1f ms, worst %6.1f ms\n", what, ms[n / 2],
           ms[n - 1]);
}

/* Waits until a text is on the screen, and returns the time at which the text
 * appeared. Reads the terminal often and briefly, so that only the time of the
 * screen is measured. */
static double until(term *t, const char *text, double from)
{
    while (!term_shows(t, text)) {
        if (term_clock() - from > TERM_PATIENCE)
            term_fail(t, "'%s' is not shown", text);
        term_read(t, 1);
    }
    return term_clock() - from;
}

static void first_frame(const char *file, int rows, int cols)
{
    double ms[STARTS];
    for (int i = 0; i < STARTS; i++) {
        term t;
        double from = term_clock();
        term_chainscope(&t, rows, cols, file, NULL, NULL);
        ms[i] = until(&t, file ? "1 " : "start ", from);
        term_stop(&t);
    }
    tell(file ? "first frame of a file" : "first frame of the gallery", ms,
         STARTS);
}

/* Measures the response times of three keys: help, zoom, and the selection of a
 * chain. The screen needs the session for the selection. A response time ends
 * when a certain cell of the screen has changed. */
static void keys(term *t)
{
    static const struct {
        const char *press, *shows, *undo, *gone, *name;
    } key[] = {
        {"?", "The panel with the focus", "q", "1 ", "key to repaint: help"},
        {"c", "chain 2 of", "C", "chain 1 of", "key to repaint: chain"},
        {"s", "parameters of", "s", "1 ", "key to repaint: parameters"},
    };
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        double ms[KEYS];
        for (int i = 0; i < KEYS; i++) {
            double from = term_clock();
            term_send(t, key[k].press);
            ms[i] = until(t, key[k].shows, from);
            term_pass(t, 7 + i % 13);
            term_send(t, key[k].undo);
            term_wait(t, key[k].gone);
            if (k != 1)
                term_wait_gone(t, key[k].shows);
        }
        tell(key[k].name, ms, KEYS);
    }
}

/* Measures the number of frames per second at full speed. Each frame is
 * recognised by a new step in its title. */
static void pictures(const char *file, int rows, int cols, double seconds)
{
    term t;
    char title[1024];
    double gap[4096];
    int n = 0;
    term_chainscope(&t, rows, cols, file, NULL, NULL);
    term_wait_line(&t, 0, "paused");
    pid_t session = term_child_of(t.child);
    term_send(&t, " ");
    term_wait_line(&t, 0, "running");
    unsigned long bytes = t.bytes;
    double cpu = term_cpu(t.child), theirs = term_cpu(session);
    double from = term_clock(), last = from;
    snprintf(title, sizeof title, "%s", term_line(&t, 0));
    while (last - from < seconds * 1e3 && n < 4096) {
        term_read(&t, 1);
        double now = term_clock();
        if (strcmp(title, term_line(&t, 0)) == 0 && now - from < seconds * 1e3)
            continue;
        snprintf(title, sizeof title, "%s", term_line(&t, 0));
        gap[n++] = now - last;
        last = now;
        if (!strstr(title, "running"))
            break;
    }
    double passed = (last - from) * 1e-3;
    qsort(gap, (size_t)n, sizeof *gap, ascending);
    printf(
        "%-40s %5.1f pictures/s, median %4.0f ms, worst %4.0f; front %4.1f %%, "
        "session %5.1f %% of a core, %5.1f KiB/s%s\n",
        file, n / passed, gap[n / 2], gap[n - 1],
        (term_cpu(t.child) - cpu) * 1e2 / passed,
        (term_cpu(session) - theirs) * 1e2 / passed,
        (double)(t.bytes - bytes) / 1024 / passed,
        strstr(title, "running") ? "" : " (ended)");
    term_stop(&t);
}

static void run(const char *file, int rows, int cols)
{
    term t;
    term_chainscope(&t, rows, cols, file, NULL, NULL);
    term_wait_line(&t, 0, "paused");
    pid_t session = term_child_of(t.child);
    term_quiet(&t, 300);
    unsigned long bytes = t.bytes;
    double cpu = term_cpu(t.child) + term_cpu(session), from = term_clock();
    term_pass(&t, 3000);
    printf("%-34s %.2f %% of a core, %lu bytes\n", "paused for 3 s",
           (term_cpu(t.child) + term_cpu(session) - cpu) * 1e5 /
               (term_clock() - from),
           t.bytes - bytes);
    term_send(&t, " ");
    term_wait_line(&t, 0, "running");
    bytes = t.bytes;
    cpu = term_cpu(t.child);
    from = term_clock();
    term_pass(&t, 5000);
    double passed = (term_clock() - from) * 1e-3;
    printf("%-34s %.2f %% of a core, %.1f KiB/s\n", "painting",
           (term_cpu(t.child) - cpu) * 1e2 / passed,
           (double)(t.bytes - bytes) / 1024 / passed);
    keys(&t);
    term_stop(&t);
}

static char *scenario;
static int height = 24, width = 80;

static void measure(void **state)
{
    (void)state;
    if (getenv("PICTURES")) {
        pictures(scenario, height, width, atof(getenv("PICTURES")));
        return;
    }
    first_frame(NULL, height, width);
    first_frame(scenario, height, width);
    run(scenario, height, width);
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: tui_bars FILE [ROWS COLS]\n");
        return 2;
    }
    scenario = argv[1];
    if (argc == 4) {
        height = atoi(argv[2]);
        width = atoi(argv[3]);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(measure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
