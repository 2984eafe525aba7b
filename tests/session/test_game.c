/* Tests the game: its moves and scores; that while it is open nothing in a
 * snapshot tells the broken arm from the others; that the answer is then
 * revealed; and that a replay of the journal is the same game. */
#include "session_of.h"

#include "session/client/snapshot_rows.h"
#include "stat/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GAME "open ../scenarios/course/game.lua "
enum { TEXT = 4096, KEYS = 1 << 16 };

/* The state folder of a test, so that it does not change the user's. */
static char home[64];

static int new_home(void **state)
{
    (void)state;
    strcpy(home, "/tmp/chainscope-game-home-XXXXXX");
    return mkdtemp(home) && setenv("XDG_STATE_HOME", home, 1) == 0 ? 0 : 1;
}

static int no_home(void **state)
{
    static const char *const files[] = {
        "/chainscope/course", "/chainscope/course.lock", "/chainscope", ""};
    char path[128];
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s%s", home, files[i]);
        remove(path);
    }
    return access(home, F_OK) == 0; /* nothing else was written */
}

/* Sends a line, which must succeed. Returns its whole output. [own: free] */
static char *hear(cs_client *c, const char *line)
{
    char *text = calloc(1, KEYS);
    size_t used = 0;
    assert_non_null(text);
    assert_int_equal(cs_client_send(c, line, 88888, NULL), CS_OK);
    for (double end = cs_clock() + PATIENCE; cs_clock() < end;
         cs_client_wait(c, 50))
        for (const cs_message *m; (m = cs_client_reply(c));) {
            if (!m->part && m->status)
                fail_msg("%s: %s", line, (const char *)m->body);
            used += (size_t)snprintf(text + used, KEYS - used, "%s",
                                     (const char *)m->body);
            assert_true(used < KEYS);
            if (!m->part)
                return text;
        }
    fail_msg("no reply to %s", line);
    return text;
}

static void say(cs_client *c, const char *line)
{
    free(hear(c, line));
}

/* The newest snapshot, after the replies to all commands. */
typedef struct seen {
    const unsigned char *base;
    size_t used;
} seen;

static double number_at(seen s, const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(s.base, s.used, &e, "%s", key) && e.data ? e.data[0]
                                                                 : -1;
}

/* Waits for a snapshot of the run at this step, with reports of the same step
 * and with exact answers. A `covered` game is open, otherwise it is over. */
static seen snapshot_at(cs_client *c, double step, bool covered)
{
    seen s = {0};
    cs_flat_entry e;
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 10)) {
        while (cs_client_snapshot(c, &s.base, &s.used))
            ;
        if (s.base && number_at(s, "run/steps") == step &&
            number_at(s, "run/reported") == 1 &&
            number_at(s, "run/settled") == 1 &&
            cs_flat_find(s.base, s.used, &e, "course/covers") == covered)
            return s;
    }
    fail_msg("no snapshot at step %.0f", step);
    return s;
}

static const char *text_at(seen s, const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(s.base, s.used, &e, "%s", key) && e.text ? e.text : "";
}

static cs_client *open_game(const char *sets)
{
    cs_client *c = NULL;
    char line[200];
    assert_int_equal(cs_client_create(&c, child, NULL, NULL), CS_OK);
    snprintf(line, sizeof line, GAME "%s", sets);
    say(c, line);
    say(c, "reports *");
    return c;
}

/* Returns the digit of the broken arm. */
static int broken_arm(const char *sets)
{
    cs_client *c = open_game(sets);
    say(c, "game quit");
    int arm = *text_at(snapshot_at(c, 0, false), "course/truth");
    assert_in_range(arm, 'a', 'd');
    assert_int_equal(leave(c), 0);
    return arm - 'a' + 1;
}

/* Writes the keys of an arm, without its number, and of the chosen chain, one per
 * line. */
static void list_keys(seen s, size_t arm, char out[KEYS])
{
    char head[32];
    cs_flat_entry e;
    size_t used = 0, at = 0;
    snprintf(head, sizeof head, "arm/%zu/", arm);
    while (cs_flat_next(s.base, s.used, &at, &e)) {
        size_t n = strncmp(e.key, head, strlen(head)) == 0 ? strlen(head) : 0;
        if (n || strncmp(e.key, "look/", 5) == 0)
            used +=
                (size_t)snprintf(out + used, KEYS - used, "%s\n", e.key + n);
        assert_true(used < KEYS);
    }
}

static bool is_arm(const cs_flat_entry *look, size_t arm)
{
    cs_row_look row;
    assert_true(look->rows * look->cols * sizeof(double) == sizeof row);
    memcpy(&row, look->data, sizeof row);
    return row.arm == (double)arm;
}

/* Every arm has the same keys; the names of the kernels are
 * covered. */
