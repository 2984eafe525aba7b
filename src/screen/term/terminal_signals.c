/* Restores the terminal however the program ends: after a crash, after a
 * signal, or on a terminal that accepts no more output. Other signals are
 * recorded and wake the main loop. */
#include "screen/term/terminal_parts.h"

#include "files/open.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* RESTORE: bytes that restore the terminal; REPORT: bytes of the message */
enum { RESTORE = 128, REPORT = 800 };

/* All data that a signal handler needs, set before the handlers are
 * installed. */
static struct {
    struct termios before;
    char restore[RESTORE];
    volatile size_t restore_length;
    char report[REPORT]; /* message after a crash */
    volatile sig_atomic_t report_length;
    volatile sig_atomic_t active, ended;
    atomic_uint asked; /* CS_ASKED_... bits */
    int pipe;
    /* the process that controls the terminal; a child has the same
     * handlers until it calls cs_terminal_disown */
    pid_t owner;
} saved;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
static const struct {
    int number;
    unsigned asks;
} asking[] = {
    {SIGTERM, CS_ASKED_STOP},     {SIGHUP, CS_ASKED_STOP},
    {SIGINT, CS_ASKED_INTERRUPT}, {SIGWINCH, CS_ASKED_RESIZE},
    {SIGTSTP, CS_ASKED_SUSPEND},  {SIGCONT, CS_ASKED_RESUME},
};
enum { N_ASKING = sizeof asking / sizeof *asking };

/* Restores the terminal. A terminal that does not read must not block the
 * program, so unread output is discarded to make space for the few bytes of the
 * reset. */
static void give_back(void)
{
    if (!saved.active || getpid() != saved.owner)
        return;
    saved.active = 0;
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    ssize_t n = write(STDOUT_FILENO, saved.restore, saved.restore_length);
    if (n < 0 && tcflush(STDOUT_FILENO, TCOFLUSH) == 0)
        n = write(STDOUT_FILENO, saved.restore, saved.restore_length);
    (void)n;
    fcntl(STDOUT_FILENO, F_SETFL, flags);
    tcsetattr(STDIN_FILENO, TCSANOW, &saved.before);
}

/* Handles a fatal signal once. The handler then raises the signal again,
 * which kills the process. The quit key needs no report. */
static void on_fatal(int signal_number)
{
    bool ours = saved.active && getpid() == saved.owner;
    give_back();
    if (ours && signal_number != SIGQUIT) {
        ssize_t ignored =
            write(STDERR_FILENO, saved.report, (size_t)saved.report_length);
        (void)ignored;
    }
    raise(signal_number);
}

void cs_terminal_set_report(const char *folder)
{
    char text[sizeof saved.report];
    int n = snprintf(
        text, sizeof text,
        "chainscope " CS_VERSION ": the screen has crashed because of a bug; "
        "please report what you did\n%s%.500s%s\n",
        *folder ? "the draws so far are in " : "no draws were written to files",
        folder, *folder ? "; chainscope run with --resume continues" : "");
    if (strcmp(text, saved.report) == 0)
        return;
    /* a signal handler must not print the message while this function
     * changes it */
    saved.report_length = 0;
    memcpy(saved.report, text, sizeof text);
    saved.report_length = n < (int)sizeof text ? n : (int)sizeof text - 1;
}

/* Ends the process some time after a signal that requests the end. Normally the
 * main loop ends earlier, unless it hangs on a terminal that accepts no more
 * output. */
static void on_late(int signal_number)
{
    (void)signal_number;
    give_back();
    _exit(128 + saved.ended);
}

static void on_asked(int signal_number)
{
    int before = errno;
    for (size_t i = 0; i < N_ASKING; i++)
        if (asking[i].number == signal_number)
            atomic_fetch_or(&saved.asked, asking[i].asks);
    if (signal_number == SIGTERM || signal_number == SIGHUP) {
        saved.ended = signal_number;
        alarm(1);
    }
    ssize_t ignored = write(saved.pipe, "", 1);
    (void)ignored;
    errno = before;
}

int cs_terminal_signal(void)
{
    return saved.ended;
}

static void handle(void)
{
    struct sigaction a = {.sa_handler = on_fatal,
                          .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    sigemptyset(&a.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &a, NULL);
    a.sa_handler = on_asked;
    a.sa_flags = SA_RESTART;
    for (size_t i = 0; i < N_ASKING; i++)
        sigaction(asking[i].number, &a, NULL);
    a.sa_handler = on_late;
    sigaction(SIGALRM, &a, NULL);
    a.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &a, NULL);
}

void cs_terminal_signals_begin(int pipe)
{
    saved.pipe = pipe;
    tcgetattr(STDIN_FILENO, &saved.before);
}

void cs_terminal_signals_take(const char *restore, size_t n)
{
    saved.restore_length = n < RESTORE ? n : RESTORE;
    memcpy(saved.restore, restore, saved.restore_length);
    saved.owner = getpid();
    saved.active = 1;
    atomic_store(&saved.asked, 0);
    handle();
}

void cs_terminal_signals_first(const char *bytes)
{
    size_t n = strlen(bytes), length = saved.restore_length;
    if (n + length > RESTORE || strncmp(saved.restore, bytes, n) == 0)
        return;
    /* a signal handler must not write the bytes while they are moved */
    saved.restore_length = 0;
    memmove(saved.restore + n, saved.restore, length);
    memcpy(saved.restore, bytes, n);
    saved.restore_length = n + length;
}

void cs_terminal_signals_pause(void)
{
    saved.active = 0;
    signal(SIGTSTP, SIG_DFL);
}

void cs_terminal_signals_resume(void)
{
    handle();
    atomic_fetch_and(&saved.asked, ~(unsigned)CS_ASKED_RESUME);
    saved.active = 1;
}

static void let_signals_be(void)
{
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        signal(fatal[i], SIG_DFL);
    for (size_t i = 0; i < N_ASKING; i++)
        signal(asking[i].number, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
}

void cs_terminal_signals_end(void)
{
    alarm(0);
    saved.active = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &saved.before);
    let_signals_be();
}

/* Makes this process leave the terminal to its parent. Only the parent handles
 * Ctrl-C, Ctrl-\ and hang-ups from then on. */
void cs_terminal_disown(void)
{
    saved.active = 0;
    let_signals_be();
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    int nowhere = cs_open_nowhere();
    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(nowhere, fd);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
}

unsigned cs_terminal_asked(cs_terminal *t)
{
    char bytes[64];
    while (read(t->pipe[0], bytes, sizeof bytes) > 0)
        continue;
    unsigned asked = atomic_exchange(&saved.asked, 0);
    /* this also ends a paste whose end has not arrived */
    if (asked & CS_ASKED_INTERRUPT)
        cs_input_reset(&t->parser);
    return asked;
}
