/* The front's handle on its session: a child process that owns the script,
 * the run and the files. Whatever happens to the child, the front goes on and
 * can say what happened. */
#pragma once

#include "session/snapshot.h"
#include "session/wire.h"

typedef struct cs_client cs_client;

/* What the child does (make a host, call cs_session_main); its result is the
 * child's exit code. */
typedef int (*cs_client_child)(int fd, cs_snapshots *snapshots, int wake,
                               void *argument);

/* Forks the session. Call it before any thread is started and before curses
 * or readline are touched. [own: cs_client_destroy] */
cs_status cs_client_create(cs_client **out, cs_client_child child,
                           void *argument, cs_error *err);

/* Sends a command line; replies carry `id` back. Never waits: fails when the
 * line is too long, the session is gone (CS_ENDED, and how), or it has not read
 * for a long time (a script that does not return: cs_client_interrupt). */
cs_status cs_client_send(cs_client *c, const char *line, uint32_t id,
                         cs_error *err);

/* The next reply, NULL if there is none yet. [borrowed until the next call] */
const cs_message *cs_client_reply(cs_client *c);

/* Takes all replies that are here, piece by piece (take NULL: nobody wants them);
 * *answered: the id of the last that is whole. A refusal is the error, and so is
 * the session's end (CS_ENDED), but not once it has answered `last` (CS_NO_REPLY: none). */
#define CS_NO_REPLY UINT32_MAX
typedef void cs_client_take(void *self, const cs_message *m);
cs_status cs_client_listen(cs_client *c, cs_client_take *take, void *self,
                           uint32_t *answered, uint32_t last, cs_error *err);

/* The newest snapshot if there is a newer one: base[used] is a cs_flat table,
 * [borrowed until the next take]. */
bool cs_client_snapshot(cs_client *c, const unsigned char **base, size_t *used);
/* The one that was taken last; false: none was. */
bool cs_client_last(const cs_client *c, const unsigned char **base,
                    size_t *used);

/* For poll(): fd[0] is readable after a snapshot or a reply (cs_client_wait
 * and cs_client_calm empty it), fd[1] when the session ended. */
void cs_client_fds(const cs_client *c, int fd[2]);
void cs_client_calm(cs_client *c);

/* Waits until there is something new or `milliseconds` (-1: for ever) are
 * over, and calms the fd. */
void cs_client_wait(cs_client *c, int milliseconds);

/* Whether the child lives; when it does not, why[size] says what happened
 * ("the session was killed by signal 11 (Segmentation fault)"). */
bool cs_client_alive(cs_client *c, char *why, size_t size);

/* The child's exit code once it is dead: 128 + signal when killed. */
int cs_client_exit_code(const cs_client *c);

/* Makes a running script raise an error and a running advance return. */
void cs_client_interrupt(cs_client *c);

/* Asks the child to end (it finishes writing), kills it after the time. */
void cs_client_close(cs_client *c, int milliseconds);
void cs_client_destroy(cs_client *c);

/* In the child of another session: closes what it has of this one, which would
 * else not see that its front is gone. */
void cs_client_disown(cs_client *c);
