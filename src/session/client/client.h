/* The front's handle on its session. The session is a child process that owns
 * the script, the run and the files. If the child dies, the front continues and
 * can report the cause. */
#pragma once

#include "session/client/snapshot.h"
#include "session/client/wire.h"

typedef struct cs_client cs_client;

/* The child's main function: creates a script host, calls cs_session_main, and
 * returns the child's exit code. */
typedef int (*cs_client_child)(int fd, cs_snapshots *snapshots, int wake,
                               void *argument);

/* Forks the session. Call it before any thread is started and before curses or
 * readline are used. The child closes the descriptors of other sessions of this
 * process. [own: cs_client_destroy] */
cs_status cs_client_create(cs_client **out, cs_client_child child,
                           void *argument, cs_error *err);

/* Sends a command line; the replies to it carry `id`. Never waits. Fails if the
 * line is too long, or if the session has ended (CS_ENDED, with the cause).
 * Also fails if the session has not read its socket for a long time because a
 * script does not return; cs_client_interrupt stops such a script. */
cs_status cs_client_send(cs_client *c, const char *line, uint32_t id,
                         cs_error *err);

/* Returns the next reply. If no reply has arrived, returns NULL. [borrowed
 * until the next call] */
const cs_message *cs_client_reply(cs_client *c);

#define CS_NO_REPLY UINT32_MAX
typedef void cs_client_take(void *self, const cs_message *m);

/* Passes all received replies to `take`, piece by piece; if `take` is NULL,
 * drops the replies. *answered is the id of the last complete reply. Fails with
 * the error of a failed command, or with CS_ENDED if the session has ended
 * before it answered command `last` (CS_NO_REPLY: no command is pending). */
cs_status cs_client_listen(cs_client *c, cs_client_take *take, void *self,
                           uint32_t *answered, uint32_t last, cs_error *err);

/* Takes the newest snapshot. Returns true if it is newer than the last snapshot
 * that was taken; in this case base[used] is a cs_flat table. [borrowed until
 * the next call] */
bool cs_client_snapshot(cs_client *c, const unsigned char **base, size_t *used);
/* Finds the last snapshot taken. Returns false if no snapshot was taken. */
bool cs_client_last(const cs_client *c, const unsigned char **base,
                    size_t *used);

/* Writes descriptors for poll() to fd. fd[0] becomes readable after a snapshot
 * or a reply; cs_client_wait and cs_client_calm empty it. fd[1] becomes
 * readable when the session has ended. */
void cs_client_fds(const cs_client *c, int fd[2]);
void cs_client_calm(cs_client *c);

/* Waits for a snapshot, a reply or the end of the session, for at most
 * `milliseconds` (-1: no limit). Then empties the descriptor fd[0]. */
void cs_client_wait(cs_client *c, int milliseconds);

/* Returns true if the child is alive. If it is not alive, why[size] gives the
 * cause ("the session was killed by signal 11 (Segmentation fault)"). */
bool cs_client_alive(cs_client *c, char *why, size_t size);

/* Returns the exit code of a dead child: 128 + the signal's number if a signal
 * killed the child. */
int cs_client_exit_code(const cs_client *c);

/* Interrupts the session: a running script raises an error, and a run that is
 * advancing stops. */
void cs_client_interrupt(cs_client *c);

/* Asks the child to end; the child first finishes writing its files. If the
 * child has not ended after the given time, kills it. */
void cs_client_close(cs_client *c, int milliseconds);
void cs_client_destroy(cs_client *c);
