/* places.c - for pointers.c: what values can be, and what memory can hold. */
#include "machine/pointsto/pointers.h"

enum { NUMBER = PLACE_NUMBER, SLOT_BYTES = 8, MOST_OFFSETS = 16 };

/* ---- values */

void values_add (Pointers *p, Values *v, Atom a) {
  u32 same = 0, kept = 0;
  p->work += v->size + 1;
  for (u32 i = 0; i < v->size; i++) {
    if (v->data[i].place != a.place) continue;
    if (v->data[i].offset == a.offset || v->data[i].offset == OFFSET_ANY) return;
    same++;
  }
  if (same == MOST_OFFSETS) a.offset = OFFSET_ANY;
  for (u32 i = 0; i < v->size && a.offset == OFFSET_ANY && same; i++)
    if (v->data[i].place != a.place) v->data[kept++] = v->data[i];
  if (a.offset == OFFSET_ANY && same) v->size = kept;
  vec_push (v, a);
  if (!v->is_scratch) p->has_changed = true;
}

void values_add_number (Pointers *p, Values *v) { values_add (p, v, (Atom){NUMBER, OFFSET_ANY}); }

void values_join (Pointers *p, Values *to, const Values *from) {
  for (u32 i = 0; i < from->size; i++) values_add (p, to, from->data[i]);
}

/* Of an address: any in the same place. */
void values_derive (Pointers *p, Values *to, Atom a) {
  values_add_number (p, to);
  if (a.place != NUMBER) values_add (p, to, (Atom){a.place, OFFSET_ANY});
}

/* ---- places */

static void put_in (Pointers *p, u32 place, i64 offset, u32 size, Atom a);

u32 place_intern (Pointers *p, Place fresh) {
  u64 key = (u64)fresh.kind << 60 | (u64)fresh.tid << 52 | (u64)fresh.function << 28 | fresh.index;
  u64 known;
  if (map_get (&p->place_of, key, &known)) return (u32)known;
  u32 number = p->places.size;
  assert (!p->is_last); /* all places are known by then */
  map_put (&p->place_of, key, number);
  vec_push (&p->places, fresh);
  p->has_changed = true;
  if (fresh.kind != PLACE_GLOBAL && fresh.kind != PLACE_TLS) return number;
  const Global *g = &p->program->globals.data[fresh.index];
  for (u32 i = 0; i < g->relocs.size; i++) {
    const Reloc *r = &g->relocs.data[i];
    Atom a = {place_of_const (p, &r->target), (i64)r->target.value};
    put_in (p, number, (i64)r->offset, SLOT_BYTES, a);
  }
  return number;
}

u32 place_of_const (Pointers *p, const Const *c) {
  if (c->kind == CONST_FUNC)
    return place_intern (p, (Place){.kind = PLACE_FUNCTION, .function = c->index});
  u64 size = p->program->globals.data[c->index].size;
  return place_intern (p, (Place){.kind = PLACE_GLOBAL, .index = c->index, .size = size});
}

bool place_is_memory (const Pointers *p, u32 place) {
  return p->places.data[place].kind > PLACE_FUNCTION;
}

bool place_has (const Place *l, i64 offset, u32 size) {
  return offset == OFFSET_ANY || (offset >= 0 && (u64)offset + size <= l->size);
}

static Values *slot_at (Pointers *p, u32 place, i64 at) {
  assert (place_is_memory (p, place));
  Place *l = &p->places.data[place];
  for (u32 i = 0; i < l->slots.size; i++)
    if (l->slots.data[i].at == at) return &l->slots.data[i].values;
  vec_push (&l->slots, ((Slot){.at = at}));
  return &vec_last (&l->slots).values;
}

static bool is_whole (i64 offset, u32 size) {
  return offset != OFFSET_ANY && offset % SLOT_BYTES == 0 && size % SLOT_BYTES == 0;
}

/* Of numbers it is only kept that there are some, and not 0. */
static void put_in (Pointers *p, u32 place, i64 offset, u32 size, Atom a) {
  if (!place_is_memory (p, place) || !place_has (&p->places.data[place], offset, size)) return;
  if (a.place == NUMBER && !a.offset) return;
  if (a.place == NUMBER || size < SLOT_BYTES || (offset != OFFSET_ANY && !is_whole (offset, size)))
    a.offset = OFFSET_ANY;
  if (offset == OFFSET_ANY) {
    values_add (p, slot_at (p, place, OFFSET_ANY), a);
    return;
  }
  for (i64 at = offset / SLOT_BYTES; at <= (offset + size - 1) / SLOT_BYTES; at++)
    values_add (p, slot_at (p, place, at), a);
}

void places_store (Pointers *p, const Values *to, u32 size, const Values *what) {
  for (u32 i = 0; i < to->size; i++)
    for (u32 k = 0; k < what->size; k++)
      put_in (p, to->data[i].place, to->data[i].offset, size, what->data[k]);
}

/* Whether these bytes are 0 before anybody stores there; of memory without a value it is the
 * same. */
static bool begins_as_zero (const Pointers *p, const Place *l, i64 offset, u32 size) {
  if (l->kind != PLACE_GLOBAL && l->kind != PLACE_TLS) return true;
  const Global *g = &p->program->globals.data[l->index];
  if (!g->init) return true;
  if (offset == OFFSET_ANY) return false;
  for (u32 i = 0; i < size; i++)
    if (g->init[(u64)offset + i]) return false;
  return true;
}

static void load_from (Pointers *p, Atom from, u32 size, Values *to) {
  if (!place_is_memory (p, from.place)) return;
  const Place *l = &p->places.data[from.place];
  if (!place_has (l, from.offset, size)) return;
  bool is_zero = begins_as_zero (p, l, from.offset, size);
  values_add (p, to, (Atom){NUMBER, is_zero ? 0 : OFFSET_ANY});
  i64 first = from.offset / SLOT_BYTES, last = (from.offset + size - 1) / SLOT_BYTES;
  for (u32 i = 0; i < l->slots.size; i++) {
    const Slot *s = &l->slots.data[i];
    bool is_there = from.offset == OFFSET_ANY || s->at == OFFSET_ANY;
    if (!is_there && (s->at < first || s->at > last)) continue;
    for (u32 k = 0; k < s->values.size; k++) {
      Atom a = s->values.data[k];
      if (size < SLOT_BYTES || (from.offset != OFFSET_ANY && !is_whole (from.offset, size)))
        values_derive (p, to, a);
      else
        values_add (p, to, a);
    }
  }
}

void places_load (Pointers *p, const Values *from, u32 size, Values *to) {
  for (u32 i = 0; i < from->size; i++) load_from (p, from->data[i], size, to);
}
