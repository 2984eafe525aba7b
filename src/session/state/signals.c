/* Handles signals to the session: interrupt, end, and the arrival of a
 * command. */
#include "session/state/signals.h"
#include "run/collect.h"
#include "run/run.h"
#include "run/run_replay.h"
#include "session/state/session_state.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* State shared with signal handlers. It is global because a handler has no
 * argument for it. */
static struct {
    const cs_host *host;
    cs_run *volatile moving; /* the run while it advances, otherwise NULL */
    volatile sig_atomic_t asked, terminate;
    volatile sig_atomic_t heard;   /* a command has arrived since the last
                                    * check */
    volatile sig_atomic_t patient; /* true if commands may wait until the
                                    * advance ends */
    /* true if a script was interrupted in the middle of a step */
    volatile sig_atomic_t torn;
    /* SIGTERM has arrived, and the front may have received it too */
    volatile sig_atomic_t shared;
    pid_t front;
} for_handlers;

/* Times in seconds. PATIENCE: from a signal until the script is interrupted;
 * LAST_WORD: from the interrupt until the process exits; FRONT: from SIGTERM
 * until the front must have reacted. */
enum { PATIENCE = 1, LAST_WORD = 4, FRONT = 2 };

static void interrupt_script(void)
{
    for_handlers.torn = for_handlers.moving != NULL;
    if (for_handlers.host->interrupt)
        for_handlers.host->interrupt(for_handlers.host->self);
}

/* Handles an interrupt. A script that computes a density must not be
 * interrupted within a step, because the chain would get NaN and fail. The
 * advance therefore ends after the current step. The script is interrupted only
 * if the step does not end in time, or at a second signal. */
static void on_interrupt(int signal_number)
{
    (void)signal_number;
    for_handlers.shared = 0;
    if (!for_handlers.moving || for_handlers.asked++) {
        interrupt_script();
        return;
    }
    cs_run_stop(for_handlers.moving);
    alarm(PATIENCE);
}

/* Ends the process after completing the step and the files. */
static void terminate(int signal_number)
{
    for_handlers.terminate = 1;
    on_interrupt(signal_number);
    alarm(PATIENCE);
}

/* Handles SIGTERM. If the signal comes from the front, or is due to the
 * front's death, it ends the session. If it comes from another process, it
 * may have been sent to the whole process group (timeout, kill -- -PGID). In
 * that case the front interrupts the session, reads the pending results, and
 * closes the session. If the front does not do so in time, the signal was
 * sent only to the session, and ends it. */
static void on_terminate(int signal_number, siginfo_t *from, void *context)
{
    (void)context;
    if (from->si_code != SI_USER || from->si_pid == for_handlers.front ||
        getppid() != for_handlers.front || for_handlers.shared) {
        terminate(signal_number);
        return;
    }
    for_handlers.shared = 1;
    alarm(FRONT);
}

/* Handles a step that has not ended in time: interrupts the script. If the
 * session must end, but the interrupt had no effect, the process exits. */
static void on_alarm(int signal_number)
{
    if (for_handlers.shared) {
        terminate(signal_number);
        return;
    }
    interrupt_script();
    if (!for_handlers.terminate)
        return;
    if (for_handlers.terminate > 1)
        _exit(1);
    for_handlers.terminate = 2;
    alarm(LAST_WORD);
}

/* Handles the arrival of a command: the current quantum ends after the current
 * step. */
static void on_command(int signal_number)
{
    (void)signal_number;
    for_handlers.heard = 1;
    if (for_handlers.moving && !for_handlers.patient)
        cs_run_stop(for_handlers.moving);
}

static void install(int signal_number, struct sigaction act)
{
    sigemptyset(&act.sa_mask);
    sigaddset(&act.sa_mask, SIGUSR1);
    sigaddset(&act.sa_mask, SIGTERM);
    sigaddset(&act.sa_mask, SIGALRM);
    sigaddset(&act.sa_mask, SIGIO);
    sigaction(signal_number, &act, NULL);
}

static void handle(int signal_number, void (*handler)(int), int flags)
{
    install(signal_number,
            (struct sigaction){.sa_handler = handler, .sa_flags = flags});
}

/* Starts to handle signals. If the socket does not support O_ASYNC, commands
 * wait for the end of a quantum. */
void cs_signals_listen(const cs_host *host, int fd)
{
    for_handlers.host = host;
    for_handlers.moving = NULL;
    for_handlers.asked = for_handlers.terminate = for_handlers.heard = 0;
    for_handlers.shared = 0;
    for_handlers.front = getppid();
    handle(SIGUSR1, on_interrupt, 0);
    install(SIGTERM, (struct sigaction){.sa_sigaction = on_terminate,
                                        .sa_flags = SA_SIGINFO});
    handle(SIGALRM, on_alarm, 0);
    handle(SIGIO, on_command, SA_RESTART);
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && fcntl(fd, F_SETOWN, getpid()) == 0)
        fcntl(fd, F_SETFL, flags | O_ASYNC);
}

void cs_signals_look(void)
{
    for_handlers.heard = 0;
}

bool cs_signals_asked(void)
{
    return for_handlers.asked;
}

bool cs_signals_ended(void)
{
    return for_handlers.terminate;
}

static void begin_move(cs_session *s, bool patient)
{
    for_handlers.patient = patient;
    for_handlers.asked = for_handlers.torn = 0;
    if (s->host->forget)
        s->host->forget(s->host->self);
    for_handlers.moving = s->open.run;
    if (for_handlers.heard && !patient) /* a command arrived after the last
                                         * check */
        cs_run_stop(s->open.run);
    for_handlers.heard = 0;
}

static void end_move(cs_session *s)
{
    for_handlers.moving = NULL;
    if (for_handlers.asked && !for_handlers.terminate)
        alarm(0);
    if (for_handlers.torn)
        cs_record_tear(s->record);
}

cs_status cs_session_advance(cs_session *s, uint64_t n, uint64_t *done,
                             cs_error *err)
{
    assert(s->open.run);
    begin_move(s, false);
    cs_status status = cs_run_advance(s->open.run, n, done, err);
    end_move(s);
    return status;
}

void cs_session_follow_to(cs_session *s, uint64_t goal)
{
    begin_move(s, true);
    cs_run_follow(s->open.run, goal);
    end_move(s);
}

/* After this call no script is interrupted, so the host may be destroyed. If
 * destroying the host takes too long, the process is still terminated. */
void cs_signals_leave(void)
{
    static const cs_host nobody = {.self = NULL};
    for_handlers.host = &nobody;
}

void cs_signals_end(void)
{
    signal(SIGUSR1, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGALRM, SIG_IGN);
    signal(SIGIO, SIG_IGN);
}

void cs_signals_follow(void)
{
    signal(SIGUSR1, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

cs_status cs_session_replay(cs_session *s, const char *journal, cs_error *err)
{
    assert(s->open.run);
    if (s->host->afresh)
        s->host->afresh(s->host->self);
    begin_move(s, true);
    cs_status status = cs_run_replay(s->open.run, journal, err);
    end_move(s);
    return status;
}
