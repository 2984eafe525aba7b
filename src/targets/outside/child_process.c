#define _GNU_SOURCE /* makes execvpe available */
#include "targets/outside/child_process.h"

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "targets/outside/marked.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READ = 1 << 16, TAIL = 1024, SLICE = 50 /* ms */, POLITE = 200 };

struct cs_child_process {
    pid_t pid;
    int in, out, err; /* file descriptors of the program's stdin, stdout and
                         stderr; -1: closed */
    char *text;       /* [capacity] output that is not yet handled */
    size_t used, capacity;
    unsigned long long lines; /* number of lines received so far */
    char tail[TAIL];          /* the end of the program's output on stderr */
    size_t n_tail;
    char name[64];       /* name of the program, for messages */
    const char *to_send; /* [left] the part of a request that is not yet sent */
    size_t left;
    bool killed;
    bool no_signal;     /* true: SIGPIPE is already ignored in this process */
    char mark[CS_MARK]; /* mark of the program and of all processes that it
                           starts */
    char **environment; /* [own] the array; its strings belong to the
                         * environment of this process, except `mark` */
};

/* ---- starting ------------------------------------------------------------ */

enum { IN, OUT, ERR, FAIL, PIPES };

/* Opens a pipe with file descriptors above 2, because the program will use
 * descriptors 0, 1 and 2. */
