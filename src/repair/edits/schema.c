/* schema.c - many edits of a program in one text, each guarded by a question: `__porf_edit (17)`
 * says whether the 17th is made. So the compiler is asked once for all of them, and also says which
 * ones make sense: each has lines of its own. */
#include "repair/edits/edit.h"

#include <stdlib.h>

#include "source/edits.h"

typedef struct Writer {
  const Source *source;
  Proposals *all;
  VEC (u32) order; /* numbers of proposals, by place: larger ranges first */
  u32 next;
  u32 line;
  Str *out;
} Writer;

static bool is_insertion (const Proposal *p) { return p->at.start == p->at.end; }

static int by_place (const void *a, const void *b, void *writer) {
  const Writer *w = writer;
  u32 i = *(const u32 *)a, k = *(const u32 *)b;
  const Proposal *x = &w->all->data[i], *y = &w->all->data[k];
  if (x->at.start != y->at.start) return x->at.start < y->at.start ? -1 : 1;
  if (is_insertion (x) != is_insertion (y)) return is_insertion (x) ? -1 : 1;
  if (x->at.end != y->at.end) return x->at.end > y->at.end ? -1 : 1;
  if (x->is_statement != y->is_statement) return x->is_statement ? -1 : 1;
  return i < k ? -1 : i > k;
}

static void write_text (Writer *w, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) w->line += text[i] == '\n';
  str_add_n (w->out, text, n);
}

static void write_words (Writer *w, const char *text) { write_text (w, text, strlen (text)); }

static void write_choice (Writer *w, u32 number, const char *before, const char *behind) {
  Proposal *p = &w->all->data[number];
  Str text = {0};
  write_words (w, "\n");
  p->line = w->line;
  str_printf (&text, before, number);
  str_add (&text, p->text);
  str_add (&text, behind);
  write_words (w, text.text);
  p->last = w->line;
  write_words (w, "\n");
  str_free (&text);
}

static void write_range (Writer *w, u32 start, u32 end);

static bool is_same_place (const Proposal *x, const Proposal *y) {
  return x->at.start == y->at.start && x->at.end == y->at.end && x->is_statement == y->is_statement;
}

static void write_group (Writer *w) {
  const Proposal *p = &w->all->data[w->order.data[w->next]];
  write_words (w, p->is_statement ? "{" : "(");
  while (w->next < w->order.size && is_same_place (p, &w->all->data[w->order.data[w->next]]))
    write_choice (w, w->order.data[w->next++],
                  p->is_statement ? "if (" IR_CHOICE " (%u)) { " : IR_CHOICE " (%u) ? (",
                  p->is_statement ? " } else" : ") :");
  write_words (w, p->is_statement ? "{" : "(");
  write_range (w, p->at.start, p->at.end);
  write_words (w, p->is_statement ? "}}\n" : "))\n");
}

static void write_range (Writer *w, u32 start, u32 end) {
  while (w->next < w->order.size) {
    u32 number = w->order.data[w->next];
    const Proposal *p = &w->all->data[number];
    if (p->at.start >= end) break;
    if (p->at.start < start || p->at.end > end) { /* it lies across another one */
      w->all->data[number].is_bad = true;
      w->next++;
      continue;
    }
    write_text (w, w->source->text + start, p->at.start - start);
    start = p->at.start;
    if (is_insertion (p)) {
      write_choice (w, number, "if (" IR_CHOICE " (%u)) { ", " }");
      w->next++;
    } else {
      start = p->at.end;
      write_group (w);
    }
  }
  write_text (w, w->source->text + start, end - start);
}

void schema_write (const Source *source, Proposals *all, u32 first, u32 end, Str *out) {
  Writer w = {.source = source, .all = all, .line = 1, .out = out};
  for (u32 i = first; i < end; i++) {
    all->data[i].line = all->data[i].last = 0;
    if (!all->data[i].is_bad) vec_push (&w.order, i);
  }
  if (w.order.size) qsort_r (w.order.data, w.order.size, sizeof (u32), by_place, &w);
  write_range (&w, 0, source->size);
  vec_free (&w.order);
}

void schema_write_edited (const Source *source, const Proposals *all, const u32 *chosen, u32 n,
                          Str *out) {
  Edits edits = {0};
  for (u32 k = 0; k < n; k++)
    edits_add_text (&edits, source, all->data[chosen[k]].at, all->data[chosen[k]].text);
  edits_sort (&edits);
  edits_write (source, &edits, 0, edits.size, (Span){0, source->size}, out);
  edits_free (&edits);
}

/* "file.c:12:3: error: " at the beginning of a line. */
static bool read_complaint (const char *line, u32 *number, bool *is_error) {
  const char *end = strchr (line, '\n'), *error = strstr (line, " error: "),
             *warning = strstr (line, " warning: ");
  *is_error = error && (!end || error < end);
  if (!*is_error && (!warning || (end && warning > end))) return false;
  const char *at = *is_error ? error : warning;
  u32 colons = 0;
  while (at > line && colons < 3)
    if (*--at == ':') colons++;
  if (colons < 3) return false;
  *number = (u32)strtoul (at + 1, NULL, 10);
  return true;
}

bool schema_read_complaints (const Source *source, Proposals *all, u32 first, u32 end,
                             const char *said) {
  bool has_errors = false, is_error, is_any_new = false;
  const char *name = strrchr (source->path, '/');
  name = name ? name + 1 : source->path;
  for (const char *line = said; line && *line; line = strchr (line, '\n')) {
    u32 number = 0;
    line += *line == '\n';
    if (!read_complaint (line, &number, &is_error)) continue;
    bool is_here = !strncmp (strstr (line, name) ? strstr (line, name) : "", name, strlen (name));
    for (u32 i = first; i < end && is_here; i++) {
      Proposal *p = &all->data[i];
      if (number < p->line || number > p->last) continue;
      p->is_bad = is_any_new = true;
    }
    has_errors |= is_error;
  }
  for (u32 i = first; i < end && has_errors && !is_any_new; i++) all->data[i].is_bad = true;
  return has_errors;
}
