#include "scale/boxes.h"

#include <pthread.h>

typedef struct Letter {
  u32 from;
  Bytes text;
  struct Letter *next;
} Letter;

typedef struct Box {
  Boxes *all;
  Cluster cluster;
  pthread_mutex_t lock;
  Letter *first, *last;
} Box;

struct Boxes {
  u32 size;
  Box *box;
};

static void send (void *arg, u32 to, const u8 *data, size_t size) {
  const Box *me = arg;
  Box *box = &me->all->box[to];
  Letter *letter = mem_zalloc (sizeof *letter);
  letter->from = me->cluster.rank;
  bytes_put_raw (&letter->text, data, size);
  pthread_mutex_lock (&box->lock);
  if (box->last)
    box->last->next = letter;
  else
    box->first = letter;
  box->last = letter;
  pthread_mutex_unlock (&box->lock);
}

static bool receive (void *arg, u32 *from, Bytes *out) {
  Box *me = arg;
  pthread_mutex_lock (&me->lock);
  Letter *letter = me->first;
  if (letter) me->first = letter->next;
  if (!me->first) me->last = NULL;
  pthread_mutex_unlock (&me->lock);
  if (!letter) return false;
  *from = letter->from;
  out->size = 0;
  bytes_put_raw (out, letter->text.data, letter->text.size);
  vec_free (&letter->text);
  mem_free (letter);
  return true;
}

Boxes *boxes_new (u32 ranks) {
  Boxes *b = mem_zalloc (sizeof *b);
  b->size = ranks;
  b->box = mem_zalloc (ranks * sizeof *b->box);
  for (u32 i = 0; i < ranks; i++) {
    Box *box = &b->box[i];
    box->all = b;
    box->cluster =
        (Cluster){.rank = i, .ranks = ranks, .send = send, .receive = receive, .arg = box};
    pthread_mutex_init (&box->lock, NULL);
  }
  return b;
}

Cluster *boxes_cluster (Boxes *b, u32 rank) { return &b->box[rank].cluster; }

void boxes_free (Boxes *b) {
  Bytes unread = {0};
  u32 from;
  for (u32 i = 0; i < b->size; i++) {
    while (receive (&b->box[i], &from, &unread)) continue;
    pthread_mutex_destroy (&b->box[i].lock);
  }
  vec_free (&unread);
  mem_free (b->box);
  mem_free (b);
}
