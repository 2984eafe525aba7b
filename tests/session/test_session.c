/* Tests the session with a host and a run that only count steps. The tests
 * cover commands, snapshots, and the start and the end of the child process. */
#include "counting.h"
#include "forgetful.h"
#include "leave.h"
#include "support/cost.h"
#include "support/support.h"

#include "session/client/client.h"
#include "session/client/shell_words.h"
#include "session/session.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 60 }; /* seconds until a session is considered to hang */

static int child(int fd, cs_snapshots *snapshots, int wake, void *argument)
{
    (void)argument;
    signal(SIGSEGV, SIG_DFL);
    struct rlimit none = {0};
    setrlimit(RLIMIT_CORE, &none);
    const cs_host host = {.open = host_open,
                          .eval = host_eval,
                          .complete = host_complete,
                          .gallery = host_gallery,
                          .interrupt = host_interrupt};
    return without_leaks(cs_session_main(fd, snapshots, wake, &host));
}

/* ---- queries ------------------------------------------------------------- */

static const cs_message *ask(cs_client *c, const char *line)
{
    static uint32_t id;
    assert_int_equal(cs_client_send(c, line, ++id, NULL), CS_OK);
    for (double end = now() + PATIENCE; now() < end; cs_client_wait(c, 50)) {
        const cs_message *m = cs_client_reply(c);
        if (!m)
            continue;
        assert_int_equal(m->id, id);
        return m;
    }
    fail_msg("no reply to %s", line);
    return NULL;
}

static void obeyed(cs_client *c, const char *line)
{
    const cs_message *m = ask(c, line);
    if (m->status)
        fail_msg("%s: %s", line, (const char *)m->body);
}

static void refused(cs_client *c, const char *line, const char *because)
{
    const cs_message *m = ask(c, line);
    assert_int_not_equal(m->status, CS_OK);
    if (!strstr((const char *)m->body, because))
        fail_msg("%s: '%s' does not contain '%s'", line, (const char *)m->body,
                 because);
}

/* Waits for a snapshot in which the string `key` equals `want`. */
static const unsigned char *see(cs_client *c, const char *key, const char *want,
                                size_t *used)
{
    const unsigned char *base;
    cs_flat_entry e;
    for (double end = now() + PATIENCE; now() < end; cs_client_wait(c, 20))
        if (cs_client_snapshot(c, &base, used) &&
            cs_flat_find(base, *used, &e, "%s", key) && e.text &&
            strcmp(e.text, want) == 0)
            return base;
    fail_msg("%s did not become %s", key, want);
    return NULL;
}

static double at(const unsigned char *base, size_t used, const char *key,
                 size_t i)
{
    cs_flat_entry e;
    if (!cs_flat_find(base, used, &e, "%s", key) || !e.data)
        fail_msg("no %s", key);
    return e.data[i];
}

static int start(void **state)
{
    interrupted = 0;
    return (int)cs_client_create((cs_client **)state, child, NULL, NULL);
}

static int end(void **state)
{
    return leave(*state);
}

static int end_dead(void **state)
{
    cs_client_destroy(*state);
    return 0;
}

static void test_commands(void **state)
{
    cs_client *c = *state;
    size_t used;
    see(c, "run/state", "empty", &used);
    refused(c, "step 3", "no scenario is open");
    refused(c, "opne x", "did you mean 'open'");
    refused(c, "open missing.lua", "cannot be read");
    refused(c, "open 'a.lua", "quote");
    obeyed(c, "open \"a b.lua\" seed=7");
    const unsigned char *base = see(c, "run/state", "paused", &used);
    cs_flat_entry e;
    assert_true(cs_flat_find(base, used, &e, "run/file"));
    assert_string_equal(e.text, "a b.lua");
    assert_true(cs_flat_find(base, used, &e, "run/panels"));
    assert_string_equal(e.text, "trace energy");
    assert_near(at(base, used, "run/seed", 0), 7, 0, 0);
    obeyed(c, "step 10");
    base = see(c, "run/state", "paused", &used);
    assert_near(at(base, used, "run/steps", 0), 10, 0, 0);
    obeyed(c, "look 1 3 2");
    base = see(c, "run/state", "paused", &used);
    assert_near(at(base, used, "look/at", 1), 2, 0, 0);
    assert_near(at(base, used, "look/x", 1), 2, 0, 0);
    refused(c, "look 1 4", "from 1 to 3");
    obeyed(c, "rewind to 4");
    base = see(c, "run/state", "paused", &used);
    assert_near(at(base, used, "look/x", 0), 4, 0, 0);
    refused(c, "rewind to 5000", "ahead");
}

