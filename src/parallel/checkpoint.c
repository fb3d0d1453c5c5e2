/* checkpoint.c - a search as a file, from which another process goes on.
 *
 * Before a checkpoint all workers give away all they have (workers.c). What is left to do is a list
 * of tasks then, what was done a list of results, and what was learned is what the VMs and
 * explorers know. The file holds these three, which look it is (run.c), and what it was made for:
 * the program, the options and the model. Where nothing can be given away, the file says that the
 * look has to be done from its beginning.
 *
 *     "porf checkpoint\n"  version  length  body  SHA-256 of all before, in hexadecimal
 *
 * The file is written beside the old one and takes its place when it is safely there.
 */
#include "parallel/checkpoint.h"
#include "explore/search/search.h"
#include "parallel/parallel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT_VERSION = 7, DIGEST = 64 };
static const char magic[] = "porf checkpoint\n";

/* ---- what it is for -------------------------------------------------------------------------- */

static char *program_name (const Program *p) {
  Str text = {0}, name = {0};
  ir_print (p, &text);
  sha256 (text.text, text.length, &name);
  str_free (&text);
  return name.text;
}

static char *model_identity (const Explorer *x) {
  Str s = {0};
  str_printf (&s, "%s %s", x->model->name, x->options->inputs ? x->options->inputs : "");
  return s.text;
}

/* Whatever changes which executions there are, how they are counted or what is found in them. */
static char *options_text (const Explorer *x) {
  const ExploreOptions *o = x->options;
  const VmOptions *v = &o->vm;
  Str s = {0};
  str_printf (&s, "%d%d%d%d%d%d%d%d%d", o->keep_going, o->detect_races, o->plain_races, o->liveness,
              o->reductions, o->symmetry, o->commuting, o->barriers, o->neighbours);
  str_printf (&s, " %d%d%x %d unroll %u steps %llu", v->share_everything, v->dependencies,
              v->lifted, v->find_leaks, v->unroll, (unsigned long long)v->max_steps);
  str_printf (&s, " max %llu nondet %lld..%lld", (unsigned long long)o->max_executions,
              (long long)v->nondet_low, (long long)v->nondet_high);
  for (u32 i = 0; i < v->nondet_set_size; i++)
    str_printf (&s, " %lld", (long long)v->nondet_set[i]);
  return s.text;
}

/* ---- what one explorer knows ----------------------------------------------------------------- */

#define LOCATION_FLAGS(F)                                                                          \
  F (may_be_undefined)                                                                             \
  F (has_awaits)                                                                                   \
  F (in_long_iterations) F (has_na) F (has_mixed) F (must_show_iterations) F (has_unordered_writes)

void checkpoint_put_knowledge (Bytes *b, const Explorer *x) {
  knowledge_put (b, &x->known);
  bytes_put (b, x->locations.size);
  for (u32 i = 0; i < x->locations.size; i++) {
    const LocationInfo *l = &x->locations.data[i];
    bytes_put (b, x->addresses.data[i]);
    bytes_put (b, l->size);
#define PUT(field) bytes_put (b, l->field);
    LOCATION_FLAGS (PUT)
#undef PUT
  }
}

static void get_location (ByteReader *r, Explorer *x) {
  u64 addr = bytes_get (r);
  u32 size = (u32)bytes_get_below (r, 17), loc;
  if (r->is_bad || !size || location_overlaps_another (x, addr, size, &loc) || loc != LOC_NONE) {
    r->is_bad = true;
    return;
  }
  loc = location_new (x, addr, size);
  LocationInfo *l = &x->locations.data[loc];
#define GET(field) l->field = bytes_get_bool (r);
  LOCATION_FLAGS (GET)
#undef GET
}

/* x knows nothing yet but its VM. */
void checkpoint_get_knowledge (ByteReader *r, Explorer *x) {
  knowledge_get (r, &x->known);
  if (!x->known.stride || x->known.stride % 8) r->is_bad = true;
  for (u32 n = bytes_get_count (r, 10); n > 0 && !r->is_bad; n--) get_location (r, x);
}

/* What another explorer knew is put together with what x knows as at the end of a search. */
void checkpoint_learn_more (ByteReader *r, Explorer *x) {
  Explorer w = {.program = x->program, .options = x->options, .model = x->model, .vm = x->vm};
  checkpoint_get_knowledge (r, &w);
  if (!r->is_bad) merge_knowledge (x, &w);
  map_free (&w.location_of_byte);
  vec_free (&w.addresses);
  vec_free (&w.locations);
  knowledge_free (&w.known);
}

/* ---- parts and parcels ----------------------------------------------------------------------- */

void checkpoint_put_part (Bytes *b, const Part *p) {
  path_put (b, &p->start);
  bytes_put_double (b, p->represented);
  bytes_put_double (b, p->represented_blocked);
  result_write (&p->result, b);
}

