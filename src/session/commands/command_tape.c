/* Implements tape [WIDTH [MOST]]: prints the operations recorded while the
 * log density of the open run's target was computed. */
#include "run/arms/arms.h"
#include "session/commands/command.h"
#include "tape/disassembly.h"

#include <assert.h>

cs_status cs_command_tape(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    uint64_t number[2] = {0, 200};
    for (size_t i = 0; i < n && i < 2; i++) {
        cs_status status = cs_command_count(word[i + 1], &number[i], err);
        if (status)
            return status;
    }
    cs_printer p;
    cs_printer_begin(&p, s, true);
    const cs_disassembly l = {.script =
                                  s->open.scenario ? s->open.scenario : "",
                              .width = (size_t)number[0],
                              .most = (size_t)number[1],
                              .print = cs_printer_print,
                              .to = &p};
    cs_status status = cs_tape_list(cs_run_target(s->open.run), &l, err);
    cs_printer_end(&p);
    return status;
}
