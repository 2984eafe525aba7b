/* Fuzzes the reader of configuration files, which the screen and `chainscope
 * config` use. Values of an accepted file can be queried; a rejected file gives
 * a message. */
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
        fuzz_broken("the values exceed the memory of the table");
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
        fuzz_broken("error without a message");
    if (status != CS_OK &&
        *cs_preference_name(&look.preferences, CS_PREFERENCE_KEYS, 0))
        fuzz_broken("the file was rejected, but set a key");
    look_at(&look);
}

const fuzz_reader reader_config = {.read = one_input};
