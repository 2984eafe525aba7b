/* Implements `course` and `answer`: goes through the lesson of the open
 * scenario. */
#include "run/arms/arms.h"
#include "session/commands/command.h"
#include "session/commands/lesson_steps.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ANSWER = 512 };

/* Completes the steps of a run that the lesson has started, without a speed
 * limit; pauses a run that the user has started. */
static void complete(cs_session *s)
{
    if (!s->move.running)
        return;
    if (s->move.goal == UINT64_MAX) {
        cs_session_pause(s);
        return;
    }
    s->move.speed = 0;
    s->move.slow_until = 0;
    while (s->move.running)
        cs_session_move(s);
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
    if (strcmp(way, "state") != 0)
        complete(s);
    cs_status status = cs_course_do(s, way, err);
    char text[1024];
    if (status == CS_OK &&
        cs_course_value(&s->course, "broken", text, sizeof text))
        cs_session_say(s, "%s", text);
    return status;
}

cs_status cs_command_guess(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    char request[ANSWER], given[256], next[] = "next";
    if (!word[1][strspn(word[1], " ")]) /* no answer: leave the question out */
        return cs_command_course(s, (char *[]){word[0], next}, 1, err);
    int used = snprintf(request, sizeof request, "answer %s", word[1]);
    if (used < 0 || used >= ANSWER || strpbrk(word[1], "\n\t"))
        return cs_fail(err, CS_INPUT, "the answer is too long");
    cs_status status = cs_course_do(s, request, err);
    if (status == CS_OK &&
        cs_course_value(&s->course, "answer", given, sizeof given))
        cs_command_answer(s, "your answer: %s", given);
    return status;
}
