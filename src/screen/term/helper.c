#define _GNU_SOURCE /* for closefrom */
#include "screen/term/helper.h"

#include "files/open.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Closes all inherited descriptors except the end of the pipe, which becomes
 * descriptor 3. */
static bool give_files(int end)
{
    int null = cs_open_nowhere();
    bool given = null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 &&
                 dup2(null, 2) == 2 && dup2(end, 3) == 3;
    for (int i = 0; i < 4; i++)
        fcntl(i, F_SETFD, 0); /* dup2 leaves FD_CLOEXEC set if `end` already is
                               * descriptor 3 */
    closefrom(4);
    return given;
}

/* Runs in the child after fork, where only async-signal-safe calls are
 * allowed. The limits are set in the child and not by the parent: on a
 * loaded machine the child might already have forked before the parent sets
 * them, and limits do not apply to existing processes. */
static _Noreturn void become(char *const *argv, int end, int nice, unsigned cpu)
{
    /* limits the child also if the parent is killed */
    const struct rlimit most = {cpu, cpu};
    sigset_t none;
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigemptyset(&none);
    setpgid(0, 0);
    if (getpriority(PRIO_PROCESS, 0) < nice)
        setpriority(PRIO_PROCESS, 0, nice);
    setrlimit(RLIMIT_CPU, &most); /* fails if the limit is already lower */
    if (give_files(end) && sigprocmask(SIG_SETMASK, &none, NULL) == 0)
        execve("/proc/self/exe", argv, environ);
    _exit(127);
}

/* Starts the process in its own group, so that its children end with it and ^C
 * does not reach it. While the process is started, signals are blocked, because
 * the parent's handlers would run in the child. Returns 0 on failure. */
static pid_t spawn(char *const *argv, int end, int nice, unsigned cpu)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0)
        become(argv, end, nice, cpu);
    if (child > 0)
        setpgid(child, child); /* the child may not have called setpgid yet */
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child > 0 ? child : 0;
}

bool cs_helper_start(cs_helper *h, char *const *argv, int nice, unsigned cpu)
{
    int end[2];
    *h = CS_HELPER_NONE;
    if (pipe(end) != 0)
        return false;
    fcntl(end[0], F_SETFD, FD_CLOEXEC);
    h->pipe = end[0];
    h->id = spawn(argv, end[1], nice, cpu);
    close(end[1]);
    if (h->id > 0)
        return true;
    cs_helper_stop(h);
    return false;
}

bool cs_helper_is_over(const cs_helper *h)
{
    struct pollfd end = {.fd = h->pipe, .events = POLLIN};
    return poll(&end, 1, 0) > 0;
}

void cs_helper_stop(cs_helper *h)
{
    if (h->id > 0) {
        kill(-h->id, SIGKILL);
        waitpid(h->id, NULL, 0);
    }
    if (h->pipe >= 0)
        close(h->pipe);
    *h = CS_HELPER_NONE;
}