Part checkpoint_get_part (ByteReader *r, const Explorer *x) {
  Part p = {0};
  path_get (r, &p.start);
  p.represented = bytes_get_double (r);
  p.represented_blocked = bytes_get_double (r);
  p.result = result_read (r, x->model->name);
  return p;
}

/* Reads it once to see that it can be read. */
static void get_parcel (ByteReader *r, Explorer *x, Frontier *f) {
  ByteReader inside = bytes_get_bytes (r), again = inside;
  Task t = {0};
  if (inside.is_bad || !task_read (x, &inside, &t))
    r->is_bad = true;
  else {
    Parcel *p = parcel_new ();
    bytes_put_raw (&p->bytes, again.at, (size_t)(again.end - again.at));
    path_copy (&p->start, &t.path);
    vec_push (&p->start, t.frame.taken + 1);
    if (f->last)
      f->last->next = p;
    else
      f->first = p;
    f->last = p;
  }
  task_done (&t);
}

void checkpoint_free_frontier (Explorer *x) {
  Frontier *f = x->worker.frontier;
  if (!f) return;
  for (Parcel *p = f->first, *next; p; p = next) {
    next = p->next;
    parcel_free (p);
  }
  for (u32 i = 0; i < f->parts.size; i++) part_done (&f->parts.data[i]);
  vec_free (&f->parts);
  mem_free (f);
  x->worker.frontier = NULL;
}

/* ---- the body -------------------------------------------------------------------------------- */

void checkpoint_put_identity (Bytes *b, const Explorer *x) {
  char *program = program_name (x->program), *model = model_identity (x),
       *options = options_text (x);
  bytes_put_text (b, PORF_VERSION);
  bytes_put_text (b, program);
  bytes_put_text (b, model);
  bytes_put_text (b, options);
  mem_free (program);
  mem_free (model);
  mem_free (options);
}

/* `p`: the pool, or NULL at the beginning of a look. */
static void put_body (Bytes *b, const Explorer *x, const Pool *p) {
  Result earlier = x->run.earlier;
  search_add_vm_stats (&earlier.stats, x->vm);
  for (u32 i = 0; p && i < p->other_count; i++)
    search_add_vm_stats (&earlier.stats, p->others[i].vm);
  if (p) earlier.stats.tasks += p->tasks;
  if (p) earlier.stats.task_bytes += p->task_bytes;
  if (p) merge_stats_from_elsewhere (&earlier.stats, p);
  bytes_put_double (b, seconds_now () - x->run.started);
  bytes_put (b, x->run.looks_for_waits);
  bytes_put (b, x->run.follows_iterations);
  result_write (&earlier, b);
  vm_write_facts (x->vm, b);
  checkpoint_put_knowledge (b, x);
  bytes_put (b, p ? p->other_count : 0);
  for (u32 i = 0; p && i < p->other_count; i++) checkpoint_put_knowledge (b, &p->others[i]);
  bytes_put (b, p != NULL);
  if (!p) return;
  bytes_put (b, p->parts.size);
  for (u32 i = 0; i < p->parts.size; i++) checkpoint_put_part (b, &p->parts.data[i]);
  bytes_put (b, p->waiting_tasks);
  for (const Parcel *t = p->first; t; t = t->next) bytes_put_bytes (b, &t->bytes);
}

static void get_frontier (ByteReader *r, Explorer *x) {
  x->worker.frontier = mem_zalloc (sizeof *x->worker.frontier);
  for (u32 n = bytes_get_count (r, 17); n > 0 && !r->is_bad; n--)
    vec_push (&x->worker.frontier->parts, checkpoint_get_part (r, x));
  for (u32 n = bytes_get_count (r, 1); n > 0 && !r->is_bad; n--)
    get_parcel (r, x, x->worker.frontier);
}