/* Returns true if the requested log p is shown. It is shown until the chain
 * moves. */
static bool shows_log_p(cs_client *c, double want)
{
    size_t used;
    cs_flat_entry e;
    const unsigned char *base = see(c, "run/state", "paused", &used);
    assert_true(cs_flat_find(base, used, &e, "look/logp"));
    assert_string_equal(e.text, "estimate");
    if (!cs_flat_find(base, used, &e, "look/true_logp"))
        return false;
    assert_near(e.data[0], want, 0, 0);
    return true;
}

static void test_log_p_on_request(void **state)
{
    cs_client *c = *state;
    refused(c, "logp", "no scenario is open");
    obeyed(c, "open a.lua");
    obeyed(c, "step 10");
    obeyed(c, "look 1 3");
    assert_false(shows_log_p(c, 0));
    const cs_message *m = ask(c, "logp");
    assert_int_equal(m->status, CS_OK);
    assert_string_equal((const char *)m->body,
                        "log p of chain 3 of one is -102 by the target; the "
                        "kernel's estimate is -1.5");
    assert_true(shows_log_p(c, -102));
    obeyed(c, "look 1 2");
    assert_false(shows_log_p(c, 0));
    refused(c, "logp", "no log p at the state of chain 2 of one");
    obeyed(c, "look 1 3");
    assert_true(shows_log_p(c, -102));
    obeyed(c, "step 1");
    assert_false(shows_log_p(c, 0));
    obeyed(c, "rewind to 10");
    assert_true(shows_log_p(c, -102));
    obeyed(c, "restart");
    obeyed(c, "step 10");
    obeyed(c, "look 1 3");
    assert_false(shows_log_p(c, 0));
}

/* The snapshot names the message that reports that a scenario was opened. */
static void test_opening(void **state)
{
    size_t used;
    obeyed(*state, "open a.lua");
    obeyed(*state, "open a.lua");
    const unsigned char *base =
        see(*state, "run/message", "opened a.lua", &used);
    assert_near(at(base, used, "run/opening", 0), 2, 0, 0);
}

static void test_set_is_kept_by_restart(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    refused(c, "set one.widht 2", "did you mean 'width'");
    refused(c, "set one.sd 2", "set the parameter of the target");
    refused(c, "set one.width 11", "from 0 to 10");
    refused(c, "set two.width 1", "no arm 'two'");
    obeyed(c, "step 5");
    refused(c, "set one.manner quik", "did you mean 'quick'");
    refused(c, "set one.width quick", "not a number");
    obeyed(c, "set width 2.5");
    const unsigned char *base =
        see(c, "event/text", "step 5: one.width = 2.5", &used);
    assert_near(at(base, used, "arm/0/param/0", 0), 2.5, 0, 0);
    obeyed(c, "seed 9");
    base = see(c, "run/message", "reseeded: seed 9", &used);
    assert_near(at(base, used, "run/steps", 0), 0, 0, 0);
    assert_near(at(base, used, "arm/0/param/0", 0), 2.5, 0, 0);
}

static void test_runs_to_the_goal(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    obeyed(c, "run 54321");
    const unsigned char *base;
    do
        base = see(c, "run/state", "paused", &used);
    while (at(base, used, "run/steps", 0) == 0);
    assert_near(at(base, used, "run/steps", 0), 54321, 0, 0);
    obeyed(c, "open a.lua steps=777");
    obeyed(c, "run");
    base = see(c, "run/state", "done", &used);
    assert_near(at(base, used, "run/progress", 0), 1, 0, 0);
}

/* The run stops when the budget is spent, and the command `run` does not
 * advance it further. Only the key for continuing advances it further. */
static void test_beyond_the_budget(void **state)
{
    cs_client *c = *state;
    const unsigned char *base;
    size_t used;
    obeyed(c, "open a.lua steps=2000");
    obeyed(c, "step 5000");
    base = see(c, "run/state", "done", &used);
    assert_near(at(base, used, "run/steps", 0), 2000, 0, 0);
    obeyed(c, "run");
    see(c, "run/state", "done", &used);
    obeyed(c, "step 10");
    base = see(c, "run/message", "running beyond the budget from step 2,000 on",
               &used);
    while (at(base, used, "run/steps", 0) < 2010) /* the snapshot at this step
                                                   * may have been read
                                                   * already */
        base = see(c, "run/state", "paused", &used);
    assert_near(at(base, used, "run/steps", 0), 2010, 0, 0);
    assert_true(isnan(at(base, used, "run/progress", 0)));
    obeyed(c, "toggle");
    do
        base = see(c, "run/state", "running", &used);
    while (at(base, used, "run/steps", 0) <= 2010);
}

