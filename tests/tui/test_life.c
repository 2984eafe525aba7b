/* Tests what happens if the program or its terminal is interrupted in any way.
 * The terminal is restored, and no process is left running. If a process can
 * continue, it continues. */
#include "support/cost.h"
#include "support/sanitized.h"
#include "term.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static term t;

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    return 0;
}

/* Returns the session's process. */
static pid_t open_scene(int rows, int cols)
{
    term_chainscope(&t, rows, cols, "scene.lua", NULL, NULL);
    term_wait_line(&t, 0, "paused  step 0");
    pid_t session = term_child_of(t.child);
    assert_true(session > 0);
    return session;
}

static void leave(void)
{
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
    term_stop(&t);
}

static void run(void)
{
    term_send(&t, " ");
    term_wait_line(&t, 0, "running");
}

static void test_signals_that_end(void **state)
{
    (void)state;
    static const int asked[] = {SIGTERM, SIGHUP};
    static const int fatal[] = {SIGQUIT, SIGSEGV, SIGABRT, SIGFPE, SIGBUS};
    for (size_t i = 0; i < 7; i++) {
        pid_t session = open_scene(24, 80);
        run();
        int number = i < 2 ? asked[i] : fatal[i - 2];
        kill(t.child, number);
        int status = term_end(&t);
        if (i < 2 ? !WIFEXITED(status)
                  : !WIFSIGNALED(status) || WTERMSIG(status) != number)
            term_fail(&t, "signal %d: status %#x", number, (unsigned)status);
        term_assert_clean(&t);
        bool crash = i > 2; /* the first three signals are not reported as
                             * crashes */
        if (crash != term_shows(&t, "the screen has crashed"))
            term_fail(&t, "signal %d: %s report", number, crash ? "no" : "a");
        if (!term_gone(session))
            term_fail(&t, "signal %d leaves the session", number);
        term_stop(&t);
    }
}

static void test_interrupts_are_not_the_end(void **state)
{
    (void)state;
    for (int by_key = 0; by_key < 2; by_key++) {
        open_scene(24, 80);
        run();
        if (by_key)
            term_send(&t, "\003");
        else
            kill(t.child, SIGINT);
        term_wait(&t, "interrupted; q closes, Q quits");
        term_wait_line(&t, 0, "paused");
        leave();
    }
}

static void test_quit_key_of_the_terminal(void **state)
{
    (void)state;
    pid_t session = open_scene(24, 80);
    term_send(&t, "\034"); /* ^\: both processes receive it */
    int status = term_end(&t);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGQUIT);
    term_assert_clean(&t);
    assert_true(term_gone(session));
}

static void test_session_killed(void **state)
{
    (void)state;
    pid_t session = open_scene(24, 80);
    run();
    kill(session, SIGKILL);
    term_wait(&t, "the session was killed by signal 9");
    term_send(&t, "?");
    term_wait(&t, "help");
    term_quiet(&t, 300);
    double before = term_cpu(t.child);
    cost_spin(0.3); /* the program must not use CPU time meanwhile */
    assert_true(term_cpu(t.child) - before < 0.1);
    term_send(&t, "qqQ");
    assert_int_equal(WEXITSTATUS(term_end(&t)), 1);
    term_assert_clean(&t);
}

static void test_front_killed(void **state)
{
    (void)state;
    pid_t session = open_scene(24, 80);
    run();
    kill(t.child, SIGKILL);
    term_end(&t);
    assert_true(term_gone(session));
}

static void test_small_and_back(void **state)
{
    (void)state;
    open_scene(24, 80);
    run();
    term_resize(&t, 1, 1);
    term_pass(&t, 100); /* the frame may or may not have been painted */
    term_send(&t, ">?q:1\rzps");
    term_resize(&t, 2, 300);
    term_pass(&t, 50);
    term_resize(&t, 24, 80);
    term_wait(&t, "paused");
    term_wait(&t, "space run/pause");
    leave();
}

static void test_storm(void **state)
{
    (void)state;
    open_scene(24, 80);
    run();
    for (int i = 0; i < 200; i++) {
        term_resize(&t, 1 + i * 7 % 60, 1 + i * 13 % 200);
        kill(t.child, SIGWINCH);
        term_read(&t, 1);
    }
    term_resize(&t, 40, 120);
    term_wait_line(&t, 39, "space run/pause");
    term_wait_line(&t, 0, "running");
    leave();
}

static bool held(const struct termios *before)
{
    struct termios now;
    tcgetattr(t.slave, &now);
    return t.alternate || t.hidden || now.c_lflag != before->c_lflag ||
           now.c_cc[VSUSP] != before->c_cc[VSUSP];
}