static bool open_pipe(int ends[2])
{
    int low[2];
    ends[0] = ends[1] = -1;
    if (pipe(low))
        return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
        close(low[i]);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

static void close_all(int (*ends)[2])
{
    for (int i = 0; i < PIPES; i++)
        for (int k = 0; k < 2; k++)
            if (ends[i][k] >= 0)
                close(ends[i][k]);
}

/* Runs after the fork, where only async-signal-safe calls are allowed. Puts the
 * child into its own process group, so that its children can be terminated
 * together with it, and Ctrl-C does not reach it. */
static void become(const cs_child_process *c, const char *const *command,
                   const char *folder, int ends[][2], pid_t parent)
{
    static const int usual[] = {SIGINT,  SIGQUIT, SIGHUP,  SIGPIPE,
                                SIGALRM, SIGTERM, SIGUSR1, SIGIO};
    sigset_t none;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        signal(usual[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    bool good = getppid() == parent && dup2(ends[IN][0], 0) == 0 &&
                dup2(ends[OUT][1], 1) == 1 && dup2(ends[ERR][1], 2) == 2 &&
                (!folder || !*folder || chdir(folder) == 0);
    for (int fd = 3; fd < 1024; fd++)
        if (fd != ends[FAIL][1])
            close(fd);
    if (good) {
        union {
            const char *const *borrowed;
            char *const *words;
        } as = {command};
        execvpe(command[0], as.words, c->environment);
    }
    int why = errno;
    if (write(ends[FAIL][1], &why, sizeof why) < 0)
        _exit(126);
    _exit(127);
}

static cs_status refuse(const char *const *command, int why, cs_error *err)
{
    cs_fail(err, CS_IO, "cannot start %s: %s", command[0], strerror(why));
    if (why == ENOENT)
        cs_hint(err, "give an existing program, for example process = { "
                     "\"python3\", \"model.py\" }");
    return CS_IO;
}

/* Waits until the program runs. If the program cannot run, fails with the
 * reason. */
static cs_status start(cs_child_process *c, const char *const *command,
                       const char *folder, int ends[][2], cs_error *err)
{
    pid_t parent = getpid();
    int why;
    c->pid = fork();
    if (c->pid == 0)
        become(c, command, folder, ends, parent);
    if (c->pid < 0)
        return refuse(command, errno, err);
    setpgid(c->pid, c->pid);
    close(ends[FAIL][1]);
    ends[FAIL][1] = -1;
    ssize_t n;
    do
        n = read(ends[FAIL][0], &why, sizeof why);
    while (n < 0 && errno == EINTR);
    return n == sizeof why ? refuse(command, why, err) : CS_OK;
}

static int keep(int *end)
{
    int fd = *end;
    *end = -1;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    return fd;
}

cs_status cs_child_process_start(cs_child_process **out,
                                 const char *const *command, const char *folder,
                                 cs_error *err)
{
    assert(out && command && command[0]);
    int ends[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    const char *slash = strrchr(command[0], '/');
    cs_child_process *c = cs_alloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return cs_fail(err, CS_MEMORY, "out of memory for a process");
    struct sigaction usual;
    c->no_signal =
        sigaction(SIGPIPE, NULL, &usual) == 0 && usual.sa_handler == SIG_IGN;
    c->in = c->out = c->err = -1;
    cs_text_clean(slash ? slash + 1 : command[0], c->name, sizeof c->name);
    bool open = true;
    c->environment = cs_marked_environment(c->mark);
    if (!c->environment) {
        cs_free(c);
        return cs_fail(err, CS_MEMORY, "out of memory for a process");
    }
    for (int i = 0; i < PIPES; i++)
        open = open && open_pipe(ends[i]);
    cs_status status =
        open ? start(c, command, folder, ends, err)
             : cs_fail(err, CS_IO, "cannot make a pipe: %s", strerror(errno));
    if (status == CS_OK) {
        c->in = keep(&ends[IN][1]);
        c->out = keep(&ends[OUT][0]);
        c->err = keep(&ends[ERR][0]);
        *out = c;
    }
    close_all(ends);
    if (status)
        cs_child_process_end(c);
    return status;
}

/* ---- ending -------------------------------------------------------------- */

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Waits for the process to end, for at most the given number of milliseconds.
 * If the process has ended, sets *status and returns true. */
static bool reap(cs_child_process *c, int milliseconds, int *status)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0;; i++) {
        pid_t got = waitpid(c->pid, status, WNOHANG);
        if (got == c->pid || (got < 0 && errno != EINTR))
            return true;
        if (i >= milliseconds)
            return false;
        nanosleep(&moment, NULL);
    }
}

void cs_child_process_end(cs_child_process *c)
{
    int status;
    if (!c)
        return;
    close_end(&c->in); /* tells the program that no more requests follow */
    close_end(&c->out);
    close_end(&c->err);
    if (c->pid > 0) {
        bool ended = reap(c, POLITE, &status);
        kill(-c->pid, SIGKILL); /* also kills the processes that the program
                                   started */
        if (!ended)
            waitpid(c->pid, &status, 0);
        cs_marked_kill(c->mark);
    }
    CS_FREE_ALL(c->environment, c->text, c);
}

bool cs_child_process_was_killed(const cs_child_process *c)
{
    return c->killed;
}

/* ---- requests ------------------------------------------------------------ */

/* Calls write(), but blocks SIGPIPE. */
static ssize_t write_quietly(const cs_child_process *c, const char *text,
                             size_t n)
{
    if (c->no_signal)
        return write(c->in, text, n);
    const struct timespec now = {0, 0};
    sigset_t pipe_only, before;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t done = write(c->in, text, n);
    int why = errno;
    if (done < 0 && why == EPIPE && !sigismember(&before, SIGPIPE))
        sigtimedwait(&pipe_only, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return done;
}

/* Sends part of the request. A program that has closed its input causes no
 * error here, so that the earlier output of the program is read first. */
static void send_some(cs_child_process *c)
{
    while (c->left) {
        ssize_t n = write_quietly(c, c->to_send, c->left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n < 0) {
            c->left = 0;
            return;
        }
        c->to_send += n;
        c->left -= (size_t)n;
    }
}

/* Appends the available output on stderr to c->tail, which keeps the last TAIL
 * bytes. */
static void take_error(cs_child_process *c)
{
    char some[TAIL];
    ssize_t n = read(c->err, some, sizeof some);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_end(&c->err);
    if (n <= 0)
        return;
    size_t got = (size_t)n, kept = TAIL - got;
    if (kept > c->n_tail)
        kept = c->n_tail;
    memmove(c->tail, c->tail + c->n_tail - kept, kept);
    memcpy(c->tail + kept, some, got);
    c->n_tail = kept + got;
}

/* Copies the last line of the output on stderr to text[size], without control
 * characters; "" if there is no such line. */
static void last_words(cs_child_process *c, char *text, size_t size)
{
    char raw[TAIL + 1];
    for (int i = 0; i < 64 && c->err >= 0; i++)
        take_error(c);
    size_t end = c->n_tail;
    while (end && strchr(" \t\r\n", c->tail[end - 1]) && c->tail[end - 1])
        end--;
    size_t from = end;
    while (from && c->tail[from - 1] != '\n')
        from--;
    memcpy(raw, c->tail + from, end - from);
    raw[end - from] = 0;
    cs_text_clean(raw, text, size);
}

/* Reports how the process ended. If the process has only closed its output,
 * terminates it. */
static cs_status tell_end(cs_child_process *c, cs_error *err)
{
    char words[200];
    int status = 0;
    if (!reap(c, POLITE, &status)) {
        kill(-c->pid, SIGKILL);
        waitpid(c->pid, &status, 0);
        snprintf(words, sizeof words, "closed its output");
    } else if (WIFSIGNALED(status)) {
        c->killed = WTERMSIG(status) == SIGKILL;
        snprintf(words, sizeof words, "was killed by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(words, sizeof words, "exited with code %d",
                 WEXITSTATUS(status));
    }
    cs_fail(err, CS_IO, "the process %s after line %llu of its output", words,
            c->lines);
    kill(-c->pid, SIGKILL);
    cs_marked_kill(c->mark);
    c->pid = 0;
    last_words(c, words, sizeof words);
    if (*words)
        cs_hint(err, "its last line on stderr: %s", words);
    return CS_IO;
}

static cs_status blame_line(const cs_child_process *c, const char *line,
                            cs_error *err)
{
    char shown[64], what[sizeof err->what];
    if (!err)
        return CS_INPUT;
    cs_text_clean(line, shown, sizeof shown);
    memcpy(what, err->what, sizeof what);
    snprintf(err->what, sizeof err->what,
             "line %llu from the process, '%s': %.400s", c->lines, shown, what);
    return err->status;
}

/* Passes all complete lines to the listener, until it sets *more to false. */
static cs_status hear_lines(cs_child_process *c, const cs_child_listener *to,
                            bool *more, cs_error *err)
{
    char *at = c->text, *end = c->text + c->used, *stop;
    cs_status status = CS_OK;
    while (*more && status == CS_OK &&
           (stop = memchr(at, '\n', (size_t)(end - at)))) {
        char shown[48];
        *stop = 0;
        c->lines++;
        snprintf(shown, sizeof shown, "%s", at);
        status = strlen(at) < (size_t)(stop - at)
                     ? cs_fail(err, CS_INPUT, "the line contains a zero byte")
                     : to->hear(to->self, at, more, err);
        if (status)
            return blame_line(c, shown, err);
        at = stop + 1;
    }
    c->used = (size_t)(end - at);
    memmove(c->text, at, c->used);
    if (*more && c->used > to->most) {
        c->lines++;
        c->text[40] = 0;
        cs_fail(err, CS_INPUT, "the line is longer than %zu bytes", to->most);
        return blame_line(c, c->text, err);
    }
    return CS_OK;
}

/* Reads available output of the process; returns false at the end of the
 * output. */
static bool take_output(cs_child_process *c, cs_error *err)
{
    if (c->capacity - c->used < READ) {
        char *text =
            cs_resize(c->text, c->capacity, c->capacity + 4 * (size_t)READ);
        if (!text) {
            cs_fail(err, CS_MEMORY,
                    "out of memory for the output of the process");
            return false;
        }
        c->text = text;
        c->capacity += 4 * (size_t)READ;
    }
    ssize_t n = read(c->out, c->text + c->used, READ);
    if (n > 0)
        c->used += (size_t)n;
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Waits until the process can be read from or written to. Waits at most SLICE
 * ms. */
static void wait_for(cs_child_process *c, double until, struct pollfd p[3])
{
    double left = 1e3 * (until - cs_clock());
    p[0] = (struct pollfd){.fd = c->out, .events = POLLIN};
    p[1] = (struct pollfd){.fd = c->err, .events = POLLIN};
    p[2] = (struct pollfd){.fd = c->left ? c->in : -1, .events = POLLOUT};
    if (poll(p, 3, left < SLICE ? (left > 0 ? (int)left + 1 : 0) : SLICE) < 0)
        p[0].revents = p[1].revents = p[2].revents = 0;
}

static cs_status tell_late(cs_child_process *c, double seconds, cs_error *err)
{
    char words[200];
    cs_fail(
        err, CS_IO,
        "the process gave no answer within %g s, after line %llu of its output",
        seconds, c->lines);
    last_words(c, words, sizeof words);
    if (*words)
        cs_hint(err, "its last line on stderr: %s", words);
    else
        cs_hint(err, "raise the time limit: timeout = %g", 10 * seconds);
    return CS_IO;
}

/* Fails if the process has written output before a request. */
static cs_status check_quiet(cs_child_process *c, cs_error *err)
{
    if (!c->used)
        return CS_OK;
    c->lines++;
    c->text[c->used < 40 ? c->used : 40] = 0;
    c->text[strcspn(c->text, "\n")] = 0;
    cs_fail(err, CS_INPUT, "no output was expected");
    return blame_line(c, c->text, err);
}

cs_status cs_child_process_ask(cs_child_process *c, const char *text, size_t n,
                               double seconds, const cs_child_listener *to,
                               cs_error *err)
{
    assert(c && (text || !n) && seconds >= 0);
    struct pollfd p[3];
    double until = cs_clock() + seconds;
    bool more = true;
    cs_status status = check_quiet(c, err);
    c->to_send = text;
    c->left = n;
    if (status == CS_OK)
        send_some(c);
    while (status == CS_OK) {
        if (c->used)
            status = hear_lines(c, to, &more, err);
        if (status || !more)
            break;
        wait_for(c, until, p);
        if (p[1].revents)
            take_error(c);
        if (p[2].revents)
            send_some(c);
        if (p[0].revents) {
            cs_error full = {0};
            if (!take_output(c, &full))
                status = full.status
                             ? cs_fail(err, full.status, "%s", full.what)
                             : tell_end(c, err);
        } else if (cs_cancellation_requested()) {
            status = cs_fail(err, CS_STOPPED, "stopped on request");
        } else if (cs_clock() >= until) {
            status = tell_late(c, seconds, err);
        }
    }
    return status;
}