/* A rewind keeps the later steps as a branch. If a parameter is changed at an
 * earlier step, the change is reported, and can be undone. */
static void test_back_and_forth(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    obeyed(c, "step 1188");
    const unsigned char *base = see(c, "run/state", "paused", &used);
    while (at(base, used, "run/steps", 0) < 1188)
        base = see(c, "run/state", "paused", &used);
    obeyed(c, "rewind to 500");
    base = see(c, "run/message",
               "back to step 500, by 688 steps; the last step is 1,188", &used);
    assert_near(at(base, used, "run/end", 0), 1188, 0, 0);
    obeyed(c, "rewind to 1188");
    base = see(c, "run/message", "at step 1,188, the last step", &used);
    assert_near(at(base, used, "run/steps", 0), 1188, 0, 0);
    obeyed(c, "rewind -600");
    obeyed(c, "rewind +88");
    base =
        see(c, "run/message",
            "forward to step 676, by 88 steps; the last step is 1,188", &used);
    obeyed(c, "rewind +1e6"); /* moves forward to the newest step */
    base = see(c, "run/message", "at step 1,188, the last step", &used);
    refused(c, "branch", "no branch");
    refused(c, "undo", "nothing to undo");
    refused(c, "rewind 88", "by 88 steps, or to step 88?");
    obeyed(c, "rewind -88");
    obeyed(c, "set width 2");
    base = see(c, "run/message",
               "one is changed from step 1,100 on: its old branch, up to step "
               "1,188, is kept as arm one.old",
               &used);
    assert_near(at(base, used, "run/end", 0), 1188, 0, 0);
    assert_near(at(base, used, "run/arms", 0), 2, 0, 0);
    obeyed(c, "set width 3"); /* the old branch has already been stored as an
                               * arm */
    base = see(c, "run/message", "one.width = 3 from step 1,100", &used);
    assert_near(at(base, used, "run/arms", 0), 2, 0, 0);
    assert_near(at(base, used, "run/end", 0), 1188, 0, 0);
    refused(c, "arm", "arm: missing argument");
    refused(c, "arm fly one", "arm add KERNEL");
}

/* Runs until a breakpoint stops the run, and checks that the message gives the
 * reason. */
static const unsigned char *held(cs_client *c, const char *line,
                                 const char *why, size_t *used)
{
    obeyed(c, line);
    const unsigned char *base = see(c, "run/message", why, used);
    cs_flat_entry e;
    if (cs_flat_find(base, *used, &e, "run/state") &&
        strcmp(e.text, "paused") != 0)
        base = see(c, "run/state", "paused", used);
    return base;
}

/* A breakpoint stops the run exactly at the step of the breakpoint, however
 * long the time quantum is. No later step is made. */
static void test_breakpoints_hold_at_their_step(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    obeyed(c, "break jump");
    const unsigned char *base =
        held(c, "run",
             "breakpoint 1 at step 1,000: chain 2 of arm one: jump from mode 1 "
             "to mode 2",
             &used);
    assert_near(at(base, used, "run/steps", 0), 1000, 0, 0);
    assert_near(at(base, used, "run/end", 0), 1000, 0, 0);
    assert_near(at(base, used, "look/at", 1), 1, 0, 0);
    assert_near(at(base, used, "look/chosen", 0), 1, 0, 0);
    assert_near(at(base, used, "run/held", 0), 1, 0, 0);
    obeyed(c, "break off");
    obeyed(c, "break jump one 1");
    base =
        held(c, "run",
             "breakpoint 2 at step 3,000: chain 1 of arm one: jump from mode "
             "1 to mode 2",
             &used);
    assert_near(at(base, used, "run/steps", 0), 3000, 0, 0);
    assert_string_equal((const char *)ask(c, "break")->body,
                        "2  jump or first visit in chain 1 of arm one");
    refused(c, "break off 1", "unknown breakpoint '1'");
    obeyed(c, "break off 2");
    obeyed(c, "break steps > 12345");
    base = held(c, "run", "breakpoint 3 at step 12,345: steps > 12345", &used);
    assert_near(at(base, used, "run/steps", 0), 12345, 0, 0);
    obeyed(c, "run 5000"); /* the breakpoint stops the run only once */
    while (at(base, used, "run/steps", 0) < 17345)
        base = see(c, "run/state", "paused", &used);
}

