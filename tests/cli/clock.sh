#!/bin/sh
# usage: clock.sh PROGRAM SCENARIO
# Tests runs while the wall clock is set a day ahead and back again at each
# call, or does not advance. A run makes the same draws, can be resumed, watched
# and checked, and ends. Files with modification times in 1970 or 2100 are not
# refused.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
cd "$work" || exit 1
if ldd "$program" | grep -q 'lib[at]san' || ! command -v "${CC:-cc}" >/dev/null; then
    echo "skipped: a sanitizer is in the program, or there is no C compiler"
    exit 0
fi

cat >clock.c <<'END_OF_C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long seconds(long now)
{
    static _Atomic long calls;
    const char *how = getenv("CLOCK");
    if (how && strcmp(how, "still") == 0)
        return 1000000000;
    return now + (how ? 86400 * (calls++ % 3 - 1) : 0);
}
int clock_gettime(clockid_t clock, struct timespec *t)
{
    long status = syscall(SYS_clock_gettime, clock, t);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        t->tv_sec = seconds(t->tv_sec);
        t->tv_nsec = t->tv_sec == 1000000000 ? 0 : t->tv_nsec;
    }
    return (int)status;
}
time_t time(time_t *to)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (to)
        *to = t.tv_sec;
    return t.tv_sec;
}
int gettimeofday(struct timeval *t, void *zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
END_OF_C
cat >look.c <<'END_OF_C'
#include <stdio.h>
#include <time.h>
int main(void) { return printf("%ld\n", (long)time(NULL)) < 0; }
END_OF_C
"${CC:-cc}" -shared -fPIC -o clock.so clock.c && "${CC:-cc}" -o look look.c ||
    { echo "skipped: the compiler makes no library"; exit 0; }
[ "$(CLOCK=still LD_PRELOAD=./clock.so ./look)" = 1000000000 ] || fault "the clock is not changed"

# on HOW WORD ...: runs the program with the clock HOW. A program that never
# ends is killed.
on() {
    how=$1
    shift
    CLOCK=$how LD_PRELOAD=$work/clock.so timeout 300 "$program" "$@"
}
"$program" run "$scenario" --out whole --steps 3000 >said 2>&1 || fault "$(cat said)"
for how in jumps still; do
    on $how run "$scenario" --out $how --steps 1500 --checkpoint 0 >said 2>&1 ||
        fault "$how: run: $(cat said)"
    touch -d @0 $how/*
    on $how run "$scenario" --out $how --steps 3000 --resume >said 2>&1 ||
        fault "$how: not resumed: $(cat said)"
    for file in whole/*.csv; do
        # The last lines report the elapsed time.
        grep -v '^#' "$file" >a
        grep -v '^#' "$how/${file##*/}" >b
        cmp -s a b || fault "$how: other draws in ${file##*/}"
    done
    touch -d 2100-01-01 $how/*
    on $how verify $how >said 2>&1 || fault "$how: verify: $(cat said)"
    on $how shot $how --steps 100 >said 2>&1 || fault "$how: shot: $(cat said)"
    grep -q 'step 100' said || fault "$how: the draws are not shown: $(head -1 said)"
    on $how check "$scenario" --seconds 1 >said 2>&1 || fault "$how: check: $(cat said)"
done
exit $faults
