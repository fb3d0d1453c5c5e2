/* text.c - who may share a memory by the program's text.
 *
 * learn.c knows what threads have accessed, so a partition is right for what was visited. Here it
 * is shown to be right for whatever these threads can do [Abe-LDRF]: their sets of reads and writes
 * are those of pointers.c, supersets of what is learned. Threads, and what each of them is started
 * with, are those that were seen.
 *
 * A thread that is created begins with the view of its parent: what it looks at counts for its
 * ancestors, too, unless no thread can have stored there before. */
#include "machine/learn.h"
#include "machine/pointsto/pointers.h"

typedef VEC (TextAccess) Accesses;
typedef struct Text {
  Pointers *pointers;
  VEC (TextStart) starts;
  Tid parent[MACHINE_THREADS];
  u64 first; /* threads that main creates before any other thread makes a step */
  Accesses views[MACHINE_THREADS]; /* what a thread can tell */
} Text;

void machine_note_text_start (Machine *x, Tid parent, Tid child, u32 function, u64 argument) {
  TextStart s = {.tid = child, .parent = parent, .function = function, .is_first = x->is_first};
  s.is_number = argument < VM_LOWEST_ADDRESS;
  if (s.is_number) s.argument = argument;
  team_hold_vm (x);
  bool is_new = true;
  for (u32 i = 0; i < x->team->started.size && is_new; i++) {
    const TextStart *old = &x->team->started.data[i];
    is_new = old->tid != s.tid || old->function != function || old->is_number != s.is_number ||
             old->argument != s.argument;
  }
  if (is_new) vec_push (&x->team->started, s);
  team_let_go_vm (x);
}

/* ---- what threads can tell */

static TextThread *thread_of (const Text *t, Tid who) { return &t->pointers->threads[who]; }

