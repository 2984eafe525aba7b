#include "screen/input/dialog.h"

#include "base/memory.h"
#include "base/text.h"
#include "screen/input/commands.h"
#include "screen/state/background.h"
#include "screen/term/input_parser.h"
#include "session/commands/command.h"

#include <stdio.h>
#include <string.h>

/* Kinds of lines that are sent, in the lower bits of a line's id. */
enum { KEY, TYPED, LUA, COMPLETE, JOURNAL, KINDS };

/* The first request of the gallery is for the scenarios that fill a small
 * screen. Each later request is for the largest number that fits in one
 * message. */
enum { FIRST_SCENARIOS = 12, SCENARIOS = 40 };

cs_status cs_dialog_init(cs_dialog *d, const cs_app_link *link,
                         const cs_editor *editor, cs_ui *ui,
                         const cs_shot *shot, cs_error *err)
{
    *d = (cs_dialog){.link = link, .editor = editor, .ui = ui, .shot = shot};
    d->gallery = cs_alloc(CS_TABLE_BYTES, 1);
    ui->jobs = cs_background_create(link);
    return d->gallery && ui->jobs
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for the gallery");
}

void cs_dialog_fini(cs_dialog *d)
{
    cs_free(d->gallery);
    cs_free(d->journal.text);
    cs_background_destroy(d->ui->jobs);
    d->ui->jobs = NULL;
    d->gallery = NULL;
    d->journal = (cs_page){0};
}

/* Records how to revert a command for which undo does not work. */
static void note_instead(cs_ui *ui, const char *line)
{
    const cs_command *c = cs_command_named(line);
    if (c && c->instead)
        cs_undo_instead(ui, c->instead);
}

/* Stores the name of the file that "open FILE ..." opens. */
static void name_file(cs_dialog *d, const char *line)
{
    char copy[1024], *word[CS_WORDS];
    size_t n = 0;
    snprintf(copy, sizeof copy, "%s", line);
    bool cut = cs_words_cut(copy, word, &n, NULL) == CS_OK && n > 1;
    snprintf(d->file, sizeof d->file, "%.63s", cut ? word[1] : "");
}

/* Sends a line. Returns the id of the line's reply, or 0 if the line was not
 * sent. */
static uint32_t send_as(cs_dialog *d, const char *line, uint32_t kind)
{
    d->asks = d->asks % 0xffffff + 1;
    uint32_t id = d->asks * KINDS + kind;
    if (d->link->send(d->link->self, line, id)) {
        d->unanswered = id;
        if (kind != COMPLETE && kind != JOURNAL)
            note_instead(d->ui, line);
        if (strncmp(line, "open ", 5) == 0) {
            d->opening = id;
            name_file(d, line);
        }
        return id;
    }
    cs_log_add(&d->ui->log, CS_LOG_ERROR,
               "the session is busy: ^C interrupts its script");
    return 0;
}

bool cs_dialog_send(void *self, const char *line)
{
    return send_as(self, line, KEY) != 0;
}

/* Requests the scenarios from number `from` on. */
static bool ask_gallery(cs_dialog *d, size_t from)
{
    char line[64];
    snprintf(line, sizeof line, "gallery %zu %d recent", from,
             from ? SCENARIOS : FIRST_SCENARIOS);
    return cs_dialog_send(d, line);
}

void cs_dialog_gallery(cs_dialog *d)
{
    ask_gallery(d, 0);
}

static void say(void *self, const char *text, bool failed)
{
    cs_dialog *d = self;
    cs_log_add(&d->ui->log, failed ? CS_LOG_ERROR : CS_LOG_EVENT, text);
}

bool cs_dialog_replicate(cs_dialog *d)
{
    return cs_background_tend(d->ui->jobs, d->shot, say, d);
}

/* ---- the input line ---------------------------------------------------- */

