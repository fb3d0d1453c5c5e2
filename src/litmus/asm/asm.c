/* asm.c - a test in assembler, from its initial state to its condition. */
#include "litmus/asm/asm.h"

static const AsmDialect *const dialects[] = {&litmus_aarch64, &litmus_arm, &litmus_ppc,
                                             &litmus_riscv,   &litmus_x86, &litmus_x86_64};

const AsmDialect *litmus_find_dialect (Input *in) {
  for (u32 i = 0; i < ARRAY_SIZE (dialects); i++)
    if (litmus_take_word (in, dialects[i]->name)) return dialects[i];
  return NULL;
}

/* Cells are taken as they stand. */
static void blank_comments (char *text) {
  for (char *c = text; (c = strstr (c, "(*"));) {
    char *end = strstr (c, "*)");
    if (!end) return;
    for (; c < end + 2; c++)
      if (*c != '\n') *c = ' ';
  }
}

static void thread_free (AsmThread *t) {
  for (u32 i = 0; i < t->labels.size; i++) mem_free (t->labels.data[i].name);
  vec_free (&t->labels);
  vec_free (&t->presets);
  vec_free (&t->lines);
  str_free (&t->code);
}

static void asm_free (Asm *a) {
  for (u32 i = 0; i < a->threads.size; i++) thread_free (&a->threads.data[i]);
  for (u32 i = 0; i < a->locations.size; i++) mem_free (a->locations.data[i].name);
  for (u32 i = 0; i < a->names.size; i++) mem_free (a->names.data[i]);
  vec_free (&a->threads);
  vec_free (&a->locations);
  vec_free (&a->names);
}

/* Locations that only the condition names. Without a condition, all are observed. */
static void add_observed_locations (Asm *a) {
  Litmus *l = a->in->l;
  for (u32 i = 0; i < l->observed.size; i++) {
    const char *name = l->observed.data[i].name;
    if (!strchr (name, ':')) asm_location (a, name, strlen (name));
  }
  for (u32 i = 0; i < l->terms.size; i++) {
    const Term *t = &l->terms.data[i];
    if (!t->address) continue;
    asm_location (a, t->address, strlen (t->address));
    const char *name = l->observed.data[t->left].name;
    if (!strchr (name, ':'))
      a->locations.data[asm_location (a, name, strlen (name))].is_address = true;
  }
  if (l->observed.size) return;
  for (u32 i = 0; i < a->locations.size; i++)
    litmus_observe (l, a->locations.data[i].name, a->locations.data[i].name);
}

bool litmus_read_asm (Input *in, const AsmDialect *d) {
  Asm a = {.in = in, .dialect = d, .events = {[ASM_LOAD] = {"R"}, [ASM_STORE] = {"W"}}};
  const char *start = in->start;
  char *text = mem_strdup (start);
  blank_comments (text);
  in->at = text + (in->at - start);
  in->start = text;
  in->has_addresses = true;
  bool fine = asm_read_init (&a) && asm_read_threads (&a) && litmus_read_question (in);
  if (fine) {
    add_observed_locations (&a);
    fine = asm_write_program (&a);
  }
  asm_free (&a);
  mem_free (text);
  in->start = in->at = start;
  return fine;
}