/* The list of recent events is limited. If an event is no longer in this list,
 * it is found by bisection. */
static void test_what_rings_lost_is_found(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    obeyed(c, "run 40000");
    const unsigned char *base = see(c, "run/state", "paused", &used);
    while (at(base, used, "run/steps", 0) < 40000)
        base = see(c, "run/state", "paused", &used);
    obeyed(c, "break divergence one 3");
    base = held(c, "run",
                "breakpoint 1 at step 40,005: chain 3 of arm one: divergence",
                &used);
    assert_near(at(base, used, "run/steps", 0), 40005, 0, 0);
    obeyed(c, "break off");
    obeyed(c, "rewind to 10000"); /* the events after step 10,000 are kept */
    obeyed(c, "break divergence");
    base = held(c, "run",
                "breakpoint 2 at step 10,003: chain 1 of arm one: divergence",
                &used);
    assert_near(at(base, used, "run/end", 0), 40005, 0, 0);
}

/* Moves from event to event, forward and backward. */
static void test_events_are_gone_to(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    held(c, "event next jump",
         "at step 1,000: chain 2 of arm one: jump from mode 1 to mode 2",
         &used);
    held(c, "event next jump one 3",
         "at step 2,000: chain 3 of arm one: jump from mode 1 to mode 2",
         &used);
    const unsigned char *base =
        held(c, "event previous jump",
             "back at step 1,000: chain 2 of arm one: jump from mode 1 to mode "
             "2",
             &used);
    assert_near(at(base, used, "run/end", 0), 2000, 0, 0);
    assert_near(at(base, used, "run/held", 0), 0, 0, 0);
    held(c, "event previous jump", "no jump in any arm before step 1,000",
         &used);
    base = held(c, "event next divergence",
                "at step 1,001: chain 1 of arm one: divergence", &used);
    assert_near(at(base, used, "run/end", 0), 2000, 0, 0);
    refused(c, "event sideways", "not 'sideways'");
    refused(c, "event next jmup", "did you mean 'jump'");
    refused(c, "event next jump one 4", "from 1 to 3");
    refused(c, "break jmup", "did you mean 'jump'");
    refused(c, "break rhat < 1.01", "does not detect");
    refused(c, "break reject 20", "fewer consecutive rejections");
    refused(c, "break reject", "needs a number");
    refused(c, "break steps < 9", "compared with >");
}

/* Waits until the run has made n steps. */
static void wait_steps(cs_client *c, double steps)
{
    const unsigned char *base;
    size_t used;
    for (double end = now() + PATIENCE; now() < end; cs_client_wait(c, 10))
        if (cs_client_snapshot(c, &base, &used) &&
            at(base, used, "run/steps", 0) >= steps)
            return;
    fail_msg("the run did not reach %g steps", steps);
}

/* The run has the speed in its scenario until another speed is requested. */
static void test_speed_of_a_scenario(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open slow.lua"); /* 200 steps per second */
    const unsigned char *base = see(c, "run/state", "paused", &used);
    assert_near(at(base, used, "run/speed", 0), 200, 0, 0);
    double from = now();
    obeyed(c, "toggle");
    wait_steps(c, 100);
    obeyed(c, "pause");
    double most = 200 * (now() - from);
    base = see(c, "run/state", "paused", &used);
    assert_true(at(base, used, "run/steps", 0) <= most);
    obeyed(c, "open slow.lua");
    obeyed(c, "speed 0");
    from = now();
    obeyed(c, "toggle");
    wait_steps(c, 4000);
    obeyed(c, "pause");
    base = see(c, "run/state", "paused", &used);
    assert_true(at(base, used, "run/steps", 0) > 200 * (now() - from));
}

/* While a run is active, its speed is limited and commands are answered. The
 * measured time includes all steps of the run. Therefore the result does not
 * depend on the times at which the two processes are scheduled. */
