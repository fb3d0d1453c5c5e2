/* edits.c - a fix as changes of the program's text, and as a patch.
 *
 * An order is replaced where its name stands in the call, as C, C++ or the GNU builtins spell it,
 * or added to a call that could have one; a fence gets a line of its own, or stands beside the
 * access; one that is not needed goes with its line. Where the text does not say what the
 * program does, as in the middle of a macro, there are no edits.
 */
#include <ctype.h>
#include <stdlib.h>

#include "report/report_int.h"

static const char *const suffixes[] = {[ORD_RLX] = "relaxed",
                                       [ORD_ACQ] = "acquire",
                                       [ORD_REL] = "release",
                                       [ORD_ACQ_REL] = "acq_rel",
                                       [ORD_SC] = "seq_cst"};

/* ---- names of orders */

typedef struct Cursor { /* a place in a file */
  const Report *r;
  const char *path;
  u32 line, at;
} Cursor;

static const char *cursor_text (const Cursor *c, u32 *length) {
  return source_line (c->r->sources, c->path, c->line, length);
}

static bool is_word_char (char c) { return isalnum ((u8)c) || c == '_'; }

static bool same_letters (const char *text, const char *word, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (tolower ((u8)text[i]) != word[i]) return false;
  return true;
}

/* The order that is named at text: memory_order_relaxed, std::memory_order::relaxed,
 * __ATOMIC_RELAXED; the suffix starts at *start. */
static bool names_order (const char *text, u32 length, u32 at, u32 *start, Order *order) {
  static const char *const prefixes[] = {"memory_order_", "memory_order::", "__ATOMIC_"};
  for (u32 i = 0; i < ARRAY_SIZE (prefixes); i++) {
    u32 n = (u32)strlen (prefixes[i]);
    if (at + n > length || strncmp (text + at, prefixes[i], n)) continue;
    u32 end = at + n;
    while (end < length && is_word_char (text[end])) end++;
    for (Order o = ORD_RLX; o <= ORD_SC; o++) {
      size_t size = strlen (suffixes[o]);
      if (size != end - at - n || !same_letters (text + at + n, suffixes[o], size)) continue;
      *start = at + n;
      *order = o;
      return true;
    }
  }
  return false;
}

static void add_edit (Edits *out, const char *path, u32 line, Span span, char *text) {
  Edit e = {.path = path, .line = line, .start = span.start, .end = span.end, .text = text};
  vec_push (out, e);
}

/* ---- the arguments of a call */

typedef struct Argument {
  u32 line;
  Span span; /* without blanks around it */
  bool is_one_line;
  bool names_order;
  Span suffix; /* of the name of the order */
  Order order;
} Argument;
typedef VEC (Argument) Arguments;

/* An argument ends before `end` of the cursor's line. */
static void end_argument (const Cursor *c, const char *text, u32 end, Argument *a, Arguments *out) {
  if (a->line != c->line) a->is_one_line = false;
  if (a->is_one_line) {
    while (a->span.start < end && isspace ((u8)text[a->span.start])) a->span.start++;
    while (end > a->span.start && isspace ((u8)text[end - 1])) end--;
    a->span.end = end;
    u32 at = a->span.start;
    if (end > at + 5 && !strncmp (text + at, "std::", 5)) at += 5;
    a->names_order = names_order (text, end, at, &a->suffix.start, &a->order);
    if (a->names_order) a->suffix.end = a->suffix.start + (u32)strlen (suffixes[a->order]);
    if (a->suffix.end != end) a->names_order = false; /* there is more to it */
  }
  vec_push (out, *a);
}

/* Behind a string, a character or a comment that starts at i and ends on the line; i if none does.
 */
static u32 skip_quoted (const char *text, u32 length, u32 i) {
  if (i + 1 < length && text[i] == '/' && text[i + 1] == '/') return length;
  if (i + 1 < length && text[i] == '/' && text[i + 1] == '*') {
    const char *end = memmem (text + i + 2, length - i - 2, "*/", 2);
    return end ? (u32)(end - text) + 2 : length;
  }
  if (text[i] != '"' && text[i] != '\'') return i;
  for (u32 k = i + 1; k < length; k++) {
    if (text[k] == text[i]) return k + 1;
    k += text[k] == '\\';
  }
  return i;
}

