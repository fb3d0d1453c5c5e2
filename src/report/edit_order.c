/* edit_order.c - another order in the text of a program: replaced where its name stands in the
 * call, or added to a call that could have one; a fence that is not needed goes.
 */
#include <ctype.h>

#include "report/edits.h"

static char *spelt_like (const char *old, Order order) {
  char *text = mem_strdup (source_order_suffix (order));
  for (char *c = text; isupper ((u8)*old) && *c; c++) *c = (char)toupper ((u8)*c);
  return text;
}

/* The order is computed, or has a name of its own, as a macro has: here it gets the one that is
 * meant. */
static bool edit_expression (const Report *r, const char *path, const Argument *a, Order to,
                             Edits *out) {
  Str order = {0};
  if (!a->is_one_line || a->span.start >= a->span.end) return false;
  str_printf (&order, "%smemory_order_%s", view_std (r->program), source_order_suffix (to));
  edits_add (out, path, a->line, a->span, order.text);
  return true;
}

static bool edit_argument (const Report *r, const char *path, const Argument *a, Order from,
                           Order to, Edits *out) {
  u32 length;
  if (a->names_order && a->order != from) return false;
  if (from == to) return true;
  if (!a->names_order) return edit_expression (r, path, a, to, out);
  const char *text = source_line (r->sources, path, a->line, &length);
  edits_add (out, path, a->line, a->suffix, spelt_like (text + a->suffix.start, to));
  return true;
}

/* C's functions with orders have them last. */
static bool ends_in_orders (const Cursor *c) {
  u32 length, end;
  const char *text = cursor_text (c, &length);
  for (end = c->at; text && end < length && source_is_name_char (text[end]);) end++;
  return text && end > c->at + 9 && !strncmp (text + end - 9, "_explicit", 9);
}

/* atomic_load (&x) becomes atomic_load_explicit (&x, memory_order_acquire), x.load () becomes
 * x.load (std::memory_order_acquire). */
static bool add_orders (const Cursor *c, const Arguments *list, const Cursor *close,
                        const Change *change, Edits *out) {
  u32 length, end = c->at, start;
  const char *text = cursor_text (c, &length);
  Str orders = {0};
  while (text && end < length && (source_is_name_char (text[end]) || strchr (".->[]: ", text[end])))
    end++;
  if (!text || end == length || text[end] != '(') return false;
  while (end > c->at && text[end - 1] == ' ') end--;
  for (start = end; start > c->at && source_is_name_char (text[start - 1]);) start--;
  bool is_function = !strncmp (text + start, "atomic_", 7);
  bool is_member = start > c->at && strchr (".>", text[start - 1]);
  if (!is_function && !is_member) return false;
  bool has_arguments = list->size > 1 || list->data[0].span.end > list->data[0].span.start ||
                       !list->data[0].is_one_line;
  const char *prefix = is_function ? "memory_order_" : "std::memory_order_";
  str_printf (&orders, "%s%s%s", has_arguments ? ", " : "", prefix,
              source_order_suffix (change->to));
  if (change->from_fail != ORD_NA)
    str_printf (&orders, ", %s%s", prefix, source_order_suffix (change->to_fail));
  if (is_function) edits_add (out, c->s->path, c->line, (Span){end, end}, mem_strdup ("_explicit"));
  edits_add (out, close->s->path, close->line, (Span){close->at, close->at}, orders.text);
  return true;
}

/* One order of a compare-exchange stands for both. */
static bool edit_only_order (const Report *r, const char *path, const Argument *a, const Change *c,
                             Edits *out) {
  u32 length;
  const char *text = source_line (r->sources, path, a->line, &length);
  Str both = {0};
  str_add_n (&both, text + a->span.start, a->suffix.start - a->span.start);
  str_printf (&both, "%s, ", source_order_suffix (c->to));
  str_add_n (&both, text + a->span.start, a->suffix.start - a->span.start);
  str_add (&both, source_order_suffix (c->to_fail));
  edits_add (out, path, a->line, a->span, both.text);
  return true;
}

/* Whether an argument speaks of an order: ORDER (release), my_acquire. */
static bool mentions_order (const Report *r, const char *path, const Argument *a) {
  u32 length;
  const char *text = source_line (r->sources, path, a->line, &length);
  if (!text || !a->is_one_line) return false;
  for (u32 at = a->span.start; at < a->span.end; at++) {
    u32 left = a->span.end - at;
    if (left >= 5 && source_same_letters (text + at, "order", 5)) return true;
    for (Order o = ORD_RLX; o <= ORD_SC; o++) {
      size_t n = strlen (source_order_suffix (o));
      if (left >= n && source_same_letters (text + at, source_order_suffix (o), n)) return true;
    }
  }
  return false;
}

/* The only argument that does, or none. */
static bool find_order (const Report *r, const char *path, const Arguments *list, u32 *found) {
  u32 count = 0;
  for (u32 i = 0; i < list->size; i++)
    if (mentions_order (r, path, &list->data[i])) *found = i, count++;
  return count == 1;
}

bool report_edit_order (const Report *r, const Change *c, Edits *out) {
  u32 pos = c->is_given_order && c->called_at ? c->called_at : c->pos;
  Cursor cursor = report_cursor_at (r, pos);
  Order from[] = {(Order)c->from, (Order)c->from_fail}, to[] = {(Order)c->to, (Order)c->to_fail};
  u32 count = c->from_fail != ORD_NA && !c->is_given_order ? 2 : 1, named = 0, first = 0;
  Arguments list = {0};
  Cursor close = cursor;
  bool is_fine = cursor_find_arguments (cursor, &list, &close);
  for (u32 i = 0; i < list.size; i++) {
    if (!list.data[i].names_order) continue;
    if (!named++) first = i;
  }
  if (named < count && ends_in_orders (&cursor) && list.size > count) {
    first = list.size - count;
    named = count;
  }
  if (!named && c->is_given_order && find_order (r, cursor.s->path, &list, &first)) named = 1;
  bool is_direct = is_fine && !c->is_given_order;
  if (is_direct && c->to == ORD_NA) {
    is_fine = cursor_remove_call (&cursor, &close, out);
  } else if (is_direct && !named) {
    is_fine = add_orders (&cursor, &list, &close, c, out);
  } else if (is_direct && count == 2 && named == 1 && first + 1 == list.size) {
    is_fine = edit_only_order (r, cursor.s->path, &list.data[first], c, out);
  } else {
    is_fine = is_fine && named == count && first + count <= list.size;
    for (u32 i = 0; is_fine && i < count; i++)
      is_fine = edit_argument (r, cursor.s->path, &list.data[first + i], from[i], to[i], out);
  }
  vec_free (&list);
  return is_fine;
}
