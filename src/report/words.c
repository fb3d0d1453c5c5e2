/* words.c - names of threads, values, orders and places. */
#include <unistd.h>

#include "report/report_int.h"

View view_open (const Report *r, const Witness *w) {
  return (View){r->program, w, r->sources, mem_zalloc (w->threads.size * sizeof (bool))};
}

void view_close (View *v) { mem_free (v->introduced); }

const char *witness_kind_name (WitnessKind kind) {
  static const char *const names[] = {"read",   "write", "rmw",  "fence",
                                      "create", "join",  "free", "choice"};
  return names[kind];
}

const char *thread_status_name (ThreadStatus status) {
  static const char *const names[] = {
      "ended", "running", "spins", "waits for a lock", "waits for a thread", "assumption failed",
      "failed"};
  return names[status];
}

const char *location_name (const Witness *w, i32 location) {
  if (location < 0 || (u32)location >= w->locations.size) return "?";
  const char *name = w->locations.data[location].name;
  return name ? name : "?";
}

const char *function_name (const Program *p, u32 function) {
  const char *name = function < p->functions.size ? p->functions.data[function].name : NULL;
  return name ? name : "?";
}

/* ---- places */

const char *short_path (const char *path) {
  char here[4096];
  if (path[0] == '/' && getcwd (here, sizeof here)) {
    size_t n = strlen (here);
    if (!strncmp (path, here, n) && path[n] == '/') return path + n + 1;
  }
  while (!strncmp (path, "./", 2)) path += 2;
  return path;
}

Position position_at (const Program *p, u32 pos) {
  Position none = {0};
  return pos < p->positions.size ? p->positions.data[pos] : none;
}

const char *position_path (const Program *p, u32 pos) {
  u32 file = position_at (p, pos).file;
  return file < p->files.size ? p->files.data[file] : "";
}

/* The library that porf supplies has no lines: what happens in it is shown where the program calls
 * it. */
static bool has_line (const Program *p, u32 pos) { return position_at (p, pos).line; }

u32 event_position (const Program *p, const WitnessEvent *e) {
  for (u32 i = 0; !has_line (p, e->pos) && i < WITNESS_STACK && e->stack[i]; i++)
    if (has_line (p, e->stack[i])) return e->stack[i];
  return e->pos;
}

static u32 side_position (const Program *p, const Witness *w, u32 pos, i32 event) {
  if (has_line (p, pos) || event < 0 || (u32)event >= w->events.size) return pos;
  return event_position (p, &w->events.data[event]);
}

u32 finding_position (const Program *p, const Finding *f) {
  return side_position (p, &f->witness, f->pos, f->event);
}

u32 finding_other_position (const Program *p, const Finding *f) {
  return side_position (p, &f->witness, f->other_pos, f->other_event);
}

void say_place (Str *out, const Program *p, u32 pos) {
  Position at = position_at (p, pos);
  const char *path = position_path (p, pos);
  if (!*path)
    str_add (out, "?");
  else if (at.line)
    str_printf (out, "%s:%u", short_path (path), at.line);
  else
    str_add (out, short_path (path));
}

/* ---- threads, values, orders */

void say_tid (Str *out, Tid t) {
  if (t == 0)
    str_add (out, "main");
  else
    str_printf (out, "t%u", t);
}

void say_thread (View *v, Str *out, Tid t) {
  if (t < v->w->threads.size && !v->introduced[t])
    introduce_thread (v, out, t);
  else
    say_tid (out, t);
}

void introduce_thread (View *v, Str *out, Tid t) {
  say_tid (out, t);
  v->introduced[t] = true;
  if (t == 0) return;
  str_printf (out, " (%s)", function_name (v->program, v->w->threads.data[t].function));
}

static bool say_pointer (Str *out, const Witness *w, u64 value) {
  for (u32 i = 0; i < w->locations.size; i++) {
    const WitnessLocation *l = &w->locations.data[i];
    if (l->addr != value || !l->name) continue;
    str_printf (out, "&%s", l->name);
    return true;
  }
  return false;
}

/* Numbers with the top bit set are shown as negative ones when they are small: most integers of C
 * are signed. */
void say_value (Str *out, const Witness *w, u64 value, u32 size) {
  enum { SMALL = 1 << 20, POINTERS = 1 << 16 };
  if (!size || size > 8) size = 8;
  u32 shift = 64 - 8 * size;
  i64 sign_extended = (i64)(value << shift) >> shift;
  if (sign_extended < 0 && (size < 4 || sign_extended > -SMALL))
    str_printf (out, "%lld", (long long)sign_extended);
  else if (size == 8 && value >= POINTERS && say_pointer (out, w, value))
    return;
  else if (size == 8 && value > UINT32_MAX)
    str_printf (out, "0x%llx", (unsigned long long)value);
  else
    str_printf (out, "%llu", (unsigned long long)value);
}

void say_order (Str *out, Order order) {
  static const char *const words[] = {
      [ORD_NA] = "non-atomic", [ORD_RLX] = "relaxed",     [ORD_ACQ] = "acquire",
      [ORD_REL] = "release",   [ORD_ACQ_REL] = "acq_rel", [ORD_SC] = "seq_cst"};
  str_add (out, words[order]);
}