static void show(cs_dialog *d)
{
    cs_prompt *p = &d->ui->prompt;
    d->editor->show(d->editor->self, p->text, sizeof p->text, &p->cursor);
    size_t size;
    char *filter = cs_ui_filter(d->ui, &size);
    if (p->mark != '/')
        return;
    bool changed = strcmp(filter, p->text + 1) != 0;
    snprintf(filter, size, "%s", p->text + 1);
    if (d->ui->view != CS_VIEW_GALLERY) {
        d->ui->row = 0;
        return;
    }
    if (changed) /* not after the keys up and down */
        cs_gallery_seek(d->ui);
    cs_gallery_move(d->ui, 0);
}

void cs_dialog_open(cs_dialog *d)
{
    cs_prompt *p = &d->ui->prompt;
    p->n_offers = 0;
    *p->note = 0;
    d->editor->begin(d->editor->self, p->mark, p->begin);
    *p->begin = 0;
    show(d);
}

static void forget_lua(cs_dialog *d)
{
    *d->chunk = *d->later = 0;
    d->awaited = 0;
}

void cs_dialog_close(cs_dialog *d)
{
    const char *unused;
    if (d->ui->prompt.mark)
        d->editor->key(d->editor->self, 27, &unused);
    d->ui->prompt.mark = 0;
    forget_lua(d);
}

void cs_dialog_clear(cs_dialog *d)
{
    char mark = d->ui->prompt.mark;
    cs_dialog_close(d);
    if (mark != ';')
        return;
    d->ui->prompt.mark = mark;
    cs_dialog_open(d);
}

/* Appends a line to `lines`. Returns false if the line does not fit. */
static bool add_line(char lines[CS_CHUNK], const char *line, size_t length)
{
    size_t used = strlen(lines);
    if (used + length + 2 > CS_CHUNK)
        return false;
    snprintf(lines + used, CS_CHUNK - used, "%s%.*s", used ? "\n" : "",
             (int)length, line);
    return true;
}

static void send_lua(cs_dialog *d, const char *line, size_t length)
{
    static const char head[] = "lua ";
    char text[sizeof head + CS_CHUNK];
    if (!add_line(d->chunk, line, length)) {
        cs_log_add(&d->ui->log, CS_LOG_ERROR,
                   "this Lua code is too long: put it in a file");
        forget_lua(d);
        return;
    }
    snprintf(text, sizeof text, "%s%s", head, d->chunk);
    d->awaited = send_as(d, text, LUA);
    if (!d->awaited)
        forget_lua(d);
}

/* Sends Lua line by line until a statement is complete; the console remains
 * open. Only the reply shows whether the statement is complete, so lines
 * typed or pasted before the reply wait. Otherwise they would be appended to
 * a statement that has already run. A mark before each waiting line
 * preserves empty lines. */
static void finish_lua(cs_dialog *d, const char *line)
{
    char marked[CS_CHUNK];
    int n = snprintf(marked, sizeof marked, ";%s", line);
    if (!d->awaited)
        send_lua(d, line, strlen(line));
    else if (!add_line(d->later, marked, (size_t)n))
        cs_log_add(&d->ui->log, CS_LOG_ERROR,
                   "too many lines are waiting for the running script");
    d->ui->prompt.mark = ';';
    cs_dialog_open(d);
}

/* Continues after the reply to a line of Lua; `whole`: the statement was
 * complete. */
static void go_on_with_lua(cs_dialog *d, bool whole)
{
    char line[CS_CHUNK];
    d->awaited = 0;
    if (whole)
        *d->chunk = 0;
    if (!*d->later)
        return;
    size_t n = strcspn(d->later, "\n"), rest = n + (d->later[n] == '\n');
    memcpy(line, d->later + 1, n - 1);
    memmove(d->later, d->later + rest, strlen(d->later + rest) + 1);
    send_lua(d, line, n - 1);
}