static void test_speed_and_answer_while_running(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    obeyed(c, "speed 200");
    double from = now();
    obeyed(c, "run");
    wait_steps(c, 60);
    obeyed(c, "pause");
    double spent = now() - from;
    const unsigned char *base = see(c, "run/state", "paused", &used);
    assert_true(at(base, used, "run/steps", 0) <= 200 * spent);
    obeyed(c, "speed 0");
    obeyed(c, "run");
    for (int i = 0; i < 20; i++)
        obeyed(c, "lua x");
}

/* A change of a parameter may make steps much slower. Therefore the first call
 * of advance after a change makes a single step, however many steps the earlier
 * calls made. */
static void test_one_step_after_a_change(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    obeyed(c, "run");
    wait_steps(c, 20000); /* by now an advance makes thousands of steps */
    obeyed(c, "set width 2");
    double after = 0;
    while (after == 0) {
        const unsigned char *base = see(c, "run/state", "running", &used);
        after = at(base, used, "arm/0/fake/after", 0);
    }
    assert_near(after, 1, 0, 0);
}

/* Returns the number of comparisons of the arms so far (no_witnesses.h). */
static double comparisons_of(const unsigned char *base, size_t used)
{
    cs_flat_entry e;
    assert_true(cs_flat_find(base, used, &e, "run/apart"));
    return strtod(strstr(e.text, "by ") + 3, NULL);
}

/* A report that takes 0.4 s to compute delays neither frames nor steps. Until
 * the report is ready, the last result is shown with its age. When the run is
 * stopped, a current result replaces the old result. */
static void test_dear_reports_are_made_aside(void **state)
{
    cs_client *c = *state;
    const unsigned char *base;
    size_t used;
    cs_flat_entry e, age;
    obeyed(c, "open a.lua seed=99");
    obeyed(c, "run");
    int n = 0, old = 0;
    double steps = 0, seen = 0, end = now() + PATIENCE;
    for (; n < 20 || old < 4 || seen == 0; cs_client_wait(c, 20)) {
        assert_true(now() < end);
        if (!cs_client_snapshot(c, &base, &used))
            continue;
        n++;
        assert_true(at(base, used, "run/steps", 0) >= steps);
        steps = at(base, used, "run/steps", 0);
        assert_near(at(base, used, "arm/0/fake/steps", 0), steps, 0, 0);
        if (!cs_flat_find(base, used, &e, "arm/0/heavy/steps"))
            continue;
        assert_true(cs_flat_find(base, used, &age, "arm/0/heavy/age"));
        assert_true(e.data[0] >= seen && e.data[0] < steps);
        seen = e.data[0];
        old += age.data[0] > 0.3;
    }
    obeyed(c, "pause");
    obeyed(c, "step 1"); /* while the report on the last step is made */
    double first = 0;
    bool reported = false;
    for (end = now() + PATIENCE; !reported; cs_client_wait(c, 20)) {
        assert_true(now() < end);
        if (!cs_client_snapshot(c, &base, &used))
            continue;
        reported = at(base, used, "run/reported", 0) == 1;
        /* the arms are compared after the last report, not before it */
        if (first > 0)
            assert_near(comparisons_of(base, used), first + reported, 0, 0);
        else if (!reported)
            first = comparisons_of(base, used);
    }
    assert_near(at(base, used, "arm/0/heavy/age", 0), 0, 0, 0);
    assert_near(at(base, used, "arm/0/heavy/steps", 0),
                at(base, used, "run/steps", 0), 0, 0);
}

/* Reports that are not displayed are not computed. */
static void test_reports_are_asked_for(void **state)
{
    cs_client *c = *state;
    cs_flat_entry e;
    size_t used;
    obeyed(c, "open a.lua");
    obeyed(c, "reports fake");
    obeyed(c, "step 3");
    const unsigned char *base = see(c, "run/state", "paused", &used);
    assert_true(cs_flat_find(base, used, &e, "arm/0/fake/steps"));
    assert_near(e.data[0], 3, 0, 0);
    assert_near(at(base, used, "run/reported", 0), 1, 0, 0);
    obeyed(c, "reports");
    base = see(c, "run/state", "paused", &used);
    assert_false(cs_flat_find(base, used, &e, "arm/0/fake/steps"));
    obeyed(c, "reports heavy");
    base = see(c, "run/state", "paused", &used);
    while (at(base, used, "run/reported", 0) == 0)
        base = see(c, "run/state", "paused", &used);
    assert_near(at(base, used, "arm/0/heavy/steps", 0), 3, 0, 0);
    assert_false(cs_flat_find(base, used, &e, "arm/0/fake/steps"));
}