/* Stops the program from a shell and continues it, as a user would. */
static void test_stop_and_continue(void **state)
{
    (void)state;
    static const char *const shell[] = {"/bin/sh", "-i", NULL};
    static const char *const more[] = {"PS1=prompt> ", "ENV=", NULL};
    struct termios before;
    term_start(&t, 24, 80, shell, more);
    term_wait(&t, "prompt>");
    tcgetattr(t.slave, &before);
    term_send(&t, CS_PROGRAM " scene.lua\n");
    term_wait_line(&t, 0, "paused  step 0");
    for (int i = 0; i < 2; i++) {
        term_send(&t, "\032"); /* ^Z */
        term_wait(&t, "Stopped");
        if (held(&before) || t.paste)
            term_fail(&t, "stopped, it keeps the terminal");
        term_send(&t, "clear; fg\n");
        term_wait_line(&t, 0, i ? "paused  step 1" : "paused  step 0");
        if (!t.alternate || !t.hidden || !t.paste)
            term_fail(&t, "continued, it does not take the terminal");
        term_send(&t, ".");
        term_wait_line(&t, 0, i ? "paused  step 2" : "paused  step 1");
    }
    term_send(&t, "QQ");
    term_wait_gone(&t, "Scene");
    term_send(&t, "exit\n");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
}

/* A signal that cannot be caught stops the program. The screen is painted again
 * when the program continues. */
static void test_continued_by_others(void **state)
{
    (void)state;
    open_scene(24, 80);
    kill(t.child, SIGSTOP);
    vterm_input_write(t.vt, "\033[2J", 4);
    assert_false(term_shows(&t, "Scene"));
    kill(t.child, SIGCONT);
    term_wait_line(&t, 0, "Scene");
    leave();
}

static void test_hang_up(void **state)
{
    (void)state;
    for (int stuck = 0; stuck < 2; stuck++) {
        pid_t session = open_scene(24, 80);
        run();
        if (stuck)
            term_send(&t, ";while true do end\r");
        term_pass(&t, 50);
        term_hang_up(&t);
        assert_true(term_gone(t.child));
        assert_true(term_gone(session));
        term_stop(&t);
    }
}

/* The terminal disappears while draws are written. The files of draws are still
 * complete. */
static void test_hang_up_keeps_draws(void **state)
{
    (void)state;
    char folder[] = "/tmp/chainscope-tui-XXXXXX", line[400], file[300];
    assert_non_null(mkdtemp(folder));
    pid_t session = open_scene(24, 80);
    snprintf(line, sizeof line, ":speed 5000\r:out %s/out\r", folder);
    term_send(&t, line);
    run();
    term_wait_step(&t, 200);
    term_hang_up(&t);
    assert_true(term_gone(session));
    snprintf(file, sizeof file, "ls %s/out/*.csv >/dev/null", folder);
    assert_int_equal(system(file), 0);
    /* every line of a file has the number of fields of its header */
    snprintf(line, sizeof line,
             "awk -F, '/^#/{next} FNR==1||!n[FILENAME]{n[FILENAME]=NF} "
             "NF!=n[FILENAME]{exit 1} {k++} END{exit k<100}' %s/out/*.csv",
             folder);
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0);
}

static void test_paused_costs_nothing(void **state)
{
    (void)state;
    pid_t session = open_scene(40, 120);
    term_send(&t, ">");
    term_wait_line(&t, 0, "paused  step 100");
    unsigned long bytes;
    double share, until = term_clock() + TERM_PATIENCE;
    /* results still being computed at the pause may come late */
    do {
        double from = term_clock();
        double cpu = term_cpu(t.child) + term_cpu(session);
        bytes = t.bytes;
        term_quiet(&t, 1000);
        bytes = t.bytes - bytes;
        cpu = term_cpu(t.child) + term_cpu(session) - cpu;
        share = 1e3 * cpu / (term_clock() - from);
    } while ((bytes || share > 0.011) && term_clock() < until);
    assert_int_equal(bytes, 0);
    assert_true(share <= 0.011); /* share of a processor: one clock tick per
                                  * second */
    leave();
}

#if !defined(__SANITIZE_THREAD__) /* TSan delays signals during a write */
/* If the output of the program is never read, the chains still continue, and
 * the program can end. */
static void test_terminal_that_takes_nothing(void **state)
{
    (void)state;
    const struct timespec second = {.tv_sec = 1};
    pid_t session = open_scene(60, 200);
    run();
    nanosleep(&second, NULL); /* the frames fill the terminal's buffer */
    double cpu = term_cpu(session), until = term_clock() + TERM_PATIENCE;
    while (term_cpu(session) - cpu < 0.05 && term_clock() < until)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_true(term_cpu(session) - cpu >= 0.05);
    kill(t.child, SIGTERM);
    assert_true(term_gone(t.child));
    assert_true(term_gone(session));
    term_end(&t);
    term_assert_clean(&t);
}
#endif

