/* Goes through the lesson of the open scenario: sends requests to the script
 * host and executes the commands of a step. */
#pragma once

#include "base/status.h"
#include "session/state/lesson_lines.h"

/* Asks the script host for the first step of the open scenario's course, and
 * executes the commands of the step if `acts` is true. Without a course, clears
 * the state. A course that fails is reported as a message. */
void cs_course_start(cs_session *s, bool acts);
/* Sends a request of lesson.lua ("next", "back", "answer 2"), stores the new
 * state and executes the commands of the step. A command that fails does not
 * end the lesson: the state then names the step that failed. */
cs_status cs_course_do(cs_session *s, const char *request, cs_error *err);

/* Sends a request of game.lua that changes nothing, and prints its answer as the
 * reply. */
cs_status cs_course_print(cs_session *s, const char *request, cs_error *err);

/* Begins the step that waits for the run to stop (cs_course.later), if the run
 * has stopped. If the user has interrupted the run, the lesson stays at its
 * step. */
void cs_course_settle(cs_session *s);

/* Fails if a question is open: `name` is a command that would print its
 * truth. */
cs_status cs_course_refuse(const cs_session *s, const char *name,
                           cs_error *err);

/* Appends to a journal the lines that describe the lesson, as comments. Does
 * nothing if there is no course. */
void cs_course_put_journal(cs_session *s, cs_page *p);
/* Restores the step and the answers from the comments of a journal, after the
 * run was replayed. Does nothing without a course or without such lines. */
void cs_course_replay(cs_session *s, const char *journal);
