/* knowledge.c - what a search learns of its program: the rows of knowledge.def. */
#include "explore/state/explorer.h"

static void add_to_list (Positions *list, u32 pos) {
  for (u32 i = 0; i < list->size; i++)
    if (list->data[i] == pos) return;
  vec_push (list, pos);
}

void knowledge_note (Explorer *x, Fact fact, u64 key) {
  Knowledge *k = &x->known;
  switch (fact) {
#define FLAG(name, is_told)                                                                        \
  case FACT_##name:                                                                                \
    k->name = true;                                                                                \
    break;
#define NUMBER(name, type, limit)                                                                  \
  case FACT_##name:                                                                                \
    if (key > k->name) k->name = (type)key;                                                        \
    break;
#define KEYS(name)                                                                                 \
  case FACT_##name:                                                                                \
    map_put (&k->name, key, 1);                                                                    \
    break;
#define LIST(name)                                                                                 \
  case FACT_##name:                                                                                \
    add_to_list (&k->name, (u32)key);                                                              \
    break;
#include "explore/state/knowledge.def"
  }
}

void knowledge_learn (Explorer *x, Fact fact, u64 key) {
  knowledge_note (x, fact, key);
  x->must_restart = true;
}

void knowledge_copy_map (Map *to, const Map *from) {
  for (u32 i = 0; i < from->capacity; i++)
    if (from->used[i]) map_put (to, from->keys[i], from->values[i]);
}

void knowledge_tell (Knowledge *to, const Knowledge *from) {
#define FLAG(name, is_told) to->name = (is_told) && from->name;
#define NUMBER(name, type, limit) to->name = from->name;
#define KEYS(name) knowledge_copy_map (&to->name, &from->name);
#define LIST(name)
#include "explore/state/knowledge.def"
}

void knowledge_merge (Knowledge *to, const Knowledge *from) {
#define FLAG(name, is_told) to->name |= from->name;
#define NUMBER(name, type, limit)                                                                  \
  if (from->name > to->name) to->name = from->name;
#define KEYS(name) knowledge_copy_map (&to->name, &from->name);
#define LIST(name)                                                                                 \
  for (u32 i = 0; i < from->name.size; i++) add_to_list (&to->name, from->name.data[i]);
#include "explore/state/knowledge.def"
}

void knowledge_put (Bytes *b, const Knowledge *k) {
#define FLAG(name, is_told) bytes_put (b, k->name);
#define NUMBER(name, type, limit) bytes_put (b, k->name);
#define KEYS(name) bytes_put_map (b, &k->name);
#define LIST(name)                                                                                 \
  bytes_put (b, k->name.size);                                                                     \
  for (u32 i = 0; i < k->name.size; i++) bytes_put (b, k->name.data[i]);
#include "explore/state/knowledge.def"
}

void knowledge_get (ByteReader *r, Knowledge *k) {
#define FLAG(name, is_told) k->name = bytes_get_bool (r);
#define NUMBER(name, type, limit) k->name = (type)bytes_get_below (r, limit);
#define KEYS(name) bytes_get_map (r, &k->name);
#define LIST(name)                                                                                 \
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) vec_push (&k->name, bytes_get_u32 (r));
#include "explore/state/knowledge.def"
}

void knowledge_free (Knowledge *k) {
#define FLAG(name, is_told)
#define NUMBER(name, type, limit)
#define KEYS(name) map_free (&k->name);
#define LIST(name) vec_free (&k->name);
#include "explore/state/knowledge.def"
}