/* From the first opening parenthesis behind the cursor to the one that closes it, which *end is
 * left at. */
static bool find_arguments (Cursor c, Arguments *out, Cursor *end) {
  enum { MOST_LINES = 8 };
  i32 depth = 0;
  u32 length;
  Argument a = {0};
  bool is_blank = true; /* nothing of the argument was seen yet */
  for (u32 n = 0; n < MOST_LINES; n++, c.line++, c.at = 0) {
    const char *text = cursor_text (&c, &length);
    if (!text) return false;
    if (is_blank && depth) a = (Argument){.line = c.line, .is_one_line = true};
    for (u32 i = c.at; i < length; i++) {
      u32 behind = skip_quoted (text, length, i);
      if (behind > i) {
        i = behind - 1;
        continue;
      }
      bool opens = strchr ("([{", text[i]), closes = strchr (")]}", text[i]);
      if (text[i] == ';' && !depth) return false;
      if (closes && depth == 1) {
        end_argument (&c, text, i, &a, out);
        *end = c;
        end->at = i;
        return true;
      }
      if (text[i] == ',' && depth == 1) end_argument (&c, text, i, &a, out);
      if ((opens && !depth) || (text[i] == ',' && depth == 1))
        a = (Argument){.line = c.line, .span.start = i + 1, .is_one_line = true}, is_blank = true;
      else if (!isspace ((u8)text[i]))
        is_blank = false;
      depth += opens - closes;
    }
  }
  return false;
}

/* Whether the line ends a statement, or opens or closes a block, so that another statement can
 * stand behind it. */
static bool ends_statement (const char *text, u32 length) {
  for (u32 i = 0; i + 1 < length; i++)
    if (text[i] == '/' && text[i + 1] == '/') length = i;
  while (length && isspace ((u8)text[length - 1])) length--;
  if (length > 1 && text[length - 1] == '/' && text[length - 2] == '*')
    while (length && strncmp (text + length, "/*", 2)) length--;
  while (length && isspace ((u8)text[length - 1])) length--;
  return length && strchr (";{}", text[length - 1]);
}

/* ---- orders */

static char *spelt_like (const char *old, Order order) {
  char *text = mem_strdup (suffixes[order]);
  for (char *c = text; isupper ((u8)*old) && *c; c++) *c = (char)toupper ((u8)*c);
  return text;
}

/* The order is computed, or has a name of its own, as a macro has: here it gets the one that is
 * meant. */
static bool edit_expression (const char *path, const Argument *a, Order to, Edits *out) {
  Str order = {0};
  if (!a->is_one_line || a->span.start >= a->span.end) return false;
  str_printf (&order, "memory_order_%s", suffixes[to]);
  add_edit (out, path, a->line, a->span, order.text);
  return true;
}

static bool edit_argument (const Report *r, const char *path, const Argument *a, Order from,
                           Order to, Edits *out) {
  u32 length;
  if (a->names_order && a->order != from) return false;
  if (from == to) return true;
  if (!a->names_order) return edit_expression (path, a, to, out);
  const char *text = source_line (r->sources, path, a->line, &length);
  add_edit (out, path, a->line, a->suffix, spelt_like (text + a->suffix.start, to));
  return true;
}

/* C's functions with orders have them last. */
static bool ends_in_orders (const Cursor *c) {
  u32 length, end;
  const char *text = cursor_text (c, &length);
  for (end = c->at; text && end < length && is_word_char (text[end]);) end++;
  return text && end > c->at + 9 && !strncmp (text + end - 9, "_explicit", 9);
}

/* atomic_load (&x) becomes atomic_load_explicit (&x, memory_order_acquire), x.load () becomes
 * x.load (std::memory_order_acquire). */
