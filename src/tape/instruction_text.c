/* Formats instructions as text. Slots are reused, so operands are named by the
 * instruction that wrote them. Elements are counted from 1, as in Lua. */
#include "tape/disassembly.h"

#include <math.h>

enum { MOST_TERMS = 12, MOST_PARTS = 3 };

typedef struct writing {
    const cs_program *p;
    const cs_slot_writer *writer;
    cs_page *page;
} writing;

static void put_name(const writing *w, cs_slot_writer of)
{
    if (of.number)
        cs_page_put(w->page, of.second ? "v%u'" : "v%u", of.number);
    else
        cs_page_put(w->page, w->p->apart ? "row" : "x");
}

/* Writes the slots numbered `at` to `at` + n - 1, which belong to one value. */
static void put_piece(const writing *w, uint32_t at, uint32_t n)
{
    cs_slot_writer of = w->writer[at];
    put_name(w, of);
    if (n == of.size && (n > 1 || of.number))
        return;
    cs_page_put(w->page, "[%u", at - of.first + 1);
    if (n > 1)
        cs_page_put(w->page, "..%u", at - of.first + n);
    cs_page_put(w->page, "]");
}

/* Writes consecutive slots, which may belong to several values. */
static void put_slots(const writing *w, uint32_t at, uint32_t n)
{
    uint32_t pieces = 0, end = at + n;
    for (uint32_t from = at, to; from < end; from = to, pieces++) {
        for (to = from + 1;
             to < end && w->writer[to].first == w->writer[from].first &&
             w->writer[to].number == w->writer[from].number;
             to++)
            ;
        if (from == at && to < end)
            cs_page_put(w->page, "{");
        else if (from > at)
            cs_page_put(w->page, " ");
        if (pieces == MOST_PARTS && to < end) {
            cs_page_put(w->page, "... %u elements}", n);
            return;
        }
        put_piece(w, from, to - from);
    }
    if (pieces > 1)
        cs_page_put(w->page, "}");
}

static void put_operand(const writing *w, cs_operand o, uint32_t n)
{
    if (o.kind >= CS_FROM_VECTOR && o.at < w->p->numbers)
        cs_page_put(w->page, o.kind == CS_FROM_NUMBER ? "k[%u]" : "k[%u..%u]",
                    o.at + 1, o.at + n);
    else if (o.kind == CS_FROM_NUMBER)
        cs_page_put(w->page, "%.6g", w->p->constants[o.at]);
    else if (o.kind == CS_FROM_VECTOR)
        cs_page_put(w->page, "data[%u]", n);
    else
        put_slots(w, o.at, o.kind == CS_FROM_ROWS ? n : 1);
}

static void put_term(const writing *w, const cs_term *t, bool pair, bool first,
                     uint32_t n)
{
    double size = fabs(t->factor);
    bool minus = signbit(t->factor);
    cs_page_put(w->page, first ? "%s" : " %s ", minus ? "-" : first ? "" : "+");
    if (size != 1)
        cs_page_put(w->page, "%.6g ", size);
    put_operand(w, t->a, n);
    if (!pair)
        return;
    cs_page_put(w->page, " ");
    put_operand(w, t->b, n);
}

static void put_sum(const writing *w, const cs_instruction *i)
{
    const cs_term *t = w->p->terms + i->first;
    bool rows = i->op == CS_CODE_COLLECT;
    bool total = i->op == CS_CODE_TOTAL || rows,
         start = i->start != 0 || !i->count;
    uint32_t n = i->op == CS_CODE_TOTAL ? i->elements : i->size, k = 0;
    if (start)
        cs_page_put(w->page, "%.6g", i->start);
    if (total)
        cs_page_put(w->page, "%s%s(", start ? " + " : "",
                    rows ? "sum over rows " : "sum");
    for (; k < i->count && k < MOST_TERMS; k++)
        put_term(w, t + k, k >= i->plain, k == 0 && (total || !start), n);
    if (k < i->count)
        cs_page_put(w->page, " + ... %u terms", i->count);
    if (total)
        cs_page_put(w->page, ")");
}

/* Writes the whole value that starts at the operand's slot. */
static void put_whole(const writing *w, cs_operand o)
{
    if (o.kind >= CS_FROM_VECTOR) {
        cs_page_put(w->page, "data");
        return;
    }
    cs_slot_writer of = w->writer[o.at];
    put_slots(w, o.at, of.first + of.size - o.at);
}

