/* words.c - names of threads, values, orders and places. */
#include <stdlib.h>
#include <unistd.h>

#include "report/report_int.h"

View view_open (const Report *r, const Witness *w) {
  return (View){.program = r->program,
                .w = w,
                .sources = r->sources,
                .introduced = mem_zalloc (w->threads.size * sizeof (bool)),
                .names = mem_zalloc (w->locations.size * sizeof (char *))};
}

void view_close (View *v) {
  for (u32 i = 0; i < v->w->locations.size; i++) mem_free (v->names[i]);
  mem_free (v->names);
  mem_free (v->introduced);
}

const char *view_witness_kind_name (WitnessKind kind) {
  static const char *const names[] = {"read",   "write", "rmw",  "fence",
                                      "create", "join",  "free", "choice"};
  return names[kind];
}

const char *view_thread_status_name (ThreadStatus status) {
  static const char *const names[] = {"ended",
                                      "running",
                                      "spins",
                                      "waits for a lock",
                                      "waits for a thread",
                                      "assumption failed",
                                      "tries again",
                                      "failed"};
  return names[status];
}

const char *view_location_name (const Witness *w, i32 location) {
  if (location < 0 || (u32)location >= w->locations.size) return "?";
  const char *name = w->locations.data[location].name;
  return name ? name : "?";
}

const char *view_function_name (const Program *p, u32 function) {
  const Function *f = function < p->functions.size ? &p->functions.data[function] : NULL;
  return f && f->name ? program_function_title (f) : "?";
}

/* ---- places */

Position view_position_at (const Program *p, u32 pos) {
  Position none = {0};
  return pos < p->positions.size ? p->positions.data[pos] : none;
}

const char *view_position_path (const Program *p, u32 pos) {
  u32 file = view_position_at (p, pos).file;
  return file < p->files.size ? p->files.data[file] : "";
}

/* What happens in libraries is shown where the program calls them. */
static bool has_line (const Program *p, u32 pos) { return view_position_at (p, pos).line; }

static u32 first_on_stack (const Program *p, const WitnessEvent *e,
                           bool (*is) (const Program *, u32)) {
  if (is (p, e->pos)) return e->pos;
  for (u32 i = 0; i < WITNESS_STACK && e->stack[i]; i++)
    if (is (p, e->stack[i])) return e->stack[i];
  return 0;
}

u32 view_event_position (const Program *p, const WitnessEvent *e) {
  u32 pos = first_on_stack (p, e, position_is_own);
  if (!pos) pos = first_on_stack (p, e, has_line);
  return pos ? pos : e->pos;
}

bool view_is_internal (const Program *p, const WitnessEvent *e) {
  u32 pos = view_event_position (p, e);
  return has_line (p, pos) && !position_is_own (p, pos);
}

static u32 side_position (const Program *p, const Witness *w, u32 pos, i32 event) {
  if (position_is_own (p, pos) || event < 0 || (u32)event >= w->events.size) return pos;
  const WitnessEvent *e = &w->events.data[event];
  return e->pos == pos || !has_line (p, pos) ? view_event_position (p, e) : pos;
}

u32 view_finding_position (const Program *p, const Finding *f) {
  return side_position (p, &f->witness, f->pos, f->event);
}

u32 view_finding_other_position (const Program *p, const Finding *f) {
  return side_position (p, &f->witness, f->other_pos, f->other_event);
}

/* Under the name that the program calls it by. */
const char *view_library_function (const Program *p, u32 function) {
  const char *name = program_function_title (&p->functions.data[function]);
  return strcmp (name, "porf_barrier_pass") != 0 ? name : "pthread_barrier_wait";
}

void say_place (Str *out, const Program *p, u32 pos) {
  Position at = view_position_at (p, pos);
  const char *path = view_position_path (p, pos);
  if (!*path)
    str_add (out, "?");
  else if (at.line)
    str_printf (out, "%s:%u", source_short_path (path), at.line);
  else
    str_add (out, source_short_path (path));
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
    say_thread_in_full (v, out, t);
  else
    say_tid (out, t);
}

void say_thread_in_full (View *v, Str *out, Tid t) {
  say_tid (out, t);
  v->introduced[t] = true;
  if (t == 0) return;
  const char *name = view_function_name (v->program, v->w->threads.data[t].function);
  if (strncmp (name, "porf_runtime_", 13)) {
    str_printf (out, " (%s)", name);
    return;
  }
  for (u32 i = 0; i < v->w->events.size; i++) { /* a thread of C++ runs an object, not a function */
    const WitnessEvent *e = &v->w->events.data[i];
    if (e->kind != WITNESS_CREATE || e->other != t) continue;
    str_add (out, " (started at ");
    say_place (out, v->program, view_event_position (v->program, e));
    str_add (out, ")");
    return;
  }
}

static bool say_pointer (Str *out, const Witness *w, u64 value) {
  for (u32 i = 0; i < w->pointers.size; i++) {
    if (w->pointers.data[i].value != value) continue;
    str_printf (out, "&%s", w->pointers.data[i].name);
    return true;
  }
  return false;
}

/* ---- names that only the source knows */

