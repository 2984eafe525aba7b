#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np */
#include "screen/helper.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A group of its own: what it forks ends with it, and ^C is not for it. It gets
 * no descriptor of ours but the end of the pipe, as number 3. */
static pid_t spawn(char *const *argv, int end)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t all, none;
    pid_t child = 0;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&files, 0, 1);
    posix_spawn_file_actions_adddup2(&files, 0, 2);
    posix_spawn_file_actions_adddup2(&files, end, 3);
    posix_spawn_file_actions_addclosefrom_np(&files, 4);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP |
                                       POSIX_SPAWN_SETSIGDEF |
                                       POSIX_SPAWN_SETSIGMASK);
    if (posix_spawn(&child, "/proc/self/exe", &files, &how, argv, environ) != 0)
        child = 0;
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return child;
}

bool cs_helper_start(cs_helper *h, char *const *argv, int nice, unsigned cpu)
{
    const struct rlimit most = {cpu, cpu}; /* if we are killed */
    int end[2];
    *h = CS_HELPER_NONE;
    if (pipe(end) != 0)
        return false;
    fcntl(end[0], F_SETFD, FD_CLOEXEC);
    h->pipe = end[0];
    h->id = spawn(argv, end[1]);
    close(end[1]);
    if (h->id > 0) { /* with the session that it forks, or has forked */
        setpriority(PRIO_PGRP, (id_t)h->id, nice);
        prlimit(h->id, RLIMIT_CPU, &most, NULL);
        return true;
    }
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
