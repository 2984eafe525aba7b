/* Implements `course`, `answer` and `class`: goes through the lesson of the open
 * scenario; and `game`: makes a move of the open game. */
#include "run/arms/arms.h"
#include "session/commands/command.h"
#include "session/commands/lesson_steps.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ANSWER = 512 };

static bool message_waits(const cs_session *s)
{
    struct pollfd p = {.fd = s->front.fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

/* Completes the steps of a run that the lesson has started, without a speed
 * limit; pauses a run that the user has started. If `yields` is true, returns
 * false when another command has arrived; the run then continues. */
static bool complete(cs_session *s, bool yields)
{
    if (!s->move.running)
        return true;
    if (s->move.goal == UINT64_MAX) {
        cs_session_pause(s);
        return true;
    }
    s->move.speed = 0;
    s->move.slow_until = 0;
    while (s->move.running && !(yields && message_waits(s)))
        cs_session_move(s);
    return !s->move.running;
}

/* Begins the step that waits for the run to stop, if there is one, so that the
 * requests of a lesson are made in order. */
static void catch_up(cs_session *s)
{
    if (s->course.later && complete(s, false))
        cs_course_settle(s);
}

cs_status cs_command_course(cs_session *s, char **word, size_t n, cs_error *err)
{
    const char *way = n ? word[1] : "state";
    static const char *const ways[] = {"next", "back", "state"};
    bool known = false;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        known |= strcmp(way, ways[i]) == 0;
    if (!known || n > 1) {
        cs_fail(err, CS_INPUT, "course: unknown word '%s'", word[n]);
        cs_hint(err, "use `course next`, `course back` or `course`");
        return CS_INPUT;
    }
    catch_up(s);
    if (strcmp(way, "back") == 0 && s->move.running)
        cs_session_pause(s); /* the steps are taken back */
    s->course.later = strcmp(way, "next") == 0 && !complete(s, true);
    if (s->course.later)
        return CS_OK;
    cs_status status = cs_course_do(s, way, err);
    char text[1024];
    if (status == CS_OK &&
        cs_course_value(&s->course, "broken", text, sizeof text))
        cs_session_say(s, "%s", text);
    return status;
}

/* Sends "WORD REST" to the lesson. */
static cs_status request(cs_session *s, const char *word, const char *rest,
                         cs_error *err)
{
    char line[ANSWER];
    int used = snprintf(line, sizeof line, "%s %s", word, rest);
    if (used < 0 || used >= ANSWER || strpbrk(rest, "\n\t"))
        return cs_fail(err, CS_INPUT, "the argument of %s is too long", word);
    catch_up(s);
    return cs_course_do(s, line, err);
}

cs_status cs_command_guess(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    char given[256], next[] = "next";
    if (!word[1][strspn(word[1], " ")]) /* no answer: leave the question out */
        return cs_command_course(s, (char *[]){word[0], next}, 1, err);
    cs_status status = request(s, "answer", word[1], err);
    if (status == CS_OK &&
        cs_course_value(&s->course, "answer", given, sizeof given))
        cs_command_answer(s, "your answer: %s", given);
    return status;
}

/* Answers a move by the last sentence about the open game, or by the score. */
static void answer_move(cs_session *s)
{
    char text[1024];
    if (!cs_course_value(&s->course, "text", text, sizeof text))
        return;
    const char *last = strrchr(text, '\r');
    if (cs_course_plays(&s->course))
        cs_command_answer(s, "%s", last ? last + 1 : text);
    else
        cs_command_answer(s, "%.*s", (int)strcspn(text, "\r"), text);
}

/* Makes a move, with all of its steps. After `say`, prints the game in lines, and
 * makes no move if no other word follows. */
cs_status cs_command_game(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    char *move = word[1] + strspn(word[1], " ");
    bool says = strncmp(move, "say", 3) == 0 && strchr(" ", move[3]);
    if (!cs_course_is_game(&s->course)) {
        cs_fail(err, CS_INPUT, "the open scenario is not a game");
        cs_hint(err, "open one: chainscope game");
        return CS_INPUT;
    }
    move += says ? 3 : 0;
    cs_status status = CS_OK;
    if (!says || move[strspn(move, " ")]) {
        status = request(s, "move", move, err);
        if (status == CS_OK && complete(s, false)) /* at the new step */
            status = cs_course_do(s, "state", err);
    }
    if (status == CS_OK && !says)
        answer_move(s);
    return status == CS_OK && says ? cs_course_print(s, "lines", err) : status;
}

cs_status cs_command_class(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    cs_status status = request(s, "class", word[1], err);
    if (status == CS_OK)
        cs_command_answer(s, "votes of the class: %s", word[1]);
    return status;
}