static bool add_orders (const Cursor *c, const Arguments *list, const Cursor *close,
                        const Change *change, Edits *out) {
  u32 length, end = c->at, start;
  const char *text = cursor_text (c, &length);
  Str orders = {0};
  while (text && end < length && (is_word_char (text[end]) || strchr (".->[]: ", text[end]))) end++;
  if (!text || end == length || text[end] != '(') return false;
  while (end > c->at && text[end - 1] == ' ') end--;
  for (start = end; start > c->at && is_word_char (text[start - 1]);) start--;
  bool is_function = !strncmp (text + start, "atomic_", 7);
  bool is_member = start > c->at && strchr (".>", text[start - 1]);
  if (!is_function && !is_member) return false;
  bool has_arguments = list->size > 1 || list->data[0].span.end > list->data[0].span.start ||
                       !list->data[0].is_one_line;
  const char *prefix = is_function ? "memory_order_" : "std::memory_order_";
  str_printf (&orders, "%s%s%s", has_arguments ? ", " : "", prefix, suffixes[change->to]);
  if (change->from_fail != ORD_NA)
    str_printf (&orders, ", %s%s", prefix, suffixes[change->to_fail]);
  if (is_function) add_edit (out, c->path, c->line, (Span){end, end}, mem_strdup ("_explicit"));
  add_edit (out, close->path, close->line, (Span){close->at, close->at}, orders.text);
  return true;
}

/* A fence that is not needed goes with its line if nothing else is there, and nothing before it
 * waits for a statement. */
static bool remove_fence (const Cursor *c, const Cursor *close, Edits *out) {
  u32 length, before_length, start = 0, end = close->at + 1;
  const char *text = cursor_text (c, &length);
  const char *before = source_line (c->r->sources, c->path, c->line - 1, &before_length);
  if (!text || c->line != close->line) return false;
  while (start < length && isspace ((u8)text[start])) start++;
  while (end < length && isspace ((u8)text[end])) end++;
  bool is_statement = end < length && text[end] == ';';
  end += is_statement;
  while (end < length && isspace ((u8)text[end])) end++;
  bool is_alone = start == c->at && is_statement && before && (end == length || text[end] == '/') &&
                  ends_statement (before, before_length);
  if (is_alone) {
    add_edit (out, c->path, c->line, (Span){0, length}, mem_strdup (""));
    vec_last (out).removes_line = true;
  } else {
    add_edit (out, c->path, c->line, (Span){c->at, close->at + 1}, mem_strdup ("(void)0"));
  }
  return true;
}

/* One order of a compare-exchange stands for both. */
static bool edit_only_order (const Report *r, const char *path, const Argument *a, const Change *c,
                             Edits *out) {
  u32 length;
  const char *text = source_line (r->sources, path, a->line, &length);
  Str both = {0};
  str_add_n (&both, text + a->span.start, a->suffix.start - a->span.start);
  str_printf (&both, "%s, ", suffixes[c->to]);
  str_add_n (&both, text + a->span.start, a->suffix.start - a->span.start);
  str_add (&both, suffixes[c->to_fail]);
  add_edit (out, path, a->line, a->span, both.text);
  return true;
}