/* True if the second operand is a constant: a matrix, or indices. */
static bool has_constant(uint32_t op)
{
    return op == CS_OP_PRODUCT || op == CS_OP_GATHER || op == CS_OP_SCATTER;
}

static void put_shape(const writing *w, const cs_instruction *i)
{
    cs_page_put(w->page, "%s(", cs_ops[i->op].text);
    if (!has_constant(i->op)) {
        put_whole(w, i->a);
        if (cs_ops[i->op].arity > 1) {
            cs_page_put(w->page, ", ");
            put_whole(w, i->b);
        }
        cs_page_put(w->page, ")");
        return;
    }
    if (i->op == CS_OP_PRODUCT)
        cs_page_put(w->page, "data[%u x %u], ", i->size, i->elements);
    put_operand(w, i->a, i->elements);
    if (i->op != CS_OP_PRODUCT)
        cs_page_put(w->page, ", %u indices",
                    i->op == CS_OP_GATHER ? i->size : i->elements);
    cs_page_put(w->page, ")");
}

static void put_call(const writing *w, const cs_instruction *i)
{
    const cs_op_row *row = &cs_ops[i->op];
    const cs_operand of[3] = {i->a, i->b, i->c};
    uint32_t n = row->class == CS_OP_REDUCE ? i->elements : i->size;
    bool sign = row->class == CS_OP_MAP && row->arity == 2 &&
                (row->text[0] < 'a' || row->text[0] > 'z');
    if (!sign)
        cs_page_put(w->page, "%s(", row->text);
    for (unsigned k = 0; k < row->arity && k < 3; k++) {
        if (k)
            cs_page_put(w->page, sign ? " %s " : "%.0s, ", row->text);
        put_operand(w, of[k], n);
    }
    if (!sign)
        cs_page_put(w->page, ")");
}

static void put_right(const writing *w, const cs_instruction *i)
{
    if (i->op == CS_CODE_SUM || i->op == CS_CODE_TOTAL ||
        i->op == CS_CODE_COLLECT) {
        put_sum(w, i);
    } else if (i->op == CS_CODE_SPREAD) {
        cs_page_put(w->page, "sum over rows (");
        if (i->start != 1)
            cs_page_put(w->page, "%.6g ", i->start);
        put_operand(w, i->a, i->elements);
        cs_page_put(w->page, " at ");
        put_operand(w, i->b, i->elements);
        cs_page_put(w->page, ")");
    } else if (i->op == CS_CODE_COPY) {
        put_operand(w, i->a, i->size);
    } else if (i->op == CS_CODE_LOGISTIC) {
        cs_page_put(w->page, "softplus, sigmoid(");
        put_operand(w, i->a, i->size);
        cs_page_put(w->page, ")");
    } else if (i->op == CS_CODE_LOG_SUM_EXP) {
        cs_page_put(w->page, "log_sum_exp, softmax(");
        put_operand(w, i->a, i->elements);
        cs_page_put(w->page, ")");
    } else if (cs_ops[i->op].class == CS_OP_SHAPE) {
        put_shape(w, i);
    } else {
        put_call(w, i);
    }
}

static void write_down(cs_slot_writer *writer, uint32_t number, uint32_t at,
                       uint32_t n, bool second)
{
    for (uint32_t s = at; s < at + n; s++)
        writer[s] = (cs_slot_writer){number, at, n, second};
}

void cs_instruction_put(const cs_program *p, size_t i, cs_slot_writer *writer,
                        cs_page *page)
{
    const cs_instruction *k = &p->code[i];
    const writing w = {p, writer, page};
    uint32_t number = (uint32_t)i + 1;
    cs_page_put(page, cs_instruction_is_double(k) ? "v%u, v%u'" : "v%u", number,
                number);
    if (k->size > 1)
        cs_page_put(page, "[%u]", k->size);
    cs_page_put(page, " = ");
    put_right(&w, k);
    if (!cs_instruction_collects(k))
        write_down(writer, number, k->out, k->size, false);
    if (cs_instruction_is_double(k))
        write_down(writer, number, k->second, cs_instruction_second(k), true);
}