/* Returns the number of children of a process, including zombies. *last
 * receives the newest child. */
static int count_children(pid_t parent, pid_t *last)
{
    char path[64];
    long pid;
    int n = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent,
             (long)parent);
    FILE *f = fopen(path, "r");
    while (f && fscanf(f, "%ld", &pid) == 1) {
        *last = (pid_t)pid;
        n++;
    }
    if (f)
        fclose(f);
    return n;
}

static pid_t wait_children(int want)
{
    pid_t last = 0;
    double until = term_clock() + TERM_PATIENCE;
    while (count_children(t.child, &last) != want) {
        if (term_clock() > until)
            term_fail(&t, "there are not %d children", want);
        term_pass(&t, 5);
    }
    return last;
}

/* Returns the number of sessions of an idle screen that has many background
 * runs. There is one session per processor, and one more for the open run. */
static int sessions(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return 1 + (int)(cores < 1 ? 1 : cores > 32 ? 32 : cores);
}

/* Makes enough steps for replicates to start as soon as they are requested. */
static void make_steps(void)
{
    term_send(&t, SANITIZED ? ":step 10000\r" : ":step 100000\r");
    term_wait_line(&t, 0,
                   SANITIZED ? "paused  step 10,000" : "paused  step 100,000");
}

/* Replicates are interrupted in four ways: by the command, by quitting the
 * screen, by a crash of a replicate, and by the death of the front (the process
 * with the terminal). A crash of a replicate must not restore the terminal. No
 * process remains. */
static void test_replicates_broken_off(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        pid_t session = open_scene(24, 80);
        term_send(&t, ":laws off\r"); /* the check of laws must not add a child
                                       * process */
        make_steps();
        term_send(&t, ":replicate 32\r");
        pid_t other = wait_children(sessions());
        assert_int_not_equal(other, session);
        term_send(&t, ":zoom race\r");
        term_wait(&t, "of 32");
        if (i == 0) {
            term_send(&t, ":replicate 0\r");
            term_wait(&t, "replicates stopped and discarded");
            assert_int_equal(wait_children(1), session);
            leave();
        } else if (i == 1) {
            leave();
        } else if (i == 2) {
            kill(other, SIGSEGV);
            term_wait(&t, "the replicates have ended");
            assert_int_equal(wait_children(1), session);
            assert_true(t.alternate);
            leave();
        } else {
            kill(t.child, SIGKILL);
            term_end(&t);
            assert_true(term_gone(session));
            term_stop(&t);
        }
        assert_true(term_gone(other));
    }
}

/* While the open run is active, one processor is reserved for it. */
static void test_replicates_leave_a_processor(void **state)
{
    (void)state;
    pid_t last;
    int all = sessions(), fewer = all > 2 ? all - 1 : all;
    open_scene(24, 80);
    term_send(&t, ":laws off\r");
    make_steps();
    run();
    term_send(&t, ":replicate 32\r");
    wait_children(fewer);
    for (int i = 0; i < 50; i++) {
        assert_in_range(count_children(t.child, &last), 1, fewer);
        term_pass(&t, 10);
    }
    term_send(&t, " ");
    term_wait_line(&t, 0, "paused");
    wait_children(all);
    leave();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_signals_that_end, stop),
    cmocka_unit_test_teardown(test_interrupts_are_not_the_end, stop),
    cmocka_unit_test_teardown(test_quit_key_of_the_terminal, stop),
    cmocka_unit_test_teardown(test_session_killed, stop),
    cmocka_unit_test_teardown(test_front_killed, stop),
    cmocka_unit_test_teardown(test_small_and_back, stop),
    cmocka_unit_test_teardown(test_storm, stop),
    cmocka_unit_test_teardown(test_stop_and_continue, stop),
    cmocka_unit_test_teardown(test_continued_by_others, stop),
    cmocka_unit_test_teardown(test_hang_up, stop),
    cmocka_unit_test_teardown(test_hang_up_keeps_draws, stop),
    cmocka_unit_test_teardown(test_paused_costs_nothing, stop),
    cmocka_unit_test_teardown(test_replicates_broken_off, stop),
    cmocka_unit_test_teardown(test_replicates_leave_a_processor, stop),
#if !defined(__SANITIZE_THREAD__) /* TSan delays signals during a write */
    cmocka_unit_test_teardown(test_terminal_that_takes_nothing, stop),
#endif
};
TESTS(test_life)