/* Whether an argument speaks of an order: ORDER (release), my_acquire. */
static bool mentions_order (const Report *r, const char *path, const Argument *a) {
  u32 length;
  const char *text = source_line (r->sources, path, a->line, &length);
  if (!text || !a->is_one_line) return false;
  for (u32 at = a->span.start; at < a->span.end; at++) {
    u32 left = a->span.end - at;
    if (left >= 5 && same_letters (text + at, "order", 5)) return true;
    for (Order o = ORD_RLX; o <= ORD_SC; o++) {
      size_t n = strlen (suffixes[o]);
      if (left >= n && same_letters (text + at, suffixes[o], n)) return true;
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

static bool edit_order (const Report *r, const Change *c, Edits *out) {
  u32 pos = c->is_given_order && c->called_at ? c->called_at : c->pos;
  Position at = position_at (r->program, pos);
  Cursor cursor = {r, position_path (r->program, pos), at.line, at.column ? at.column - 1 : 0};
  Order from[] = {(Order)c->from, (Order)c->from_fail}, to[] = {(Order)c->to, (Order)c->to_fail};
  u32 count = c->from_fail != ORD_NA && !c->is_given_order ? 2 : 1, named = 0, first = 0;
  Arguments list = {0};
  Cursor close = cursor;
  bool is_fine = find_arguments (cursor, &list, &close);
  for (u32 i = 0; i < list.size; i++) {
    if (!list.data[i].names_order) continue;
    if (!named++) first = i;
  }
  if (named < count && ends_in_orders (&cursor) && list.size > count) {
    first = list.size - count;
    named = count;
  }
  if (!named && c->is_given_order && find_order (r, cursor.path, &list, &first)) named = 1;
  bool is_direct = is_fine && !c->is_given_order;
  if (is_direct && c->to == ORD_NA) {
    is_fine = remove_fence (&cursor, &close, out);
  } else if (is_direct && !named) {
    is_fine = add_orders (&cursor, &list, &close, c, out);
  } else if (is_direct && count == 2 && named == 1 && first + 1 == list.size) {
    is_fine = edit_only_order (r, cursor.path, &list.data[first], c, out);
  } else {
    is_fine = is_fine && named == count && first + count <= list.size;
    for (u32 i = 0; is_fine && i < count; i++)
      is_fine = edit_argument (r, cursor.path, &list.data[first + i], from[i], to[i], out);
  }
  vec_free (&list);
  return is_fine;
}

/* ---- fences */

static bool is_blank_line (const char *text, u32 length) {
  for (u32 i = 0; i < length; i++)
    if (!isspace ((u8)text[i])) return false;
  return true;
}

static char *fence_text (const char *like, u32 length, Order order) {
  Str text = {0};
  for (u32 i = 0; i < length && isspace ((u8)like[i]); i++) str_add_n (&text, like + i, 1);
  str_printf (&text, "atomic_thread_fence (memory_order_%s);\n", suffixes[order]);
  return text.text;
}

/* Whether the line begins a statement that is done once, and whose end is reached. */
static bool is_simple_statement (const char *text, u32 length) {
  static const char *const keywords[] = {"if",   "else", "while", "for",     "do",
                                         "case", "goto", "break", "default", "return"};
  while (length && isspace ((u8)*text)) text++, length--;
  for (u32 i = 0; i < ARRAY_SIZE (keywords); i++) {
    size_t n = strlen (keywords[i]);
    if (length > n && !strncmp (text, keywords[i], n) && !is_word_char (text[n])) return false;
  }
  return length && (is_word_char (*text) || strchr ("*(", *text));
}

/* A line of its own before or behind a statement that begins on the line of the access. */
static bool edit_fence_line (const Report *r, const Change *c, Edits *out) {
  enum { MOST_LINES = 8 };
  Position at = position_at (r->program, c->pos);
  const char *path = position_path (r->program, c->pos);
  u32 length, size, line = at.line;
  const char *before = line > 1 ? source_line (r->sources, path, line - 1, &length) : NULL;
  if (!before || !(is_blank_line (before, length) || ends_statement (before, length))) return false;
  const char *first = source_line (r->sources, path, line, &length), *text = first;
  if (!first || !is_simple_statement (first, length)) return false;
  size = length;
  while (text && !ends_statement (text, size) && line < at.line + MOST_LINES)
    text = source_line (r->sources, path, ++line, &size);
  if (!text || line == at.line + MOST_LINES || memchr (text, '{', size)) return false;
  line = c->kind == CHANGE_FENCE_AFTER ? line + 1 : at.line;
  add_edit (out, path, line, (Span){0, 0}, fence_text (first, length, (Order)c->to));
  return true;
}

static void insert (const Cursor *c, u32 at, const char *before, const char *fence,
                    const char *after, Edits *out) {
  Str text = {0};
  str_printf (&text, "%s%s%s", before, fence, after);
  add_edit (out, c->path, c->line, (Span){at, at}, text.text);
}

/* Whether the word ends before `end` of the text. */
static bool ends_in_word (const char *text, u32 end, const char *word) {
  u32 n = (u32)strlen (word);
  return end >= n && !strncmp (text + end - n, word, n) &&
         (end == n || !is_word_char (text[end - n - 1]));
}

static u32 without_blanks (const char *text, u32 end) {
  while (end && isspace ((u8)text[end - 1])) end--;
  return end;
}

/* Whether what begins behind `end` is all that an `if`, a loop or an `else` has. */
static bool is_body (const char *text, u32 end) {
  i32 depth = 0;
  if (ends_in_word (text, end, "else")) return true;
  if (!end || text[end - 1] != ')') return false;
  while (end-- > 0) {
    depth += (text[end] == ')') - (text[end] == '(');
    if (!depth) break;
  }
  if (depth) return false;
  end = without_blanks (text, end);
  return ends_in_word (text, end, "if") || ends_in_word (text, end, "while") ||
         ends_in_word (text, end, "for");
}

/* The call of an atomic operation on one line: its end, or 0. */
static u32 end_of_call (const Cursor *call) {
  u32 length, end = call->at;
  const char *text = cursor_text (call, &length);
  Arguments list = {0};
  Cursor close = *call;
  while (text && end < length && is_word_char (text[end])) end++;
  bool is_atomic = text && (!strncmp (text + call->at, "atomic_", 7) ||
                            !strncmp (text + call->at, "__atomic_", 9) ||
                            !strncmp (text + call->at, "__sync_", 7));
  while (text && end < length && isspace ((u8)text[end])) end++;
  bool is_call = is_atomic && end < length && text[end] == '(' &&
                 find_arguments (*call, &list, &close) && close.line == call->line;
  vec_free (&list);
  return is_call ? close.at + 1 : 0;
}

/* Where the line has no place for another one: in braces together with an access that is a
 * statement, with a comma before one that is part of an expression. */
static bool edit_fence_inline (const Report *r, const Change *c, Edits *out) {
  Position at = position_at (r->program, c->pos);
  Cursor call = {r, position_path (r->program, c->pos), at.line, at.column ? at.column - 1 : 0};
  u32 length, end = end_of_call (&call);
  if (!end) return false;
  const char *text = cursor_text (&call, &length);
  u32 before = without_blanks (text, call.at);
  bool is_alone = end < length && text[end] == ';', is_after = c->kind == CHANGE_FENCE_AFTER;
  bool needs_braces = is_body (text, before);
  char fence[64];
  snprintf (fence, sizeof fence, "atomic_thread_fence (memory_order_%s)", suffixes[c->to]);
  if (is_alone && (needs_braces || (before && strchr ("{};", text[before - 1])))) {
    if (is_after && needs_braces) insert (&call, call.at, "{ ", "", "", out);
    if (is_after) insert (&call, end + 1, " ", fence, needs_braces ? "; }" : ";", out);
    if (!is_after) insert (&call, call.at, needs_braces ? "{ " : "", fence, "; ", out);
    if (!is_after && needs_braces) insert (&call, end + 1, "", "", " }", out);
    return true;
  }
  if (is_after) return false;
  insert (&call, call.at, "(", fence, ", ", out);
  insert (&call, end, "", "", ")", out);
  return true;
}

static bool edit_fence (const Report *r, const Change *c, Edits *out) {
  return edit_fence_line (r, c, out) || edit_fence_inline (r, c, out);
}

/* ---- all changes */

static int by_place (const void *a, const void *b) {
  const Edit *x = a, *y = b;
  int files = strcmp (x->path, y->path);
  if (files) return files;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return (x->start > y->start) - (x->start < y->start);
}

static bool is_same_edit (const Edit *x, const Edit *y) {
  return !by_place (x, y) && x->end == y->end && !strcmp (x->text, y->text);
}

static void sort_edits (Edits *out) {
  if (out->size) qsort (out->data, out->size, sizeof (Edit), by_place);
  for (u32 i = 1; i < out->size; i++) { /* a call can be reached in several ways */
    if (!is_same_edit (&out->data[i - 1], &out->data[i])) continue;
    mem_free (out->data[i].text);
    for (u32 k = i; k + 1 < out->size; k++) out->data[k] = out->data[k + 1];
    out->size--, i--;
  }
}

static bool edit_change (const Report *r, const Change *c, Edits *out) {
  return c->kind == CHANGE_ORDER ? edit_order (r, c, out) : edit_fence (r, c, out);
}

bool find_edits (const Report *r, const Fix *f, Edits *out) {
  for (u32 i = 0; i < f->changes.size; i++)
    if (!edit_change (r, &f->changes.data[i], out)) return false;
  sort_edits (out);
  return out->size;
}

void report_patch (const Report *r, const Change *changes, u32 n, bool *done, Str *out) {
  Edits edits = {0};
  for (u32 i = 0; i < n; i++) {
    u32 before = edits.size;
    done[i] = edit_change (r, &changes[i], &edits);
    while (!done[i] && edits.size > before) mem_free (vec_pop (&edits).text);
  }
  sort_edits (&edits);
  edits_patch (r, &edits, out);
  edits_free (&edits);
}

void edits_free (Edits *e) {
  for (u32 i = 0; i < e->size; i++) mem_free (e->data[i].text);
  vec_free (e);
}