bool view_operand_at (View *v, u32 pos, Str *out) {
  u32 length;
  Position at = view_position_at (v->program, pos);
  const char *line =
      source_line (v->sources, view_position_path (v->program, pos), at.line, &length);
  return line && at.column && source_operand (line, length, at.column, out);
}

/* What stands in the arguments of a macro has the position of the macro. */
static bool has_several_accesses (const Program *p, u32 pos) {
  Position at = view_position_at (p, pos);
  if (at.func >= p->functions.size) return false;
  const Function *f = &p->functions.data[at.func];
  u32 reads = 0;
  for (u32 n = 0; n < f->code.size; n++) {
    const Insn *i = &f->code.data[n];
    Position x = view_position_at (p, i->pos);
    if (x.line == at.line && x.column == at.column && x.file == at.file)
      reads += i->op == OP_LOAD || i->op == OP_RMW || i->op == OP_CAS;
  }
  return reads > 1;
}

bool view_operand_of (View *v, i32 event, u32 pos, Str *out) {
  const WitnessEvent *e = view_event (v, event);
  bool is_clear = (e && e->order != ORD_NA) || !has_several_accesses (v->program, pos);
  return is_clear && view_operand_at (v, pos, out);
}

static bool is_plain_name (const char *text) { return !strpbrk (text, "*>&( "); }

/* The owner of a local variable calls it by its name; the others have a pointer. */
static char *name_of_local (View *v, i32 location) {
  for (u32 i = 0; i < v->w->events.size; i++) {
    const WitnessEvent *e = &v->w->events.data[i];
    if (e->location != location) continue;
    Str name = {0};
    if (view_operand_of (v, (i32)i, view_event_position (v->program, e), &name) &&
        is_plain_name (name.text))
      return name.text;
    str_free (&name);
  }
  return mem_strdup (view_location_name (v->w, location));
}

/* A member of a block of memory, if some access to it says which: "(malloc(16)#3 of
 * main)->next". */
static char *name_of_member (View *v, i32 location) {
  const char *block = view_location_name (v->w, location), *plus = strstr (block, " + ");
  Str name = {0}, found = {0};
  for (u32 i = 0; i < v->w->events.size && !found.length; i++) {
    const WitnessEvent *e = &v->w->events.data[i];
    if (e->location != location) continue;
    str_clear (&name);
    if (!view_operand_of (v, (i32)i, view_event_position (v->program, e), &name)) continue;
    const char *member = strrchr (name.text, '>');
    if (!member || member == name.text || member[-1] != '-' || strpbrk (member, "[(")) continue;
    str_printf (&found, "(%.*s)->%s", plus ? (int)(plus - block) : (int)strlen (block), block,
                member + 1);
  }
  str_free (&name);
  return found.length ? found.text : mem_strdup (block);
}

static bool begins (const char *text, const char *with) { return strstr (text, with) == text; }

const char *view_location (View *v, i32 location) {
  const char *name = view_location_name (v->w, location);
  if (location < 0 || (u32)location >= v->w->locations.size) return name;
  bool is_local = begins (name, "local("),
       is_heap = begins (name, "malloc(") || begins (name, "calloc(");
  if (!is_local && !is_heap) return name;
  if (!v->names[location])
    v->names[location] = is_local ? name_of_local (v, location) : name_of_member (v, location);
  return v->names[location];
}

/* Numbers with the top bit set are shown as negative ones when they are small: most integers of C
 * are signed. */
void say_value (Str *out, const Witness *w, u64 value, u32 size) {
  enum { SMALL = 1 << 20, POINTERS = 1 << 16, ADDRESSES = 1 << 30 };
  if (size == 16 && 2 * value + 1 < w->pairs.size) {
    str_add (out, "{");
    say_value (out, w, w->pairs.data[2 * value], 8);
    str_add (out, ", ");
    say_value (out, w, w->pairs.data[2 * value + 1], 8);
    str_add (out, "}");
    return;
  }
  if (!size || size > 8) size = 8;
  u32 shift = 64 - 8 * size;
  i64 sign_extended = (i64)(value << shift) >> shift;
  if (sign_extended < 0 && (size < 4 || sign_extended > -SMALL))
    str_printf (out, "%lld", (long long)sign_extended);
  else if (size == 8 && value >= POINTERS && say_pointer (out, w, value))
    return;
  else if (size == 8 && (value > UINT32_MAX || (value >= ADDRESSES && value % 4 == 0)))
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

const char *view_std (const Program *p) { return program_is_cplusplus (p) ? "std::" : ""; }

const char *view_update_name (const Change *c) {
  static const char *const names[] = {
      [RMW_XCHG] = "atomic_exchange", [RMW_ADD] = "atomic_fetch_add",
      [RMW_SUB] = "atomic_fetch_sub", [RMW_AND] = "atomic_fetch_and",
      [RMW_OR] = "atomic_fetch_or",   [RMW_XOR] = "atomic_fetch_xor"};
  return c->update == UPDATE_BOTH || c->update == UPDATE_UNDO ? names[c->rmw]
                                                              : "atomic_compare_exchange_strong";
}