static void every_arm_looks_alike(const char *sets)
{
    static char first[KEYS], other[KEYS];
    cs_client *c = open_game(sets);
    say(c, "game 2");
    for (size_t i = 0; i < 4; i++) {
        char line[32], key[32];
        snprintf(line, sizeof line, "look %zu", i + 1);
        say(c, line);
        seen s = snapshot_at(c, 100, true);
        for (cs_flat_entry e;
             !cs_flat_find(s.base, s.used, &e, "look/at") || !is_arm(&e, i);
             s = snapshot_at(c, 100, true))
            cs_client_wait(c, 10);
        list_keys(s, i, i ? other : first);
        if (i && strcmp(first, other) != 0) {
            size_t k = 0;
            while (first[k] == other[k])
                k++;
            while (k && first[k - 1] != '\n')
                k--;
            fail_msg("%s, arm %zu: %.60s, not %.60s", sets, i + 1, other + k,
                     first + k);
        }
        snprintf(key, sizeof key, "arm/%zu/kernel", i);
        assert_string_equal(text_at(s, key), "covered");
    }
    assert_int_equal(leave(c), 0);
}

static void nothing_tells_the_arms_apart(void **state)
{
    (void)state;
    /* every fault: kernels of which some compute log p, gradients or ratios and
     * some do not, and targets with exact answers */
    static const char *const faults[] = {"batch_ratio",
                                         "blind_swap",
                                         "clipped",
                                         "greedy",
                                         "informed_unweighted",
                                         "kinetic_forgotten",
                                         "leapfrog_unfinished",
                                         "looks_back",
                                         "one_uniform",
                                         "power_09",
                                         "ratio_backwards",
                                         "ratio_forgotten",
                                         "redrawn",
                                         "rejections_dropped",
                                         "stale_pair",
                                         "step_of_state",
                                         "unadjusted",
                                         "wrong_conditional"};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char sets[64];
        snprintf(sets, sizeof sets, "seed=3 fault=%s", faults[i]);
        every_arm_looks_alike(sets);
    }
}

/* The parts of keys that would answer the question, and values that would. */
static void the_answer_is_covered(void **state)
{
    static const char *const parts[] = {
        "/warnings",      "/words",     "/off",      "/distance/",
        "/param/",        "/params",    "/truth\n",  "/broken",
        "/held",          "/seconds",   "/list/",    "/title",
        "look/step",      "look/turns", "/preview/", "/gradients",
        "/log_densities", "/exact\n",   "/loose",    "/expected_rows"};
    (void)state;
    cs_client *c = open_game("seed=4 fault=stale_pair");
    say(c, "game 4");
    seen s = snapshot_at(c, 200, true);
    cs_flat_entry e;
    size_t at = 0, tables = 0;
    while (cs_flat_next(s.base, s.used, &at, &e)) {
        char key[200];
        snprintf(key, sizeof key, "%s\n", e.key);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (strstr(key, parts[i]) && (strncmp(e.key, "arm/", 4) == 0 ||
                                          strncmp(e.key, "look/", 5) == 0))
                fail_msg("%s is not covered", e.key);
        if (e.text && (strstr(e.text, "stale") || strstr(e.text, "old values")))
            assert_string_equal(e.key, "run/sets");
        if (!strstr(e.key, "diagnostics/table"))
            continue;
        tables++; /* its columns: R-hat and ESS are unknown, the mean is not */
        for (size_t k = 0; k < e.rows; k++) {
            cs_figures f;
            assert_true(e.cols * sizeof(double) == sizeof f);
            memcpy(&f, e.data + k * e.cols, sizeof f);
            assert_true(isnan(f.rhat) && isnan(f.bulk) && isnan(f.ess));
            assert_true(f.mean > -10 && f.mean < 10);
        }
    }
    assert_true(tables > 0);
    say(c, "game quit");
    s = snapshot_at(c, 200, false);
    assert_non_null(strstr(text_at(s, "course/text"), "old values"));
    assert_string_not_equal(text_at(s, "arm/0/kernel"), "covered");
    assert_true(cs_flat_find(s.base, s.used, &e, "arm/0/params"));
    assert_int_equal(leave(c), 0);
}

/* Asserts that the session refuses a line. */
static void refuses(cs_client *c, const char *line, const char *what)
{
    assert_int_equal(cs_client_send(c, line, 77777, NULL), CS_OK);
    for (double end = cs_clock() + PATIENCE; cs_clock() < end;
         cs_client_wait(c, 50)) {
        const cs_message *m = cs_client_reply(c);
        if (!m)
            continue;
        if (!m->status || !strstr((const char *)m->body, what))
            fail_msg("%s: %s", line, (const char *)m->body);
        return;
    }
    fail_msg("no reply to %s", line);
}

/* Asserts that the list of results, which `chainscope course` prints, has only
 * this line. */
