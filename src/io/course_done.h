/* The lessons that the user has gone through: a file in the state folder
 * (files/folders.h) with a line "NAME GOT OF" per lesson, where NAME is the
 * name of the scenario's file without its folder and ending, and GOT of OF
 * points were reached. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { CS_COURSE_DONE = 200, CS_COURSE_NAME = 64 };

typedef struct cs_course_done {
    struct cs_course_result {
        char name[CS_COURSE_NAME];
        double got, of;
    } lesson[CS_COURSE_DONE];
    size_t n;
} cs_course_done;

/* Reads the list; *out is empty without such a file. */
void cs_course_done_read(cs_course_done *out);

/* Stores the result of the lesson in the file `path`; `points` has the form
 * "GOT OF". An earlier result of this lesson is replaced if it is not better.
 * If there is no home folder or the list cannot be written, fails and leaves
 * the list unchanged. */
cs_status cs_course_done_add(const char *path, const char *points,
                             cs_error *err);

/* Writes the name of a lesson, "11_asymmetric", to out[size]. */
void cs_course_name(const char *path, char *out, size_t size);
