#include "files/gate.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* State set by tests and by the environment. Each request increments the
 * count. */
static struct {
    atomic_ulong requests, fail_at;
    atomic_int why;
    atomic_bool for_ever, read_environment;
} gate;

void cs_gate_fail_at(unsigned long n, int why, bool for_ever)
{
    atomic_store(&gate.read_environment, true);
    atomic_store(&gate.requests, 0);
    atomic_store(&gate.why, why);
    atomic_store(&gate.for_ever, for_ever);
    atomic_store(&gate.fail_at, n);
}

unsigned long cs_gate_requests(void)
{
    return atomic_load(&gate.requests);
}

static void read_environment(void)
{
    const char *fails = getenv("CHAINSCOPE_IOFAIL");
    const char *dies = getenv("CHAINSCOPE_IOKILL");
    if (fails || dies)
        cs_gate_fail_at(strtoul(fails ? fails : dies, NULL, 10),
                        fails ? ENOSPC : 0, true);
}

/* Returns true if the current request must fail, and sets errno to the reason;
 * errno 0 means that the process must be killed. */
static bool is_to_fail(void)
{
    if (!atomic_exchange(&gate.read_environment, true))
        read_environment();
    unsigned long n = atomic_fetch_add(&gate.requests, 1) + 1;
    unsigned long at = atomic_load(&gate.fail_at);
    if (!at || n < at || (n > at && !atomic_load(&gate.for_ever)))
        return false;
    errno = atomic_load(&gate.why);
    return true;
}

static void die_of(int why)
{
    if (why == 0)
        kill(getpid(), SIGKILL);
}

bool cs_gate_refuses(void)
{
    bool fails = is_to_fail();
    if (fails)
        die_of(errno);
    return fails;
}

static bool write_some(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool cs_gate_write(int fd, const void *bytes, size_t size)
{
    if (!is_to_fail())
        return write_some(fd, bytes, size);
    int why = errno;
    write_some(fd, bytes, size / 2);
    die_of(why);
    errno = why;
    return false;
}
