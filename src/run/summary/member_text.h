/* The members of a cycle or a mixture in the summary of a run: acceptance and
 * work of each. (Measured times are only in the report of the kernel, because a
 * summary is the same for every run with the same seed.) */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Write one line per member, and an array "members" of a JSON object; nothing
 * if the arm's kernel is not composed. */
void cs_member_text(cs_run *run, size_t arm, cs_page *p);
void cs_member_json(cs_run *run, size_t arm, cs_page *p);