static void finish_line(cs_dialog *d, const char *line)
{
    char mark = d->ui->prompt.mark, typed[600];
    size_t size;
    cs_sender to = {cs_dialog_send, d};
    d->ui->prompt.mark = 0;
    if (mark == '/') {
        if (!line)
            *cs_ui_filter(d->ui, &size) = 0;
        else if (cs_press(d->ui, d->shot, &to, '\r') && d->ui->prompt.mark)
            cs_dialog_open(d);
        return;
    }
    if (!line || (!*line && mark != ';')) {
        forget_lua(d);
        return;
    }
    snprintf(typed, sizeof typed, "%c%s", mark, line);
    cs_log_add(&d->ui->log, CS_LOG_TYPED, typed);
    if (mark == ';')
        finish_lua(d, line);
    else if (cs_ui_command(d->ui, d->shot, &to, line)) {
        if (d->ui->prompt.mark)
            cs_dialog_open(d);
    } else {
        uint32_t id = send_as(d, line, TYPED);
        if (strcmp(line, "summary") == 0)
            d->summary = id;
    }
}

/* ---- completion -------------------------------------------------------- */

/* Returns the start of the word before the cursor. */
static const char *word_of(const char *before, char mark)
{
    const char *p = before + strlen(before);
    if (mark == ':') {
        while (p > before && p[-1] != ' ')
            p--;
        return p;
    }
    while (p > before && strchr("abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:",
                                p[-1]))
        p--;
    return p;
}

static void offer(cs_prompt *p, const char *text)
{
    for (size_t i = 0; i < p->n_offers; i++)
        if (strcmp(p->offer[i], text) == 0)
            return;
    if (p->n_offers < CS_OFFERS && strlen(text) < CS_OFFER_WIDTH)
        snprintf(p->offer[p->n_offers++], CS_OFFER_WIDTH, "%s", text);
}

static size_t common_prefix(const cs_prompt *p)
{
    size_t n = p->n_offers ? strlen(p->offer[0]) : 0;
    for (size_t i = 1; i < p->n_offers; i++) {
        size_t k = 0;
        while (k < n && p->offer[i][k] == p->offer[0][k])
            k++;
        n = k;
    }
    return n;
}

static void ask_completions(cs_dialog *d)
{
    char before[500], line[600];
    char mark = d->ui->prompt.mark;
    d->editor->before(d->editor->self, before, sizeof before);
    d->ui->prompt.n_offers = 0;
    snprintf(d->asked, sizeof d->asked, "%s", before);
    snprintf(line, sizeof line, "complete %s%s", mark == ':' ? ":" : "",
             before);
    send_as(d, line, COMPLETE);
}

/* Inserts the common prefix of all completions. If there is only one
 * completion, inserts it as a whole. */
static void apply_completions(cs_dialog *d, const cs_answer *answer)
{
    cs_prompt *p = &d->ui->prompt;
    char before[500], text[CS_OFFER_WIDTH + 2], buffer[CS_WORD];
    cs_shot list = {.base = answer->table, .used = answer->used};
    d->editor->before(d->editor->self, before, sizeof before);
    if (!p->mark || strcmp(before, d->asked) != 0)
        return; /* the line has changed since the request */
    const char *word = word_of(before, p->mark), *name;
    if (p->mark == ':')
        for (size_t i = 0; (name = cs_ui_offer(d->ui, before, i, buffer)); i++)
            if (strncmp(name, word, strlen(word)) == 0)
                offer(p, name);
    for (size_t i = 0; *(name = cs_shot_text(&list, "%zu", i)); i++)
        offer(p, name);
    size_t n = common_prefix(p);
    if (n < strlen(word) || p->n_offers == 0)
        return;
    bool whole =
        p->n_offers == 1 && p->mark == ':' && !strchr("/=", p->offer[0][n - 1]);
    snprintf(text, sizeof text, "%.*s%s", (int)n, p->offer[0],
             whole ? " " : "");
    d->editor->replace(d->editor->self, strlen(word), text);
    if (p->n_offers == 1)
        p->n_offers = 0;
    show(d);
}

