#include "targets/outside/marked.h"

#include "base/memory.h"
#include "files/open.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    ROUNDS = 16,
    MOST = 1 << 18 /* largest size of an environment in bytes */
};

extern char **environ;

char **cs_marked_environment(char mark[CS_MARK])
{
    size_t n = 0;
    uint64_t number = 0;
    while (environ && environ[n])
        n++;
    char **all = cs_alloc(n + 2, sizeof *all);
    if (!all || getrandom(&number, sizeof number, 0) != sizeof number) {
        cs_free(all);
        return NULL;
    }
    snprintf(mark, CS_MARK, "CHAINSCOPE_CHILD=%d.%016" PRIx64, (int)getpid(),
             number);
    all[0] = mark;
    if (n)
        memcpy(all + 1, environ, n * sizeof *all);
    return all;
}

/* Returns whether the environment of a process contains the mark. */
static bool has(const char *pid, const char *mark, char *text)
{
    char path[64];
    size_t used = 0, length = strlen(mark) + 1;
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int fd = cs_open_read(path, NULL);
    if (fd < 0)
        return false;
    for (ssize_t n; used < MOST; used += (size_t)n)
        if ((n = read(fd, text + used, MOST - used)) <= 0)
            break;
    close(fd);
    for (size_t at = 0; at + length <= used; at += strlen(text + at) + 1)
        if (memcmp(text + at, mark, length) == 0)
            return true;
    return false;
}

/* Kills the processes that have the mark; returns their number. */
static size_t kill_once(const char *mark, char *text)
{
    size_t n = 0;
    DIR *d = cs_open_list("/proc");
    for (const struct dirent *e; d && (e = readdir(d));) {
        pid_t pid = isdigit((unsigned char)*e->d_name) ? atoi(e->d_name) : 0;
        if (pid > 0 && pid != getpid() && has(e->d_name, mark, text))
            n += kill(pid, SIGKILL) == 0;
    }
    if (d)
        closedir(d);
    return n;
}

/* Repeats the search, because a process may start another process before it is
 * killed. */
void cs_marked_kill(const char *mark)
{
    char *text = cs_alloc(MOST + 1, 1);
    for (int i = 0; text && i < ROUNDS && kill_once(mark, text); i++)
        continue;
    cs_free(text);
}
