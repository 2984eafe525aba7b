#include "session/client/client.h"

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/memory.h"
#include "session/host/script_host.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds before SIGTERM is sent to a session that is closing. */
enum { PATIENCE = 200 };
enum { NICE = 5 };

struct cs_client {
    cs_client *next; /* next client in this process's list of clients */
    pid_t pid;
    int fd, wake;
    cs_snapshots *shared;
    cs_snapshot_end end;
    const unsigned char *last; /* the last snapshot taken from the buffer, or
                                * NULL */
    size_t last_used;
    bool dead, closed;
    int status; /* exit status of the child, from waitpid */
    cs_message message;
};

static cs_client *first; /* list of all clients of this process */

/* In a child process, closes the descriptors that belong to another session. If
 * the child kept them open, the other session would not notice that its front
 * has exited. */
static void disown(cs_client *c)
{
    if (c->fd >= 0)
        close(c->fd);
    if (c->wake >= 0)
        close(c->wake);
    c->fd = c->wake = -1;
    c->dead = c->closed = true;
    cs_snapshots_unmap(c->shared);
    c->shared = NULL;
}

/* Sets up the child process. The front handles the terminal's signals (Ctrl-C,
 * Ctrl-\, a hang-up), so the child ignores them. When the front dies, the child
 * gets SIGTERM. The child gets the nice value NICE; if the nice value of the
 * front is larger, the child keeps that of the front. */
static void be_child(pid_t front)
{
    cs_cancellation_set(NULL, NULL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != front)
        _exit(1);
    if (getpriority(PRIO_PROCESS, 0) < NICE)
        setpriority(PRIO_PROCESS, 0, NICE);
}

static cs_status fork_child(cs_client *c, int far, cs_client_child child,
                            void *argument, cs_error *err)
{
    pid_t front = getpid();
    fflush(NULL);
    c->pid = fork();
    if (c->pid < 0)
        return cs_fail(err, CS_IO, "cannot start the session: %s",
                       strerror(errno));
    if (c->pid == 0) {
        be_child(front);
        close(c->fd);
        for (cs_client *other = first; other; other = other->next)
            disown(other);
        int code = child(far, c->shared, c->wake, argument);
        fflush(NULL);
        _exit(code);
    }
    return CS_OK;
}

cs_status cs_client_create(cs_client **out, cs_client_child child,
                           void *argument, cs_error *err)
{
    assert(child);
    int pair[2] = {-1, -1};
    cs_client *c = cs_alloc(1, sizeof *c);
    if (!c)
        return cs_fail(err, CS_MEMORY, "out of memory for the session");
    c->fd = c->wake = -1;
    c->dead = true;
    c->shared = cs_snapshots_map();
    if (!c->shared) {
        cs_fail(err, CS_MEMORY,
                "out of memory for the snapshots of the session");
        goto fail;
    }
    c->end = cs_snapshot_reader(c->shared);
    c->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (c->wake < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair)) {
        cs_fail(err, CS_IO, "cannot reach a session: %s", strerror(errno));
        goto fail;
    }
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    c->fd = pair[0];
    if (fork_child(c, pair[1], child, argument, err))
        goto fail;
    close(pair[1]);
    c->dead = false;
    c->next = first;
    first = c;
    *out = c;
    return CS_OK;
fail:
    if (pair[1] >= 0)
        close(pair[1]);
    cs_client_destroy(c);
    return err ? err->status : CS_IO;
}

static void reap(cs_client *c, int options)
{
    if (c->dead || c->pid <= 0)
        return;
    pid_t got;
    do
        got = waitpid(c->pid, &c->status, options);
    while (got < 0 && errno == EINTR);
    c->dead = got != 0;
}

/* Waits for the child's end, at most for the given time. If the operating
 * system cannot report the end through a descriptor (Linux before 5.3), checks
 * every millisecond whether the child has ended. */
static void await_end(cs_client *c, int milliseconds)
{
    reap(c, WNOHANG);
    if (c->dead || milliseconds <= 0)
        return;
    double until = cs_clock() + 1e-3 * milliseconds, left;
    struct pollfd end = {.fd = pidfd_open(c->pid, 0), .events = POLLIN};
    while (!c->dead && (left = until - cs_clock()) > 0) {
        poll(&end, 1, end.fd < 0 ? 1 : (int)ceil(1e3 * left));
        reap(c, WNOHANG);
    }
    if (end.fd >= 0)
        close(end.fd);
}