void cs_dialog_key(cs_dialog *d, unsigned key)
{
    const char *line = NULL;
    bool find = d->ui->prompt.mark == '/';
    if (find && (key == CS_KEY_UP || key == CS_KEY_DOWN ||
                 key == CS_KEY_PAGE_UP || key == CS_KEY_PAGE_DOWN)) {
        cs_sender to = {cs_dialog_send, d};
        cs_press(d->ui, d->shot, &to, key);
        return;
    }
    if (key == '\t') {
        if (!find)
            ask_completions(d);
        return;
    }
    d->ui->prompt.n_offers = 0;
    *d->ui->prompt.note = 0;
    if (d->editor->key(d->editor->self, key, &line))
        finish_line(d, line);
    else
        show(d);
}

void cs_dialog_press(cs_dialog *d, unsigned key)
{
    cs_sender to = {cs_dialog_send, d};
    if (d->ui->prompt.mark)
        cs_dialog_key(d, key);
    else if (cs_press(d->ui, d->shot, &to, key) && d->ui->prompt.mark)
        cs_dialog_open(d);
}

/* Copies pasted text as one line: line breaks and tabs become blanks, other
 * controls and invalid UTF-8 are left out. Returns the number of lines. */
static size_t join_lines(const char *text, char *out)
{
    size_t lines = 1, left = strlen(text), used = 0;
    while (left && (text[left - 1] == '\n' || text[left - 1] == '\r'))
        left--;
    while (left) {
        unsigned code;
        size_t n = cs_utf8_decode(text, left, &code);
        bool pair = code == '\r' && left > 1 && text[1] == '\n';
        bool blank = n && (code == '\n' || code == '\t' || code == '\r');
        bool control = code < ' ' || (code >= 0x7F && code < 0xA0);
        lines += n && (code == '\n' || code == '\r') && !pair;
        if (blank && !pair)
            out[used++] = ' ';
        for (size_t i = 0; !control && i < n; i++)
            out[used++] = text[i];
        n = n ? n : 1;
        text += n;
        left -= n;
    }
    out[used] = 0;
    return lines;
}

void cs_dialog_paste(cs_dialog *d, const char *text)
{
    char line[CS_INPUT_PASTE + 1];
    cs_prompt *p = &d->ui->prompt;
    if (!p->mark) {
        cs_log_add(&d->ui->log, CS_LOG_ERROR,
                   "pasted text is ignored: press : or ; or / before pasting");
        return;
    }
    p->n_offers = 0;
    *p->note = 0;
    if (!text) {
        snprintf(
            p->note, sizeof p->note,
            "nothing was inserted: the pasted text is longer than %d bytes",
            CS_INPUT_PASTE);
        return;
    }
    size_t lines = join_lines(text, line);
    d->editor->replace(d->editor->self, 0, line);
    show(d);
    if (lines > 1)
        snprintf(p->note, sizeof p->note,
                 "%zu pasted lines, joined with blanks; enter runs them as one",
                 lines);
}

/* ---- replies ----------------------------------------------------------- */

/* Stores the first part of the gallery's list or a later part. More parts
 * may follow. */
static void take_gallery(cs_dialog *d, const cs_answer *answer)
{
    cs_shot list = {.base = answer->table, .used = answer->used};
    cs_ui *ui = d->ui;
    size_t n, before = 0;
    if (!ui->gallery.rows || *cs_shot_text(&list, "0/file"))
        ui->gallery.used = 0;
    ui->gallery.rows = d->gallery;
    if (answer->used == 0 || answer->used > CS_TABLE_BYTES - ui->gallery.used)
        return;
    list = (cs_shot){.base = d->gallery, .used = ui->gallery.used};
    while (*cs_shot_text(&list, "%zu/file", before))
        before++;
    memcpy(d->gallery + ui->gallery.used, answer->table, answer->used);
    list.used = ui->gallery.used += answer->used;
    for (n = before; *cs_shot_text(&list, "%zu/file", n);)
        n++;
    if (n > before)
        ask_gallery(d, n);
}

