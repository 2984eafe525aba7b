/* Configuration files: read as the screen and `chainscope config` read them. What is
 * taken can be asked for; what is refused says why. */
#include "cli/front/look_options.h"
#include "fuzz.h"
#include "screen/state/preferences.h"
#include "script/config.h"

#include <stdio.h>
#include <string.h>

static void look_at(const cs_look *look)
{
    const char *field, *help;
    size_t length = 0, rows, columns;
    for (size_t i = 0; (field = cs_config_field(i, &help)); i++) {
        length += strlen(cs_shot_text(&look->preferences, "%s", field));
        cs_shot_array(&look->preferences, &rows, &columns, "%s", field);
        for (size_t k = 0; *cs_preference_name(&look->preferences, field, k);
             k++)
            length += strlen(cs_preference_value(&look->preferences, field, k));
    }
    if (length > sizeof look->memory)
        fuzz_broken("it says more than there is room for");
}

static void one_input(const uint8_t *data, size_t size)
{
    static cs_look look;
    cs_error err = {0};
    cs_flat_begin(&look.table, look.memory, sizeof look.memory);
    cs_status status = cs_look_file(fuzz_file(data, size), &look.table, &err);
    look.preferences =
        (cs_shot){.base = look.table.base, .used = look.table.used};
    if (status != CS_OK && !err.what[0])
        fuzz_broken("refused without a reason");
    if (status != CS_OK &&
        *cs_preference_name(&look.preferences, CS_WISH_KEYS, 0))
        fuzz_broken("refused, and yet it says something");
    look_at(&look);
}

const fuzz_reader reader_config = {.read = one_input};
