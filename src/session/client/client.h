/* The front's handle on its session: a child process that owns the script, the
 * run and the files. If the child dies, the front continues and can report the
 * cause. */
#pragma once

#include "session/client/snapshot.h"
#include "session/client/wire.h"

typedef struct cs_client cs_client;

/* The child's main function (creates a host, calls cs_session_main); its result
 * is the child's exit code. */
typedef int (*cs_client_child)(int fd, cs_snapshots *snapshots, int wake,
                               void *argument);

/* Forks the session. Call it before any thread is started and before curses or
 * readline are used. The child closes the descriptors of other sessions of this
 * process. [own: cs_client_destroy] */
cs_status cs_client_create(cs_client **out, cs_client_child child,
                           void *argument, cs_error *err);

/* Sends a command line; replies carry `id`. Never waits: fails if the line is
 * too long, the session has ended (CS_ENDED, with the cause), or it has not
 * read for a long time (a script that does not return: cs_client_interrupt). */
cs_status cs_client_send(cs_client *c, const char *line, uint32_t id,
                         cs_error *err);

/* Returns the next reply, NULL if none has arrived. [borrowed until the next
 * call] */
const cs_message *cs_client_reply(cs_client *c);

/* Passes all received replies to `take`, piece by piece (take NULL: drops
 * them); *answered: the id of the last complete reply. Fails with the error of
 * a failed command, or with CS_ENDED if the session has ended before it
 * answered `last` (CS_NO_REPLY: none). */
#define CS_NO_REPLY UINT32_MAX
typedef void cs_client_take(void *self, const cs_message *m);
cs_status cs_client_listen(cs_client *c, cs_client_take *take, void *self,
                           uint32_t *answered, uint32_t last, cs_error *err);

/* Returns the newest snapshot if it is newer than the last: base[used] is a
 * cs_flat table, [borrowed until the next take]. */
bool cs_client_snapshot(cs_client *c, const unsigned char **base, size_t *used);
/* Returns the last snapshot taken; false if none was. */
bool cs_client_last(const cs_client *c, const unsigned char **base,
                    size_t *used);

/* Descriptors for poll(): fd[0] is readable after a snapshot or a reply
 * (cs_client_wait and cs_client_calm empty it), fd[1] when the session has
 * ended. */
void cs_client_fds(const cs_client *c, int fd[2]);
void cs_client_calm(cs_client *c);

/* Waits for a snapshot, a reply or the session's end, up to `milliseconds` (-1:
 * no limit), and empties the descriptor. */
void cs_client_wait(cs_client *c, int milliseconds);

/* True if the child is alive; if not, why[size] gives the cause ("the session
 * was killed by signal 11 (Segmentation fault)"). */
bool cs_client_alive(cs_client *c, char *why, size_t size);

/* Returns the exit code of a dead child: 128 + signal if killed. */
int cs_client_exit_code(const cs_client *c);

/* Makes a running script raise an error and a running advance return. */
void cs_client_interrupt(cs_client *c);

/* Asks the child to end (it finishes writing); kills it after the given
 * time. */
void cs_client_close(cs_client *c, int milliseconds);
void cs_client_destroy(cs_client *c);
