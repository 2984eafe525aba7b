#include "screen/canvas/field.h"

#include "session/client/snapshot_rows.h"

static size_t whole(double v)
{
    return v >= 0 && v < 1e9 ? (size_t)v : 0;
}

bool cs_field_find(const cs_shot *s, const char *of, cs_field *p)
{
    size_t r, c;
    const cs_row_picture *row =
        CS_SHOT_ROWS(s, cs_row_picture, &r, "%s/shape", of);
    if (!row)
        return false;
    *p = (cs_field){.kind = whole(row->kind),
                    .rows = whole(row->rows),
                    .cols = whole(row->cols),
                    .layers = whole(row->layers),
                    .n = whole(row->n),
                    .values = whole(row->values),
                    .low = row->low,
                    .high = row->high,
                    .first = row->first,
                    .classes = row->classes != 0};
    p->places.n = p->n;
    p->places.place = cs_shot_array(s, &r, &c, "%s/places", of);
    if (r != p->n || c != 2)
        p->places.place = NULL;
    p->places.edge = cs_shot_array(s, &r, &c, "%s/edges", of);
    p->places.edges = c == 2 ? r : 0;
    bool pixels = p->kind == CS_PICTURE_PIXELS && p->rows && p->cols;
    return p->n && (pixels || p->kind == CS_PICTURE_GRAPH ||
                    p->kind == CS_PICTURE_TOUR);
}

cs_pixels cs_field_pixels(const cs_field *p, const unsigned char *level)
{
    cs_pixels x = {.level = level,
                   .n = p->n,
                   .rows = p->rows,
                   .cols = p->cols,
                   .layers = p->layers};
    x.most = p->values ? (unsigned)p->values - 1 : CS_LEVELS - 1;
    x.palette = CS_PALETTE_GREY;
    if (p->values == 2)
        x.palette = CS_PALETTE_TWO;
    else if (p->classes && p->values <= CS_CHAIN_ROLES && p->values)
        x.palette = CS_PALETTE_CLASSES;
    return x;
}

cs_tiling cs_field_tiling(const cs_area *a, const cs_field *p, size_t n)
{
    cs_pixels field = cs_field_pixels(p, NULL);
    bool pixels = p->kind == CS_PICTURE_PIXELS;
    return cs_tiling_make(a, pixels ? &field : NULL, n);
}

void cs_field_draw(const cs_area *a, const cs_field *p, const cs_tiling *f,
                   const cs_picture_tile *t, size_t i)
{
    int x = (int)(i % f->across) * (f->w + CS_TILE_GAP);
    int y = (int)(i / f->across) * f->h;
    cs_area at = cs_area_part(a, x, y, f->w, f->h);
    cs_area body = cs_area_part(&at, 0, 1, at.w, at.h - 1);
    cs_print_cut(&at, 0, 0, at.w, t->role, "%s", t->text);
    if (t->chosen)
        cs_attribute(&at, 0, 0, cs_text_width(t->text), CS_BOLD | CS_UNDERLINE);
    if (p->kind == CS_PICTURE_PIXELS)
        cs_pixels_draw(&body, &t->pixels, &f->grain);
    else if (body.w > 0 && body.h > 0 && p->kind == CS_PICTURE_GRAPH)
        cs_graph_layout_graph(&body, &p->places, &t->pixels);
    else if (body.w > 0 && body.h > 0 && t->was)
        cs_graph_layout_detour(&body, &p->places, t->was, t->tour);
    else if (body.w > 0 && body.h > 0 && t->tour)
        cs_graph_layout_tour(&body, &p->places, t->tour);
}