/* Logs a reply. A reply of several lines opens the view of messages. */
static void take_text(cs_dialog *d, const cs_answer *answer, uint32_t kind)
{
    cs_ui *ui = d->ui;
    bool failed = answer->status != CS_OK;
    /* An incomplete Lua statement has no result: the console remains open for
     * more lines. */
    bool end = kind != LUA || answer->part || answer->status != CS_INPUT;
    size_t lines = 0;
    if (end)
        lines = cs_log_add(&ui->log,
                           failed        ? CS_LOG_ERROR
                           : kind == KEY ? CS_LOG_EVENT
                                         : CS_LOG_REPLY,
                           answer->text);
    if (answer->id == d->summary && !answer->part && !failed)
        cs_ui_rank(ui, d->shot, CS_LOG_REPLY);
    if (lines > 1 && kind != KEY)
        cs_ui_cover(ui, CS_VIEW_LOG);
    if (answer->id == d->awaited && !answer->part)
        go_on_with_lua(d, end);
}

/* ---- recording ---------------------------------------------------------- */

static void lose_recording(cs_dialog *d, const cs_error *err)
{
    char text[CS_LOG_WIDTH * 2];
    cs_ui_end_recording(d->ui);
    cs_error_format(err, text, sizeof text);
    cs_log_add(&d->ui->log, CS_LOG_ERROR, text);
}

bool cs_dialog_record(cs_dialog *d, const cs_canvas *c, cs_tier tier)
{
    cs_error err;
    bool late = false;
    cs_recording *r = d->ui->recorder;
    if (r && !d->ui->lost && cs_recording_asks(r, d->shot))
        send_as(d, "journal inputs", JOURNAL);
    if (r &&
        cs_recording_frame(r, c, tier, d->shot, cs_ui_time(d->ui), &late, &err))
        lose_recording(d, &err);
    return late;
}

/* Stores the parts of the journal; the final reply follows them. */
static void take_journal(cs_dialog *d, const cs_answer *answer)
{
    cs_error err;
    bool good = answer->status == CS_OK && !d->journal.full;
    if (good)
        cs_page_put(&d->journal, "%s", answer->text);
    if (answer->part)
        return;
    if (d->ui->recorder &&
        cs_recording_journal(d->ui->recorder, good ? d->journal.text : NULL,
                             cs_ui_time(d->ui), &err))
        lose_recording(d, &err);
    cs_free(d->journal.text);
    d->journal = (cs_page){0};
}

/* Handles the reply to `open`. Displays the opened run; if the reply is an
 * error, the display does not change. */
static void settle(cs_dialog *d, const cs_answer *answer)
{
    cs_ui *ui = d->ui;
    if (answer->id == d->unanswered)
        d->unanswered = 0;
    if (answer->id != d->opening)
        return;
    d->opening = 0;
    if (answer->status == CS_OK)
        *(ui->view == CS_VIEW_HELP || ui->view == CS_VIEW_LOG ? &ui->before
                                                              : &ui->view) =
            CS_VIEW_RUN;
}

void cs_dialog_wait(cs_dialog *d, long seconds)
{
    char *to = d->ui->wait;
    *to = 0;
    if (seconds > 0 && d->opening)
        snprintf(to, sizeof d->ui->wait, "opening, %ld s so far, ^C stops: %s",
                 seconds, d->file);
    else if (seconds > 0)
        snprintf(to, sizeof d->ui->wait,
                 "still computing after %ld s; ^C stops it", seconds);
}

bool cs_dialog_answers(cs_dialog *d)
{
    cs_answer answer;
    bool any = false;
    for (; d->link->answer(d->link->self, &answer); any = true) {
        uint32_t kind = answer.id % KINDS;
        if (!answer.part)
            settle(d, &answer);
        if (kind == JOURNAL && answer.text)
            take_journal(d, &answer);
        else if (answer.text)
            take_text(d, &answer, kind);
        else if (kind == COMPLETE)
            apply_completions(d, &answer);
        else if (answer.table)
            take_gallery(d, &answer);
    }
    return any;
}
