/* The lesson of a scenario with a course, in sentences. */
#pragma once

#include "base/page.h"
#include "race/shot.h"

/* Returns true if the open scenario has a course. */
bool cs_tells_course(const cs_shot *s);

/* Appends the present step: its number, its sentence, and the question with its
 * answers, or the truth and the mark. */
void cs_tell_course(const cs_shot *s, cs_page *p);

/* Copies line number i of a text to out[size]; returns false past the last. */
bool cs_line_at(const char *text, size_t i, char *out, size_t size);

/* Reads the count of answer i in the vote course/KEY of a class, and the sum of
 * its counts. Returns false if there is no such vote or answer. */
bool cs_class_votes(const cs_shot *s, const char *key, size_t i, double *count,
                    double *sum);

/* Appends the answer to the question, if there is one. */
void cs_tell_answer(const cs_shot *s, cs_page *p);

/* Translates a line that the user typed into a command of the lesson, out[size]:
 * an empty line and "next" go to the next step, "back" to the previous one, and
 * an answer answers the open question. A number is an answer, too, if no question
 * is open: the lesson then says so. In a game, translates the moves. Returns false
 * for other lines. */
bool cs_course_line(const cs_shot *s, const char *line, char *out, size_t size);