bool checkpoint_read (Explorer *x, ByteReader *r) {
  x->run.started -= bytes_get_double (r);
  x->run.looks_for_waits = bytes_get_bool (r);
  x->run.follows_iterations = bytes_get_bool (r);
  vm_set_patience (x->vm, x->run.follows_iterations);
  x->result = result_read (r, x->model->name);
  if (r->is_bad || !vm_read_facts (x->vm, r)) return false;
  checkpoint_get_knowledge (r, x);
  for (u32 n = bytes_get_count (r, 13); n > 0 && !r->is_bad; n--) checkpoint_learn_more (r, x);
  if (bytes_get_bool (r)) get_frontier (r, x);
  return !r->is_bad && r->at == r->end;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Nothing that was there is written to but a regular file, and that is replaced as a whole: a link
 * or a device would lead elsewhere. */
static bool is_replaceable (const char *path) {
  struct stat st;
  if (lstat (path, &st)) return errno == ENOENT;
  errno = EINVAL;
  return S_ISREG (st.st_mode);
}

/* A new file, and no other. */
static FILE *open_new (const char *path) {
  if (!is_replaceable (path) || (unlink (path) && errno != ENOENT)) return NULL;
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  return fd < 0 ? NULL : fdopen (fd, "wb");
}

static bool write_all (const char *path, const Bytes *b) {
  FILE *f = open_new (path);
  if (!f) return false;
  bool ok = fwrite (b->data, 1, b->size, f) == b->size && !fflush (f) && !fsync (fileno (f));
  return !fclose (f) && ok;
}

static char *name_beside (const char *path) {
  Str s = {0};
  str_printf (&s, "%s.new", path);
  return s.text;
}

void checkpoint_try (const char *path) {
  if (!is_replaceable (path))
    die_input ("cannot write the checkpoint `%s`: %s", path,
               errno == EINVAL ? "it is not a regular file" : strerror (errno));
  char *beside = name_beside (path);
  FILE *f = open_new (beside);
  if (!f)
    die_input ("cannot write the checkpoint `%s`: `%s`: %s", path, beside,
               errno == EINVAL ? "it is not a regular file" : strerror (errno));
  fclose (f);
  unlink (beside);
  mem_free (beside);
}

static void save (Explorer *x, const Pool *p) {
  Bytes b = {0}, body = {0};
  checkpoint_put_identity (&body, x);
  put_body (&body, x, p);
  bytes_put_raw (&b, magic, sizeof magic - 1);
  bytes_put (&b, FORMAT_VERSION);
  bytes_put_bytes (&b, &body);
  Str digest = {0};
  sha256 (b.data, b.size, &digest);
  bytes_put_raw (&b, digest.text, DIGEST);
  const char *path = x->options->checkpoint;
  char *beside = name_beside (path);
  x->worker.is_saved = write_all (beside, &b) && is_replaceable (path) && !rename (beside, path);
  if (x->worker.is_saved)
    x->worker.has_checkpoint = true;
  else {
    Str what = {0};
    str_printf (&what, "a checkpoint could not be written: %s", strerror (errno));
    unlink (beside);
    result_note_once (&x->run.earlier.warnings, 0, what.text);
    str_free (&what);
  }
  str_free (&digest);
  mem_free (beside);
  vec_free (&b);
  vec_free (&body);
}

void checkpoint_save_beginning (Explorer *x) { save (x, NULL); }

void checkpoint_save_frontier (Pool *p) {
  save (p->owner, p);
  p->next_save = seconds_now () + p->owner->options->save_every;
}

/* The texts at the head. `what`: names them. */
static void expect_all (const Explorer *x, ByteReader *r, const char *what) {
  const struct {
    char *text;
    const char *of;
  } rows[] = {{mem_strdup (PORF_VERSION), "version of porf"},
              {program_name (x->program), "program"},
              {model_identity (x), "model"},
              {options_text (x), "search: the options are not the same"}};
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    char *found = bytes_get_text (r);
    if (!found || strcmp (found, rows[i].text)) die_input ("%s another %s", what, rows[i].of);
    mem_free (found);
    mem_free (rows[i].text);
  }
}

void checkpoint_expect_identity (const Explorer *x, ByteReader *r) {
  Str what = {0};
  str_printf (&what, "rank %u cannot take part: rank 0 has", x->options->cluster->rank);
  expect_all (x, r, what.text);
  str_free (&what);
}

static ByteReader open_body (const char *path, const u8 *data, size_t size) {
  ByteReader r = {data, data + size, false};
  const u8 *head = bytes_get_raw (&r, sizeof magic - 1);
  if (!head || memcmp (head, magic, sizeof magic - 1))
    die_input ("`%s` is not a porf checkpoint", path);
  u64 version = bytes_get (&r);
  if (!r.is_bad && version != FORMAT_VERSION)
    die_input ("`%s` cannot be resumed: it has version %llu of the format, this porf reads %d",
               path, (unsigned long long)version, FORMAT_VERSION);
  ByteReader body = bytes_get_bytes (&r);
  const u8 *end = r.at, *digest = bytes_get_raw (&r, DIGEST);
  if (body.is_bad || !digest) die_input ("`%s` cannot be resumed: it is truncated", path);
  Str actual = {0};
  sha256 (data, (size_t)(end - data), &actual);
  if (memcmp (digest, actual.text, DIGEST) || r.at != r.end)
    die_input ("`%s` cannot be resumed: it is damaged", path);
  str_free (&actual);
  return body;
}

void checkpoint_load (Explorer *x) {
  const char *path = x->options->resume;
  size_t size;
  char *data = file_read (path, &size);
  if (!data) die_input ("cannot read `%s`: %s", path, strerror (errno));
  ByteReader r = open_body (path, (const u8 *)data, size);
  Str what = {0};
  str_printf (&what, "`%s` cannot be resumed: it is a checkpoint of", path);
  expect_all (x, &r, what.text);
  str_free (&what);
  if (!checkpoint_read (x, &r)) die_input ("`%s` cannot be resumed: it is damaged", path);
  x->worker.has_checkpoint = true;
  mem_free (data);
}
