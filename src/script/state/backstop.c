#include "script/state/backstop.h"

#include "session/host/script_host.h"

#include <assert.h>
#include <unistd.h>

static void set(const cs_backstop *b, time_t seconds)
{
    const struct itimerspec every = {{seconds, 0}, {seconds, 0}};
    timer_settime(b->timer, 0, &every, NULL);
}

static void on_second(int signal_number, siginfo_t *info, void *context)
{
    cs_backstop *b = info->si_value.sival_ptr;
    (void)signal_number;
    (void)context;
    if (info->si_code != SI_TIMER || !b->made)
        return;
    if (!b->at_work(b->self)) {
        b->armed = 0;
        set(b, 0);
    } else if (b->late(b->self)) {
        _exit(CS_HOST_OVERTIME);
    }
}

void cs_backstop_start(cs_backstop *b)
{
    assert(b->at_work && b->late);
    struct sigaction act = {.sa_sigaction = on_second,
                            .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGRTMIN + 1,
                             .sigev_value.sival_ptr = b};
    b->made = !sigemptyset(&act.sa_mask) &&
              !sigaction(SIGRTMIN + 1, &act, NULL) &&
              !timer_create(CLOCK_MONOTONIC, &event, &b->timer);
}

void cs_backstop_stop(cs_backstop *b)
{
    if (b->made)
        timer_delete(b->timer);
    b->made = false;
}

void cs_backstop_watch(cs_backstop *b)
{
    if (b->armed || !b->made)
        return;
    b->armed = 1;
    set(b, 1);
}