static void test_tables_and_lua(void **state)
{
    cs_client *c = *state;
    const cs_message *m = ask(c, "lua print( 'a  b' )");
    assert_string_equal((const char *)m->body, "[print( 'a  b' )]");
    m = ask(c, "complete cs.ker");
    cs_flat_entry e;
    assert_true(m->table && cs_flat_find(m->body, m->size, &e, "0"));
    assert_string_equal(e.text, "cs.ker");
    m = ask(c, "gallery");
    assert_true(cs_flat_find(m->body, m->size, &e, "0/file"));
    assert_string_equal(e.text, "a.lua");
}

/* Returns the total number of bytes in all parts of a reply. *last receives the
 * size of the last part. */
static size_t flood(cs_client *c, const char *line, uint32_t id, size_t *last)
{
    const cs_message *m = NULL;
    size_t bytes = 0;
    bool part = true;
    assert_int_equal(cs_client_send(c, line, id, NULL), CS_OK);
    for (double end = now() + PATIENCE; part && now() < end;) {
        m = cs_client_reply(c);
        if (m) {
            assert_int_equal(m->id, id);
            bytes += *last = m->size;
            part = m->part;
        } else {
            cs_client_wait(c, 50);
        }
    }
    assert_false(part);
    return bytes;
}

/* The complete output of Lua code arrives, divided into messages. For a line of
 * Lua, the last message has the end of the output. For a chunk, the last
 * message is empty. */
static void test_chunks_print(void **state)
{
    cs_client *c = *state;
    const size_t all = 30000 * strlen("[flood]");
    size_t last;
    assert_true(all > 2 * CS_WIRE_BYTES);
    assert_int_equal(flood(c, "lua flood", 6, &last), all);
    assert_int_equal(last, all % CS_WIRE_BYTES);
    assert_int_equal(flood(c, "chunk flood", 7, &last), all);
    assert_int_equal(last, 0);
}

