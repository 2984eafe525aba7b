/* Tests the screen on a pseudo-terminal. Keys are read and bytes are written.
 * However the program ends, the terminal is restored to its earlier state. */
#include "support/support.h"

#include "base/memory.h"
#include "canned.h"
#include "console/line.h"
#include "screen/app.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static cs_flat table;

static bool snapshot(void *self, const unsigned char **base, size_t *used)
{
    bool *fresh = self, was = *fresh;
    *fresh = false;
    *base = table.base;
    *used = table.used;
    return was;
}

static bool send_line(void *self, const char *line, uint32_t id)
{
    (void)self, (void)line, (void)id;
    return true;
}

static bool answer(void *self, cs_answer *out)
{
    (void)self, (void)out;
    return false;
}

static int no_fds(void *self, int fd[CS_LINK_FDS])
{
    (void)self, (void)fd;
    return 0;
}

static bool alive(void *self, char *why, size_t size)
{
    (void)self, (void)why, (void)size;
    return true;
}

static void nothing(void *self)
{
    (void)self;
}

static int screen(void)
{
    bool fresh = true;
    unsigned char *memory = cs_alloc(CANNED_BYTES, 1);
    canned(&table, memory);
    cs_app_link link = {&fresh,  send_line, snapshot, answer, no_fds,
                        nothing, alive,     nothing,  NULL};
    cs_editor editor = {NULL,         cs_line_begin,  cs_line_key,
                        cs_line_show, cs_line_before, cs_line_replace};
    cs_line_open(true);
    cs_status status = cs_screen_run(&link, &editor, false,
                                     &(cs_shot){.base = NULL, .used = 0}, NULL);
    return status == CS_OK ? 0 : 10 + (int)status;
}

typedef struct pty {
    int master, slave;
    struct termios before;
    pid_t child;
    char out[1 << 16];
    size_t used;
} pty;

static void start(pty *p, const char *term)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    *p = (pty){.master = posix_openpt(O_RDWR | O_NOCTTY)};
    assert_true(p->master >= 0);
    assert_int_equal(grantpt(p->master) | unlockpt(p->master), 0);
    p->slave = open(ptsname(p->master), O_RDWR | O_NOCTTY);
    ioctl(p->slave, TIOCSWINSZ, &size);
    tcgetattr(p->slave, &p->before);
    p->child = fork();
    if (p->child == 0) {
        alarm(20); /* a failed test must not leave a process running */
        setenv("TERM", term, 1);
        setenv("XDG_STATE_HOME", "/nonexistent", 1);
        dup2(p->slave, 0);
        dup2(p->slave, 1);
        _exit(screen());
    }
}

/* Reads output until no byte has arrived for this time. */
static void drain(pty *p, int quiet_ms)
{
    struct pollfd f = {.fd = p->master, .events = POLLIN};
    while (poll(&f, 1, quiet_ms) > 0 && p->used + 1 < sizeof p->out) {
        ssize_t n =
            read(p->master, p->out + p->used, sizeof p->out - 1 - p->used);
        if (n <= 0)
            break;
        p->used += (size_t)n;
    }
    p->out[p->used] = 0;
}

static int finish(pty *p)
{
    int status = 0;
    drain(p, 300);
    waitpid(p->child, &status, 0);
    drain(p, 50);
    struct termios now;
    tcgetattr(p->slave, &now);
    assert_int_equal(now.c_lflag, p->before.c_lflag);
    assert_int_equal(now.c_iflag, p->before.c_iflag);
    assert_int_equal(now.c_oflag, p->before.c_oflag);
    close(p->slave);
    close(p->master);
    return status;
}

static void test_keys_and_leave(void **state)
{
    (void)state;
    static pty p;
    start(&p, "xterm");
    drain(&p, 400);
    assert_non_null(strstr(p.out, "\033[?1049h"));
    assert_non_null(strstr(p.out, "islands"));
    size_t idle = p.used;
    drain(&p, 300);
    assert_int_equal(p.used, idle); /* no byte is written for an unchanged
                                     * frame */
    assert_int_equal(write(p.master, ":abc", 4), 4);
    drain(&p, 300);
    assert_non_null(strstr(p.out + idle, ":abc"));
    assert_int_equal(write(p.master, "\rQQ", 3), 3);
    assert_int_equal(finish(&p), 0);
    assert_non_null(strstr(p.out, "\033[?1049l"));
}

static void test_signals(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP, SIGSEGV, SIGABRT,
                                  SIGFPE,  SIGBUS, SIGQUIT};
    static pty p;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        start(&p, "xterm");
        drain(&p, 300);
        kill(p.child, signals[i]);
        int status = finish(&p);
        assert_non_null(strstr(p.out, "\033[?1049l"));
        if (i >= 2)
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
    }
}

static void test_no_terminal(void **state)
{
    (void)state;
    static pty p;
    start(&p, "dumb");
    int status = finish(&p);
    assert_int_equal(WEXITSTATUS(status), 10 + CS_UNSUPPORTED);
    assert_int_equal(p.used, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_keys_and_leave),
    cmocka_unit_test(test_signals),
    cmocka_unit_test(test_no_terminal),
};
TESTS(test_terminal)