cs_status cs_client_send(cs_client *c, const char *line, uint32_t id,
                         cs_error *err)
{
    if (strlen(line) > CS_WIRE_BYTES)
        return cs_fail(err, CS_INPUT, "the command is longer than %d bytes",
                       CS_WIRE_BYTES);
    cs_message *m = cs_alloc(1, sizeof *m);
    if (!m)
        return cs_fail(err, CS_MEMORY, "out of memory for the command");
    m->id = id;
    cs_message_text(m, line);
    bool sent = cs_wire_send(c->fd, m, false);
    int why = errno;
    cs_free(m);
    if (sent)
        return CS_OK;
    if (why == EAGAIN || why == EWOULDBLOCK) {
        cs_fail(err, CS_IO, "the session does not respond");
        cs_hint(err, "interrupt the running script");
        return CS_IO;
    }
    char text[160];
    await_end(c, PATIENCE);
    return cs_client_alive(c, text, sizeof text)
               ? cs_fail(err, CS_ENDED, "the session has closed its socket")
               : cs_fail(err, CS_ENDED, "%s", text);
}

const cs_message *cs_client_reply(cs_client *c)
{
    if (c->closed)
        return NULL;
    cs_wire_state got = cs_wire_receive(c->fd, &c->message);
    c->closed = got == CS_WIRE_CLOSED;
    return got == CS_WIRE_GOT ? &c->message : NULL;
}

bool cs_client_snapshot(cs_client *c, const unsigned char **base, size_t *used)
{
    bool newer = cs_snapshot_take(&c->end, base, used);
    if (newer) {
        c->last = *base;
        c->last_used = *used;
    }
    return newer;
}

bool cs_client_last(const cs_client *c, const unsigned char **base,
                    size_t *used)
{
    *base = c->last;
    *used = c->last_used;
    return c->last != NULL;
}

void cs_client_fds(const cs_client *c, int fd[2])
{
    fd[0] = c->wake;
    fd[1] = c->closed ? -1 : c->fd;
}

void cs_client_calm(cs_client *c)
{
    uint64_t count;
    if (read(c->wake, &count, sizeof count) < 0)
        return; /* no wake-up was pending */
}

void cs_client_wait(cs_client *c, int milliseconds)
{
    struct pollfd p[2] = {{.fd = c->wake, .events = POLLIN},
                          {.fd = c->closed ? -1 : c->fd, .events = POLLIN}};
    poll(p, 2, milliseconds);
    cs_client_calm(c);
}

/* Returns true if the child is alive. The socket of a child that ends is closed
 * a moment before waitpid() reports the end. */
bool cs_client_alive(cs_client *c, char *why, size_t size)
{
    await_end(c, c->closed ? PATIENCE : 0);
    if (size)
        why[0] = 0;
    if (!c->dead)
        return true;
    if (WIFSIGNALED(c->status))
        snprintf(why, size, "the session was killed by signal %d (%s)",
                 WTERMSIG(c->status), strsignal(WTERMSIG(c->status)));
    else if (WEXITSTATUS(c->status) == CS_HOST_OVERTIME)
        snprintf(why, size,
                 "the session was ended, because the script exceeded its time "
                 "limit in a C function");
    else
        snprintf(why, size, "the session ended with exit code %d",
                 WEXITSTATUS(c->status));
    return false;
}

/* Checks whether the child is alive before reading the replies, since replies
 * that a dead child sent must still be read. */
cs_status cs_client_listen(cs_client *c, cs_client_take *take, void *self,
                           uint32_t *answered, uint32_t last, cs_error *err)
{
    char why[200];
    const cs_message *m;
    bool alive = cs_client_alive(c, why, sizeof why);
    cs_client_calm(c);
    while ((m = cs_client_reply(c))) {
        if (m->status)
            return cs_fail(err, (cs_status)m->status, "%s",
                           (const char *)m->body);
        if (take)
            take(self, m);
        if (!m->part)
            *answered = m->id;
    }
    return alive || *answered == last ? CS_OK
                                      : cs_fail(err, CS_ENDED, "%s", why);
}

int cs_client_exit_code(const cs_client *c)
{
    return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status)
                                  : WEXITSTATUS(c->status);
}

void cs_client_interrupt(cs_client *c)
{
    reap(c, WNOHANG);
    if (!c->dead && c->pid > 0)
        kill(c->pid, SIGUSR1);
}

void cs_client_close(cs_client *c, int milliseconds)
{
    if (c->dead)
        return;
    if (c->fd >= 0)
        close(c->fd); /* the session then reads the end of file */
    c->fd = -1;
    c->closed = true;
    await_end(c, milliseconds < PATIENCE ? milliseconds : PATIENCE);
    if (!c->dead) {
        /* ends a session that does not read the socket because a script is
         * running */
        kill(c->pid, SIGTERM);
        await_end(c, milliseconds - PATIENCE);
    }
    if (!c->dead) {
        kill(c->pid, SIGKILL);
        reap(c, 0);
    }
}

void cs_client_destroy(cs_client *c)
{
    if (!c)
        return;
    for (cs_client **at = &first; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    cs_client_close(c, 3000);
    if (c->fd >= 0)
        close(c->fd);
    if (c->wake >= 0)
        close(c->wake);
    cs_snapshots_unmap(c->shared);
    cs_free(c);
}