static void test_completes_commands(void **state)
{
    cs_client *c = *state;
    cs_flat_entry e;
    obeyed(c, "open a.lua");
    const struct {
        const char *line, *want;
    } table[] = {{":su", "summary"},          {":set one.w", "one.width"},
                 {":set w", "width"},         {":set target.s", "target.sd"},
                 {":look o", "one"},          {":event p", "previous"},
                 {":event next vi", "visit"}, {":break rh", "rhat"},
                 {":break jump o", "one"},    {":open /dev/nul", "/dev/null"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char line[64];
        snprintf(line, sizeof line, "complete %s", table[i].line);
        const cs_message *m = ask(c, line);
        assert_true(m->table && cs_flat_find(m->body, m->size, &e, "0"));
        assert_string_equal(e.text, table[i].want);
        assert_false(cs_flat_find(m->body, m->size, &e, "1"));
    }
}

static void test_save_and_load(void **state)
{
    cs_client *c = *state;
    char file[] = "/tmp/chainscope-session-XXXXXX", line[64];
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    size_t used;
    obeyed(c, "open a.lua");
    obeyed(c, "step 12");
    snprintf(line, sizeof line, "save %s", file);
    if (!strstr((const char *)ask(c, line)->body,
                "the run at step 12 is saved in"))
        fail_msg("%s prints nothing", line);
    obeyed(c, "step 3");
    snprintf(line, sizeof line, "load %s", file);
    obeyed(c, line);
    const unsigned char *base = see(c, "run/state", "paused", &used);
    assert_near(at(base, used, "run/steps", 0), 12, 0, 0);
    unlink(file);
    refused(c, "save race.svg", "NAME.checkpoint");
    assert_true(access("race.svg", F_OK) != 0);
    refused(c, line, "cannot be read");
    refused(c, "save /nowhere/at/all", "cannot be written");
}

#if !defined(__SANITIZE_THREAD__)
static void test_interrupt(void **state)
{
    cs_client *c = *state;
    assert_int_equal(cs_client_send(c, "lua for ever", 99, NULL), CS_OK);
    const struct timespec nap = {.tv_nsec = 100000000};
    nanosleep(&nap, NULL);
    assert_null(cs_client_reply(c));
    cs_client_interrupt(c);
    const cs_message *m = NULL;
    for (double until = now() + PATIENCE; !m && now() < until;) {
        cs_client_wait(c, 50);
        m = cs_client_reply(c);
    }
    assert_non_null(m);
    assert_string_equal((const char *)m->body, "interrupted");
}
#endif

static void wait_for_end(cs_client *c, char *why, size_t size)
{
    double until = now() + PATIENCE;
    while (cs_client_alive(c, why, size) && now() < until)
        cs_client_wait(c, 20);
}

static void test_crash_is_told(void **state)
{
    cs_client *c = *state;
    char why[128];
    assert_int_equal(cs_client_send(c, "lua crash", 1, NULL), CS_OK);
    wait_for_end(c, why, sizeof why);
#if !defined(__SANITIZE_ADDRESS__)
    assert_non_null(strstr(why, "signal 11"));
    assert_int_equal(cs_client_exit_code(c), 128 + SIGSEGV);
#endif
    assert_int_not_equal(cs_client_send(c, "help", 2, NULL), CS_OK);
}

static void test_deaf_script_is_killed(void **state)
{
    cs_client *c = *state;
    char why[128];
    obeyed(c, "help");
    double before = cost_of_children();
    assert_int_equal(cs_client_send(c, "lua deaf", 1, NULL), CS_OK);
    while (cost_of_children() < before + 0.05)
        cs_client_wait(c, 10);
    cs_client_close(c, 100);
    assert_false(cs_client_alive(c, why, sizeof why));
    assert_non_null(strstr(why, "signal 9"));
}

static void test_quit(void **state)
{
    cs_client *c = *state;
    char why[128];
    obeyed(c, "quit");
    wait_for_end(c, why, sizeof why);
    assert_string_equal(why, "the session ended with exit code 0");
}

/* A paused session sleeps. It uses little CPU time, compared with a loop. */
static void test_paused_costs_nothing(void **state)
{
    cs_client *c = *state;
    size_t used;
    obeyed(c, "open a.lua");
    see(c, "run/state", "paused", &used);
    double before = cost_of_children();
    cost_spin(0.5);
    assert_true(cost_of_children() - before < 0.1);
}

static void test_words(void **state)
{
    (void)state;
    char line[] = "  a 'b c' \"d\\\"e\" f\\ g \"\" ", *word[CS_WORDS];
    const char *want[] = {"a", "b c", "d\"e", "f g", ""};
    size_t n;
    assert_int_equal(cs_words_cut(line, word, &n, NULL), CS_OK);
    assert_int_equal(n, 5);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(word[i], want[i]);
    char quoted[32];
    assert_true(cs_words_quote("x \"y\\", quoted, sizeof quoted));
    assert_string_equal(quoted, "\"x \\\"y\\\\\"");
    assert_false(cs_words_quote("too long", quoted, 8));
}

#define WITH_SESSION(test) cmocka_unit_test_setup_teardown(test, start, end)

static const struct CMUnitTest tests[] = {
    WITH_SESSION(test_paused_costs_nothing),
    WITH_SESSION(test_log_p_on_request),
    WITH_SESSION(test_commands),
    WITH_SESSION(test_opening),
    WITH_SESSION(test_set_is_kept_by_restart),
    WITH_SESSION(test_runs_to_the_goal),
    WITH_SESSION(test_speed_and_answer_while_running),
    WITH_SESSION(test_beyond_the_budget),
    WITH_SESSION(test_back_and_forth),
    WITH_SESSION(test_breakpoints_hold_at_their_step),
    WITH_SESSION(test_what_rings_lost_is_found),
    WITH_SESSION(test_events_are_gone_to),
    WITH_SESSION(test_speed_of_a_scenario),
    WITH_SESSION(test_one_step_after_a_change),
    WITH_SESSION(test_dear_reports_are_made_aside),
    WITH_SESSION(test_reports_are_asked_for),
    WITH_SESSION(test_tables_and_lua),
    WITH_SESSION(test_chunks_print),
    WITH_SESSION(test_completes_commands),
    WITH_SESSION(test_save_and_load),
#if !defined(__SANITIZE_THREAD__) /* TSan delays signals during a loop */
    WITH_SESSION(test_interrupt),
#endif
    cmocka_unit_test_setup_teardown(test_crash_is_told, start, end_dead),
    cmocka_unit_test_setup_teardown(test_deaf_script_is_killed, start,
                                    end_dead),
    WITH_SESSION(test_quit),
    cmocka_unit_test(test_words),
};
TESTS(test_session)
