/* edit_update.c - changes of what a program does in its text: an atomic update in place of a load
 * and a store that stand there as C's functions, and lines that change places.
 */
#include <ctype.h>

#include "report/edits.h"

typedef struct Call { /* of a C function, on one line */
  Cursor at, close;
  Arguments list;
  const char *text; /* the line */
} Call;

static bool find_call (const Report *r, u32 pos, const char *name, u32 arguments, Call *out) {
  u32 length, n = (u32)strlen (name);
  *out = (Call){.at = report_cursor_at (r, pos)};
  out->text = cursor_text (&out->at, &length);
  if (!cursor_end_of_call (&out->at) || strncmp (out->text + out->at.at, name, n)) return false;
  const char *behind = out->text + out->at.at + n;
  bool has_order = !strncmp (behind, "_explicit", 9);
  if (source_is_name_char (behind[has_order ? 9 : 0])) return false;
  if (!cursor_find_arguments (out->at, &out->list, &out->close)) return false;
  return out->list.size == arguments + has_order;
}

static Span span_of (const Call *c) { return (Span){c->at.at, c->close.at + 1}; }

static void add_argument (Str *out, const Call *c, u32 k) {
  Span s = c->list.data[k].span;
  str_add_n (out, c->text + s.start, s.end - s.start);
}

static void begin_update (Str *out, const Change *c, const Call *place) {
  str_printf (out, "%s_explicit (", view_update_name (c));
  add_argument (out, place, 0);
  str_add (out, ", ");
}

static void end_update (Str *out, const Change *c) {
  str_printf (out, ", memory_order_%s", source_order_suffix ((Order)c->to));
}

static void replace_call (const Call *c, Str *text, Edits *out) {
  edits_add (out, c->at.s->path, c->at.line, span_of (c), text->text);
}

static void fetch (const Change *c, const Call *place, const Call *store, Edits *out) {
  Str text = {0};
  begin_update (&text, c, place);
  if (c->rmw == RMW_XCHG)
    add_argument (&text, store, 1);
  else
    str_printf (&text, "%lld", (long long)c->value);
  end_update (&text, c);
  str_add (&text, ")");
  replace_call (place, &text, out);
}

/* The name of a parameter where the function around a position is defined. */
static bool find_parameter (const Report *r, u32 pos, u64 number, Str *out) {
  const Program *p = r->program;
  u32 function = view_position_at (p, pos).func, length;
  if (function >= p->functions.size) return false;
  const Function *f = &p->functions.data[function];
  Cursor head = report_cursor_at (r, f->pos), close;
  Arguments list = {0};
  bool is_found = cursor_find_arguments (head, &list, &close) && number < list.size &&
                  list.data[number].is_one_line;
  if (is_found) {
    const Argument *a = &list.data[number];
    const char *text = source_line (r->sources, head.s->path, a->line, &length);
    u32 start = a->span.end;
    while (start > a->span.start && source_is_name_char (text[start - 1])) start--;
    is_found = start < a->span.end && !isdigit ((u8)text[start]);
    str_add_n (out, text + start, a->span.end - start);
  }
  vec_free (&list);
  return is_found;
}

static bool say_expected (const Report *r, const Change *c, const Call *store, Str *out) {
  if (c->update == UPDATE_IF_GIVEN) return find_parameter (r, c->pos, c->value, out);
  if (c->update != UPDATE_IF_VALUE) return false;
  Span s = store->list.data[1].span;
  bool is_truth = !strncmp (store->text + s.start, "true", 4); /* which is an int in C */
  str_add (out, "(__typeof__ (");
  add_argument (out, store, 1);
  str_printf (out, ")){%llu}", (unsigned long long)c->value);
  return !is_truth;
}

/* The line after the cursor's is a return of its own. */
static bool is_return (const Cursor *c) {
  Source line = source_of_line (c->s, c->line + 1);
  return line.text && source_begins_with (&line, "return") && cursor_ends_statement (&line) &&
         !memchr (line.code, '}', line.size);
}

/* The store is a statement on its line, the return that follows goes. */
static bool compare_exchange (const Report *r, const Change *c, const Call *store, Edits *out) {
  u32 length, start = 0;
  Str expected = {0}, text = {0};
  while (isspace ((u8)store->text[start])) start++;
  bool is_fine = start == store->at.at && store->text[store->close.at + 1] == ';' &&
                 is_return (&store->at) && say_expected (r, c, store, &expected);
  if (is_fine) {
    str_printf (&text, "return %s", c->is_negated ? "!" : "");
    begin_update (&text, c, store);
    str_printf (&text, "&%s, ", expected.text);
    add_argument (&text, store, 1);
    end_update (&text, c);
    str_add (&text, ", memory_order_relaxed)");
    replace_call (store, &text, out);
    source_line (r->sources, store->at.s->path, store->at.line + 1, &length);
    edits_add (out, store->at.s->path, store->at.line + 1, (Span){0, length}, mem_strdup (""));
    vec_last (out).removes_line = true;
  }
  str_free (&expected);
  return is_fine;
}

bool report_edit_update (const Report *r, const Change *c, Edits *out) {
  Call store, load = {0};
  bool is_fine = find_call (r, c->pos, "atomic_store", 2, &store);
  if (is_fine && c->update == UPDATE_BOTH) {
    is_fine = find_call (r, c->other, "atomic_load", 1, &load) &&
              cursor_remove_call (&store.at, &store.close, out);
    if (is_fine) fetch (c, &load, &store, out);
  } else if (is_fine && c->update == UPDATE_UNDO) {
    fetch (c, &store, &store, out);
  } else if (is_fine) {
    is_fine = compare_exchange (r, c, &store, out);
  }
  vec_free (&store.list);
  vec_free (&load.list);
  return is_fine;
}

/* ---- lines that change places */

/* Whether the line is one statement, or several, all of it. */
static bool is_whole (const Source *line) {
  return line->text && cursor_ends_statement (line) && source_is_balanced (line) &&
         !memchr (line->code, '{', line->size) && !memchr (line->code, '}', line->size);
}

static void replace_line (Edits *out, u32 number, const Source *old, const Source *new) {
  Str text = {0};
  str_add_n (&text, new->text, new->size);
  edits_add (out, old->path, number, (Span){0, old->size}, text.text);
}

bool report_edit_swap (const Report *r, const Change *c, Edits *out) {
  Cursor at = report_cursor_at (r, c->pos);
  Source first = source_of_line (at.s, at.line), second = source_of_line (at.s, at.line + 1),
         after = source_of_line (at.s, at.line + 2);
  if (view_position_at (r->program, c->other).line != at.line + 1 || !after.text) return false;
  if (!is_whole (&first) || !is_whole (&second) || !cursor_begins_statement (at.s, at.line))
    return false;
  if (source_begins_with (&first, "else") || source_begins_with (&second, "else") ||
      source_begins_with (&after, "else"))
    return false;
  replace_line (out, at.line, &first, &second);
  replace_line (out, at.line + 1, &second, &first);
  return true;
}

/* ---- what was found by editing the text */

bool report_edit_text (const Report *r, const Change *c, Edits *out) {
  Cursor at = report_cursor_at (r, c->pos);
  u32 length, old = (u32)strlen (c->old);
  const char *line = cursor_text (&at, &length);
  if (!line || at.at + old > length || strncmp (line + at.at, c->old, old)) return false;
  u32 start = (u32)(line - at.s->text) + at.at;
  edits_add_text (out, at.s, (Span){start, start + old}, c->text);
  return true;
}