static bool overlap (const TextAccess *a, const TextAccess *b) {
  if (a->place != b->place) return false;
  if (a->offset == OFFSET_ANY || b->offset == OFFSET_ANY) return true;
  return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

/* Whether the two are of the same location, or of two that have nothing in common. */
static bool fit (const TextAccess *a, const TextAccess *b) {
  if (a->place != b->place) return true;
  if (!a->size || !b->size) return false;
  if (a->offset == OFFSET_ANY && b->offset == OFFSET_ANY) return a->size == b->size;
  if (a->offset == OFFSET_ANY) return a->size == b->size && b->offset % b->size == 0;
  if (b->offset == OFFSET_ANY) return fit (b, a);
  return !overlap (a, b) || (a->offset == b->offset && a->size == b->size);
}

/* What is accessed in pieces of different sizes may be one location, all of it. */
static void merge_pieces (const Machine *x, Text *text) {
  bool *is_one = mem_zalloc (text->pointers->places.size);
  for (Tid t = 0; t < x->nthreads; t++)
    for (u32 i = 0; i < thread_of (text, t)->accesses.size; i++)
      for (Tid o = t; o < x->nthreads; o++)
        for (u32 k = 0; k < thread_of (text, o)->accesses.size; k++) {
          const TextAccess *a = &thread_of (text, t)->accesses.data[i];
          is_one[a->place] |= !fit (a, &thread_of (text, o)->accesses.data[k]);
        }
  for (Tid t = 0; t < x->nthreads; t++)
    for (u32 i = 0; i < thread_of (text, t)->accesses.size; i++) {
      TextAccess *a = &thread_of (text, t)->accesses.data[i];
      if (is_one[a->place]) a->offset = OFFSET_ANY;
    }
  mem_free (is_one);
}

/* Whether what `writer` stores can be there before t is created. */
static bool may_precede (const Machine *x, const Text *text, Tid writer, Tid t) {
  assert (writer < x->nthreads && t && t < x->nthreads);
  if (writer && (text->first & bit_of (t))) return false;
  for (Tid w = writer;; w = text->parent[w]) {
    if (w == t) return false;
    if (!w) return true;
    if (text->parent[w] == text->parent[t] && vm_thread_path (x->vm, w) > vm_thread_path (x->vm, t))
      return false;
  }
}

typedef bool Condition (const Machine *x, const Text *text, Tid writer, Tid t);
static bool is_another (const Machine *x, const Text *text, Tid writer, Tid t) {
  (void)x, (void)text;
  return writer != t;
}

/* Whether a thread for which this holds may write there. */
static bool is_written (const Machine *x, const Text *text, const TextAccess *a, Tid t,
                        Condition *holds) {
  for (Tid w = 0; w < x->nthreads; w++) {
    const TextThread *writer = thread_of (text, w);
    for (u32 i = 0; i < writer->accesses.size; i++)
      if (writer->accesses.data[i].writes && overlap (&writer->accesses.data[i], a) &&
          holds (x, text, w, t))
        return true;
  }
  return false;
}

/* Of the steps that are made at once (eager.c) those of main come first. That they are made at once
 * cannot change if no thread writes what main reads. */
static void find_first (const Machine *x, Text *text) {
  const TextThread *main = thread_of (text, 0);
  for (u32 i = 0; i < main->accesses.size; i++)
    if (main->accesses.data[i].reads &&
        is_written (x, text, &main->accesses.data[i], 0, is_another))
      return;
  for (u32 i = 1; i < text->starts.size; i++) {
    const TextStart *s = &text->starts.data[i];
    if (s->is_first && !s->parent) text->first |= bit_of (s->tid);
  }
}

static void find_views (const Machine *x, Text *text) {
  for (Tid t = 0; t < x->nthreads; t++) {
    const TextThread *thread = thread_of (text, t);
    for (u32 i = 0; i < thread->accesses.size; i++) {
      const TextAccess *a = &thread->accesses.data[i];
      if (!a->reads && !(x->options->coherent && is_written (x, text, a, t, is_another))) continue;
      vec_push (&text->views[t], *a);
      if (!t || !is_written (x, text, a, t, may_precede)) continue;
      Tid above = t;
      do {
        above = text->parent[above];
        vec_push (&text->views[above], *a);
      } while (above);
    }
  }
}

static bool can_tell_writes (const Text *text, Tid viewer, Tid writer) {
  const TextThread *w = thread_of (text, writer);
  for (u32 i = 0; i < text->views[viewer].size; i++)
    for (u32 k = 0; k < w->accesses.size; k++)
      if (w->accesses.data[k].writes &&
          overlap (&w->accesses.data[k], &text->views[viewer].data[i]))
        return true;
  return false;
}

static bool any_thread (const Machine *x, const Text *text, Tid writer, Tid t) {
  (void)x, (void)text, (void)writer, (void)t;
  return true;
}

/* Both read what some thread writes. */
static bool view_the_same (const Machine *x, const Text *text, Tid a, Tid b) {
  for (u32 i = 0; i < text->views[a].size; i++)
    for (u32 k = 0; k < text->views[b].size; k++) {
      const TextAccess *v = &text->views[a].data[i], *w = &text->views[b].data[k];
      const TextAccess *smaller = v->offset == OFFSET_ANY ? w : v;
      if (overlap (v, w) && is_written (x, text, smaller, a, any_thread)) return true;
    }
  return false;
}

/* ---- the proof */

static Text *text_new (Machine *x) {
  Text *text = mem_zalloc (sizeof *text);
  u32 main = (u32)program_find_function (x->program, "main");
  vec_push (&text->starts, ((TextStart){.function = main, .is_number = true}));
  for (u32 i = 0; i < x->team->started.size; i++) {
    const TextStart *s = &x->team->started.data[i];
    if (s->tid >= x->nthreads) continue;
    text->parent[s->tid] = s->parent;
    vec_push (&text->starts, *s);
  }
  text->pointers = pointers_new (x->program, x->nthreads, text->starts.data, text->starts.size);
  merge_pieces (x, text);
  find_first (x, text);
  find_views (x, text);
  return text;
}

static void text_free (Text *text) {
  pointers_free (text->pointers);
  for (Tid t = 0; t < MACHINE_THREADS; t++) vec_free (&text->views[t]);
  vec_free (&text->starts);
  mem_free (text);
}

static bool is_proved (const Machine *x, const Text *text) {
  for (Tid t = 0; t < x->nthreads; t++)
    if (thread_of (text, t)->can_access_anything) return false;
  for (Tid a = 0; a < x->nthreads; a++)
    for (Tid b = a + 1; b < x->nthreads; b++)
      if (x->segment_of[a] == x->segment_of[b] &&
          (can_tell_writes (text, a, b) || can_tell_writes (text, b, a) ||
           view_the_same (x, text, a, b)))
        return false;
  return true;
}

/* ---- what was accessed must be among it */

static bool is_place_of (const Pointers *p, const Place *l, const VmPlace *v) {
  assert (l->kind != PLACE_NUMBER && l->kind != PLACE_FUNCTION); /* those are no memory */
  if (l->kind == PLACE_SHADOW) {
    VmPlace of = *v;
    of.is_shadow = false;
    return v->is_shadow && is_place_of (p, &p->places.data[l->index], &of);
  }
  if (v->is_shadow) return false;
  if (l->kind == PLACE_GLOBAL) return v->kind == VM_GLOBAL && l->index == v->index;
  if (l->tid != v->tid) return false;
  if (l->kind == PLACE_TLS) return v->kind == VM_TLS && l->index == v->index;
  if (l->kind == PLACE_STACK) return v->kind == VM_STACK && l->function == v->index;
  return l->kind == PLACE_HEAP && v->kind == VM_HEAP;
}

static bool can_access (const Text *text, Tid t, const VmPlace *v, u32 size, bool writes) {
  const TextThread *thread = thread_of (text, t);
  bool can = thread->can_access_anything;
  for (u32 i = 0; i < thread->accesses.size && !can; i++) {
    const TextAccess *a = &thread->accesses.data[i];
    can = (writes ? a->writes : a->reads) &&
          (a->offset == OFFSET_ANY || ((u64)a->offset == v->offset && a->size == size)) &&
          is_place_of (text->pointers, &text->pointers->places.data[a->place], v);
  }
  return can;
}

static void check_accesses (const Machine *x, const Text *text) {
  for (u32 i = 0; i < x->locations.size; i++) {
    const Location *l = &x->locations.data[i];
    VmPlace v;
    if (!vm_place_of (x->vm, l->addr, &v)) continue;
    for (Tid t = 0; t < x->nthreads; t++)
      BUG_IF (((l->read_by >> t & 1) && !can_access (text, t, &v, l->size, false)) ||
              ((l->written_by >> t & 1) && !can_access (text, t, &v, l->size, true)));
  }
}

/* ---- what is said */

static void say_place (const Machine *x, const Text *text, const TextAccess *a, Str *out) {
  const Place *l = &text->pointers->places.data[a->place];
  while (l->kind == PLACE_SHADOW) l = &text->pointers->places.data[l->index];
  if (l->kind == PLACE_GLOBAL || l->kind == PLACE_TLS) {
    const Global *g = &x->program->globals.data[l->index];
    if (a->offset == OFFSET_ANY)
      str_add (out, program_global_title (g));
    else
      program_name_bytes (x->program, g, (u64)a->offset, out);
    return;
  }
  const Function *f = &x->program->functions.data[l->function];
  const Insn *i = &f->code.data[l->index];
  bool has_name = i->op == OP_ALLOCA && i->b != OPERAND_NONE;
  str_add (out, has_name ? x->program->strings.data[i->b] : l->kind == PLACE_HEAP ? "memory" : "?");
  str_printf (out, " of %s:%u", f->name, x->program->positions.data[i->pos].line);
}

static bool is_used_by_others (const Machine *x, const Text *text, const TextAccess *a, Tid t) {
  for (Tid o = 0; o < x->nthreads; o++)
    for (u32 i = 0; i < thread_of (text, o)->accesses.size && o != t; i++)
      if (overlap (&thread_of (text, o)->accesses.data[i], a)) return true;
  return false;
}

static void say_set (const Machine *x, const Text *text, Tid t, bool writes, Str *out) {
  const TextThread *thread = thread_of (text, t);
  u32 n = 0;
  str_add (out, writes ? "; writes" : " reads");
  for (u32 i = 0; i < thread->accesses.size; i++) {
    const TextAccess *a = &thread->accesses.data[i];
    if (!(writes ? a->writes : a->reads) || !is_used_by_others (x, text, a, t)) continue;
    str_add (out, n++ ? ", " : " ");
    say_place (x, text, a, out);
  }
  if (!n) str_add (out, " nothing");
}

static void tell_sets (const Machine *x, const Text *text) {
  Str line = {0};
  for (Tid t = 0; t < x->nthreads; t++, str_clear (&line)) {
    str_add (&line, "of what others use ");
    machine_say_member (&line, t);
    if (thread_of (text, t)->can_access_anything) {
      str_add (&line, " may read and write anything");
    } else {
      say_set (x, text, t, false, &line);
      say_set (x, text, t, true, &line);
    }
    x->options->on_memories (x->options->arg, line.text);
  }
  str_free (&line);
}

void machine_tell_text (Machine *x) {
  const MachineOptions *o = x->options;
  bool shares = o->sharing == SHARING_LOCAL && x->nsegments < x->nthreads;
  if (!o->check_text && !(o->on_memories && (shares || o->tell_sets))) return;
  Text *text = text_new (x);
  if (o->check_text) check_accesses (x, text);
  if (o->on_memories && shares)
    o->on_memories (o->arg, is_proved (x, text) ? "sharing: proved from the program's text"
                            : x->result.not_covered.size
                                ? "sharing: checked in what was explored"
                                : "sharing: checked in all that can happen");
  if (o->on_memories && o->tell_sets) tell_sets (x, text);
  text_free (text);
}
