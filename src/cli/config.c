/* chainscope config: prints the path and the content of the configuration
 * file. */
#include "script/config.h"
#include "cli/front/look_options.h"
#include "files/folders.h"
#include "screen/state/preferences.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void show_pairs(const cs_shot *preferences, const char *list)
{
    const char *name;
    for (size_t i = 0; *(name = cs_preference_name(preferences, list, i)); i++)
        printf("  %-12s %s: %s\n", list, name,
               cs_preference_value(preferences, list, i));
}

static void show_defaults(const cs_shot *preferences)
{
    static const char *const names[] = {CS_PREFERENCE_SPEED,
                                        CS_PREFERENCE_WORKERS};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double v = cs_shot_number(preferences, -1, "%s", names[i]);
        if (v >= 0)
            printf("  %-12s %s: %g\n", CS_PREFERENCE_DEFAULTS,
                   strchr(names[i], '/') + 1, v);
    }
}

static void show(const cs_shot *preferences)
{
    const char *name, *help;
    for (size_t i = 0; (name = cs_config_field(i, &help)); i++) {
        const char *text = cs_shot_text(preferences, "%s", name);
        size_t r, c;
        const double *number = cs_shot_array(preferences, &r, &c, "%s", name);
        bool pairs = *cs_preference_name(preferences, name, 0) != 0;
        if (strcmp(name, CS_PREFERENCE_DEFAULTS) == 0)
            show_defaults(preferences);
        else if (pairs)
            show_pairs(preferences, name);
        else if (number)
            printf("  %-12s %g\n", name, *number);
        else
            printf("  %-12s %s\n", name, *text ? text : "-");
    }
}

static int config(const cs_args *args)
{
    (void)args;
    static cs_look look;
    char path[1024];
    const char *name, *help;
    cs_error err;
    if (!cs_folder_config("config.lua", path, sizeof path)) {
        cs_fail(&err, CS_IO,
                "no configuration folder: HOME and XDG_CONFIG_HOME are unset");
        return cs_complain(&err);
    }
    bool there = access(path, F_OK) == 0;
    printf("%s%s\n", path, there ? "" : " (does not exist)");
    cs_flat_begin(&look.table, look.memory, sizeof look.memory);
    if (there && cs_look_file(path, &look.table, &err))
        return cs_complain(&err);
    look.preferences =
        (cs_shot){.base = look.table.base, .used = look.table.used};
    if (there)
        show(&look.preferences);
    printf("\nThe file is Lua code that returns a table with these fields:\n");
    for (size_t i = 0; (name = cs_config_field(i, &help)); i++)
        printf("  %-12s %s\n", name, help);
    return CS_EXIT_OK;
}

const cs_subcommand cs_subcommand_config = {
    .name = "config",
    .args = "",
    .help =
        "print the path of the configuration file, its values and its fields",
    .more = "",
    .main = config,
};
