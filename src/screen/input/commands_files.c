/* Typed commands that write files or edit a file. */
#include "screen/input/commands_parts.h"

#include "session/client/shell_words.h"

#include <stdio.h>
#include <string.h>

static const char files_stay[] =
    "files already written are kept; delete them yourself";

void cs_typed_screenshot(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    cs_error err = {0};
    char said[CS_LOG_WIDTH] = "";
    cs_status status =
        ui->drawn.seen
            ? cs_screenshot_write(ui->drawn.seen, rest, said, sizeof said, &err)
            : cs_fail(&err, CS_UNSUPPORTED, "nothing has been displayed yet");
    if (status == CS_OK)
        cs_undo_instead(ui, files_stay);
    cs_typed_say(ui, status, &err, said);
}

/* Starts a recording; without arguments, stops the recording. */
void cs_typed_record(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    char line[1024], said[1100], *word[CS_WORDS];
    size_t n;
    snprintf(line, sizeof line, "%s", rest);
    cs_status status = cs_words_cut(line, word, &n, &err);
    bool force = n == 2 && strcmp(word[1], "force") == 0;
    const char *dot = status == CS_OK && n ? strrchr(word[0], '.') : NULL;
    if (status == CS_OK && (n == 0 || ui->recorder)) {
        cs_ui_end_recording(ui);
        if (n == 0)
            return;
    }
    if (status == CS_OK && (n != 1u + force || !dot || strcmp(dot, ".cast"))) {
        status =
            cs_fail(&err, CS_INPUT, "a recording needs a file name NAME.cast");
        cs_hint(&err, "type `record NAME.cast` to start, and V to stop");
    } else if (status == CS_OK && !ui->drawn.seen) {
        status =
            cs_fail(&err, CS_UNSUPPORTED, "nothing has been displayed yet");
    } else if (status == CS_OK) {
        status = cs_recording_start(&ui->recorder, word[0], force,
                                    ui->drawn.seen, s, cs_ui_time(ui), &err);
        ui->marks = 0;
        snprintf(said, sizeof said, "recording to %s; V stops", word[0]);
        cs_undo_instead(ui, files_stay);
    }
    cs_typed_say(ui, status, &err, said);
}

/* Adds a mark to the recording. */
void cs_typed_mark(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    char said[300];
    cs_status status = CS_OK;
    (void)s;
    if (!*rest) {
        status = cs_fail(&err, CS_INPUT, "mark: the text is missing");
        cs_hint(&err, "for example `mark the vote`");
    } else if (!ui->recorder) {
        status = cs_fail(&err, CS_INPUT, "mark: nothing is recorded");
        cs_hint(&err, "V starts a recording");
    } else {
        status = cs_recording_mark(ui->recorder, rest, cs_ui_time(ui), &err);
        ui->marks += status == CS_OK;
        cs_undo_instead(ui, files_stay);
    }
    snprintf(said, sizeof said, "mark: %.280s", rest);
    cs_typed_say(ui, status, &err, said);
}

void cs_typed_edit(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s, (void)rest;
    ui->edit = true;
}
