#include "script/state/cpu_timer.h"

#include <assert.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EVERY = 10000000 /* interval of the timer in ns */ };

static void on_tick(int signal_number, siginfo_t *info, void *context)
{
    const cs_cpu_timer *t = info->si_value.sival_ptr;
    (void)signal_number;
    (void)context;
    if (info->si_code == SI_TIMER)
        t->tick(t->self);
}

/* True if a signal can interrupt a loop that calls no function. The thread
 * sanitizer delays signals until the next call. */
static bool is_prompt(void)
{
#if defined(__SANITIZE_THREAD__)
    return false;
#else
    return syscall(SYS_gettid) == getpid();
#endif
}

bool cs_cpu_timer_start(cs_cpu_timer *t)
{
    assert(t->tick);
    struct sigaction act = {.sa_sigaction = on_tick,
                            .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGRTMIN,
                             .sigev_value.sival_ptr = t};
    const struct itimerspec every = {{0, EVERY}, {0, EVERY}};
    t->on = false;
    if (!is_prompt() || sigemptyset(&act.sa_mask) ||
        sigaction(SIGRTMIN, &act, NULL) ||
        timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &t->timer))
        return false;
    t->on = timer_settime(t->timer, 0, &every, NULL) == 0;
    if (!t->on)
        timer_delete(t->timer);
    return t->on;
}

void cs_cpu_timer_stop(cs_cpu_timer *t)
{
    if (t->on)
        timer_delete(t->timer);
    t->on = false;
}