static void assert_stored(const char *line)
{
    char path[128], text[100] = "";
    snprintf(path, sizeof path, "%s/chainscope/course", home);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    assert_int_equal(fclose(f), 0);
    assert_true(n > 0);
    assert_string_equal(text, line);
}

static void moves_are_counted(void **state)
{
    static const char *const others[] = {
        "check",  "summary",   "claims", "lua 1", "set a.step=1",     "step 50",
        "toggle", "rewind -1", "run 50", "logp",  "arm kernel a hmc", "restart",
        "reload"};
    (void)state;
    const char *sets = "seed=4 fault=stale_pair";
    int right = broken_arm(sets), wrong = right % 4 + 1;
    char line[32];
    cs_client *c = open_game(sets);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        refuses(c, others[i], "only moves are possible in a game");
    say(c, "game");
    say(c, "game 7");
    seen s = snapshot_at(c, 400, true);
    assert_non_null(strstr(text_at(s, "course/text"), "scores 70"));
    refuses(c, "game check", "no arm is named");
    snprintf(line, sizeof line, "answer %d", wrong); /* marks only */
    say(c, line);
    say(c, "game check");
    s = snapshot_at(c, 400, true);
    assert_non_null(strstr(text_at(s, "course/text"), "no broken law"));
    assert_non_null(strstr(text_at(s, "course/text"), "scores 40"));
    refuses(c, "game check a", "once");
    snprintf(line, sizeof line, "game mark %d", right);
    say(c, line);
    say(c, line);
    s = snapshot_at(c, 400, false);
    assert_string_equal(text_at(s, "course/mark"), "right");
    assert_string_equal(text_at(s, "course/points"), "40 100");
    assert_stored("game 40 100\n");
    refuses(c, "game 1", "is over");
    say(c, "step 50"); /* the run is free again */
    say(c, "restart"); /* the same game: its answer is known */
    snprintf(line, sizeof line, "game %c", 'a' + right - 1);
    char *text = hear(c, line);
    assert_non_null(strstr(text, "Right: 0 points after 0 steps"));
    free(text);
    assert_stored("game 40 100\n");
    assert_int_equal(leave(c), 0);
    c = open_game(sets);
    snprintf(line, sizeof line, "game %c", 'a' + wrong - 1);
    say(c, line);
    s = snapshot_at(c, 0, false);
    assert_string_equal(text_at(s, "course/mark"), "wrong");
    assert_non_null(strstr(text_at(s, "course/text"), "-50 points"));
    assert_string_equal(text_at(s, "course/points"), "0 100");
    assert_stored("game 40 100\n"); /* the best score stays */
    assert_int_equal(leave(c), 0);
}

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

/* The states, the findings and the score are those of the journal. */
static void a_replay_is_the_same_game(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope-game-XXXXXX", text[TEXT], line[200];
    const char *sets = "seed=9 fault=one_uniform";
    cs_client *c = open_game(sets);
    say(c, "game 3");
    say(c, "game check b");
    char *middle = hear(c, "journal");
    char *picture = hear(c, "game say 1");
    say(c, "game c");
    snprintf(text, sizeof text, "%s",
             text_at(snapshot_at(c, 200, false), "course/text"));
    char *whole = hear(c, "journal");
    assert_int_equal(leave(c), 0);
    assert_non_null(strstr(middle, "# course move 150 check b"));
    assert_null(strstr(middle, "reveal"));
    assert_non_null(strstr(whole, "# course move 200 name c"));
    assert_non_null(strstr(whole, "# course score "));
    close(mkstemp(path));
    snprintf(line, sizeof line, "replay %s", path);

    put_file(path, whole);
    c = open_game(sets);
    say(c, line);
    seen s = snapshot_at(c, 200, false);
    assert_string_equal(text_at(s, "course/text"), text);
    char *again = hear(c, "journal");
    assert_string_equal(again, whole);
    free(again);
    assert_int_equal(leave(c), 0);

    /* the open game continues: the check stays used, the draws are the same */
    put_file(path, middle);
    c = open_game(sets);
    say(c, line);
    snapshot_at(c, 150, true);
    refuses(c, "game check a", "once");
    again = hear(c, "game say 1");
    assert_string_equal(again, picture);
    free(again);
    assert_int_equal(leave(c), 0);
    unlink(path);
    free(middle);
    free(picture);
    free(whole);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(nothing_tells_the_arms_apart, new_home,
                                    no_home),
    cmocka_unit_test_setup_teardown(the_answer_is_covered, new_home, no_home),
    cmocka_unit_test_setup_teardown(moves_are_counted, new_home, no_home),
    cmocka_unit_test_setup_teardown(a_replay_is_the_same_game, new_home,
                                    no_home),
};
TESTS(test_game)
