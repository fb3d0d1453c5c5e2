/* reader.c - memory and errors of one reading, and the whole of it: sources in, rules out. */
#include "models/cat/reader.h"

void *reader_alloc (Reader *r, size_t size) {
  Chunk *c = mem_zalloc (sizeof *c + size);
  c->next = r->chunks;
  r->chunks = c;
  return c + 1;
}

char *reader_strndup (Reader *r, const char *text, size_t n) {
  char *copy = reader_alloc (r, n + 1);
  memcpy (copy, text, n);
  return copy;
}

static void find_line (const Source *s, u32 at, u32 *line, u32 *start) {
  *line = 1, *start = 0;
  for (u32 i = 0; i < at && i < s->size; i++)
    if (s->text[i] == '\n') ++*line, *start = i + 1;
}

u32 place_line (const Reader *r, Place p) {
  u32 line, start;
  find_line (&r->sources.data[p.source], p.at, &line, &start);
  return line;
}

Place place_join (Place a, Place b) {
  if (a.source != b.source || b.at + b.length < a.at) return a;
  u32 from = a.at < b.at ? a.at : b.at;
  u32 end_a = a.at + a.length, end_b = b.at + b.length;
  return (Place){a.source, from, (end_a > end_b ? end_a : end_b) - from};
}

char *place_text (const Reader *r, Place p) {
  const char *text = r->sources.data[p.source].text + p.at;
  Str s = {0};
  str_add (&s, "");
  for (u32 i = 0; i < p.length; i++) {
    bool is_blank = (u8)text[i] <= ' ';
    if (!is_blank)
      str_add_n (&s, text + i, 1);
    else if (s.length && s.text[s.length - 1] != ' ')
      str_add (&s, " ");
  }
  return s.text;
}

/* The line, with tabs as they are so that the marks stand below what they mean. */
static void show_line (Str *out, const Source *s, u32 line, u32 start, u32 at, u32 length) {
  u32 end = start;
  while (end < s->size && s->text[end] != '\n' && end - start < 500) end++;
  str_printf (out, "%5u | %.*s\n      | ", line, (int)(end - start), s->text + start);
  for (u32 i = start; i < at && i < end; i++)
    if (((u8)s->text[i] & 0xc0) != 0x80) str_add (out, s->text[i] == '\t' ? "\t" : " ");
  u32 marks = length;
  if (at + marks > end) marks = at < end ? end - at : 1;
  for (u32 i = 0; i < (marks ? marks : 1); i++)
    if (at + i >= s->size || ((u8)s->text[at + i] & 0xc0) != 0x80) str_add (out, "^");
  str_add (out, "\n");
}

static bool is_inside (Place p, Place around) {
  return p.source == around.source && p.at >= around.at &&
         p.at + p.length <= around.at + around.length;
}

void reader_fail (Reader *r, Place p, const char *help, const char *format, ...) {
  const Source *s = &r->sources.data[p.source];
  u32 line, start;
  va_list ap;
  char message[512];
  va_start (ap, format);
  vsnprintf (message, sizeof message, format, ap);
  va_end (ap);
  find_line (s, p.at, &line, &start);
  str_clear (r->error);
  str_printf (r->error, "%s:%u:%u: error: %s\n", s->path, line, p.at - start + 1, message);
  show_line (r->error, s, line, start, p.at, p.length);
  if (help) str_printf (r->error, " help: %s\n", help);
  if (r->call && !is_inside (p, r->call->place)) {
    s = &r->sources.data[r->call->place.source];
    find_line (s, r->call->place.at, &line, &start);
    str_printf (r->error, "%s:%u:%u: note: used here\n", s->path, line,
                r->call->place.at - start + 1);
    show_line (r->error, s, line, start, r->call->place.at, r->call->place.length);
  }
  longjmp (*r->failed, 1);
}

void reader_count (Reader *r, Place p) {
  if (++r->steps > STEPS_MAX)
    reader_fail (r, p, NULL, "the model is too large: it takes more than %d steps to expand",
                 STEPS_MAX);
}

void reader_init (Reader *r, CatModel *m, Str *error) { *r = (Reader){.m = m, .error = error}; }

void reader_done (Reader *r) {
  while (r->chunks) {
    Chunk *next = r->chunks->next;
    mem_free (r->chunks);
    r->chunks = next;
  }
  for (u32 i = 0; i < r->sources.size; i++) {
    mem_free (r->sources.data[i].path);
    mem_free (r->sources.data[i].text);
  }
  vec_free (&r->sources);
  vec_free (&r->tokens);
}

u32 reader_add_source (Reader *r, const char *path, const char *text, size_t size,
                       bool is_builtin) {
  char *copy = mem_alloc (size + 1);
  memcpy (copy, text, size);
  copy[size] = 0;
  vec_push (&r->sources, ((Source){mem_strdup (path), copy, size, is_builtin}));
  r->m->digest = hash_mix (r->m->digest, hash_bytes (text, size, 0));
  return r->sources.size - 1;
}
