/* chainscope manual: prints the manual page. The page is generated from the
 * tables that also generate --help, the output of `list`, and the help on the
 * screen. The build writes the page to a file. */
#include "cli/catalogue/catalogue.h"
#include "cli/front/front.h"
#include "cli/line/subcommand.h"
#include "screen/input/commands.h"
#include "session/commands/command.h"

#include <stdio.h>

/* Prints text in the syntax of troff: escape sequences and requests in the text
 * are disabled, and minus signs are real minus signs. */
static void put(const char *text)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        start = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

/* Prints a term in bold, the term's arguments in plain type, and the meaning
 * below. */
static void item(const char *bold, const char *plain, const char *text)
{
    fputs(".TP\n\\fB", stdout);
    put(bold);
    fputs("\\fR", stdout);
    if (*plain) {
        putchar(' ');
        put(plain);
    }
    putchar('\n');
    put(text);
    putchar('\n');
}

static void paragraph(const char *text)
{
    fputs(".PP\n", stdout);
    put(text);
    putchar('\n');
}

static void subcommands(void)
{
    const cs_subcommand *sub;
    puts(".SH SUB-COMMANDS");
    for (size_t i = 0; (sub = cs_subcommand_at(i)); i++) {
        char option[64];
        printf(".SS chainscope %s ", sub->name);
        put(sub->args);
        putchar('\n');
        put(sub->help);
        putchar('\n');
        for (size_t k = 0; k < sub->n_options; k++) {
            const cs_option *o = &sub->options[k];
            snprintf(option, sizeof option, "--%s", o->name);
            item(option, o->arg ? o->arg : "", o->help);
        }
        if (sub->more[0])
            paragraph(sub->more);
    }
}

static void screen(void)
{
    const cs_ui_command_row *own;
    const cs_command *c;
    const cs_action *act;
    const cs_panel_type *panel;
    puts(".SH KEYS");
    for (size_t i = 0; (act = cs_action_at(i)); i++) {
        char keys[64], lines[120];
        cs_action_labels(NULL, act, keys, sizeof keys);
        cs_action_lines(act, lines, sizeof lines);
        item(keys, lines, act->help);
    }
    puts(".SH COMMANDS\nTyped after a colon.");
    for (size_t i = 0; (own = cs_ui_command_at(i)); i++)
        item(own->name, own->args, own->help);
    for (size_t i = 0; (c = cs_command_at(i)); i++)
        if (!cs_ui_command_find(c->name))
            item(c->name, c->args, c->help);
    puts(".SH PANELS");
    for (size_t i = 0; (panel = cs_panel_at(i)); i++)
        item(panel->name, "", panel->help);
}

static void catalogues(void)
{
    const cs_catalogue *c;
    cs_entry e;
    puts(".SH LISTS");
    puts("chainscope describe NAME shows the parameters of each.");
    for (size_t i = 0; (c = cs_catalogue_at(i)); i++) {
        printf(".SS %s\n", c->name);
        for (size_t k = 0; c->at(k, &e); k++)
            item(e.name, "", e.title);
    }
}

static void notes(const char *title, const cs_note *(*at)(size_t))
{
    const cs_note *n;
    printf(".SH %s\n", title);
    for (size_t i = 0; (n = at(i)); i++)
        item(n->name, "", n->text);
}

/* Requests the reference of the Lua library from the session and prints it. */
static int reference(const char *code)
{
    cs_client *c;
    cs_error err;
    const cs_front_options front = {0};
    if (cs_front_create(&c, &front, &err))
        return cs_complain(&err);
    cs_status status = cs_front_ask(c, code, NULL, &err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static int manual(const cs_args *args)
{
    cs_error err;
    if (cs_args_value(args, "lua"))
        return reference("chunk print(cs.reference())");
    if (cs_args_value(args, "annotations"))
        return reference("chunk print(cs.reference \"annotations\")");
    if (cs_catalogues_read(NULL, &err))
        return cs_complain(&err);
    printf(".TH CHAINSCOPE 1 \"\" \"chainscope %s\"\n", CS_VERSION);
    puts(".SH NAME\nchainscope \\- an oscilloscope for Markov chains");
    puts(".SH SYNOPSIS\n.B chainscope\n[FILE]\n.br\n.B chainscope\n"
         "SUB-COMMAND ...");
    puts(".SH DESCRIPTION");
    put("Markov chains run in a terminal while you watch, compare and change "
        "them. Without arguments, chainscope opens its gallery of scenarios; "
        "with the name of a scenario, a Lua file, it opens that scenario.\n");
    subcommands();
    screen();
    catalogues();
    notes("EXIT STATUS", cs_exit_code_at);
    notes("ENVIRONMENT", cs_environment_at);
    return CS_EXIT_OK;
}

static const cs_option options[] = {
    {"lua", NULL, "print the reference of the Lua library as Markdown instead"},
    {"annotations", NULL,
     "print the reference of the Lua library as annotations for editors "
     "(LuaLS) instead"},
};

const cs_subcommand cs_subcommand_manual = {
    .name = "manual",
    .args = "[--lua | --annotations]",
    .help = "print the manual page: chainscope manual | man -l -",
    .more = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .main = manual,
};
