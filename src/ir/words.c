/* words.c - what a program is started with: the words of its command line, environment variables.
 */
#include "ir/ir_int.h"

/* The global array of pointers becomes one of pointers to these words, and a null pointer. */
static void set_array (Program *p, const char *name, const char *first, const IrWords *words) {
  i32 array = program_find_global (p, name);
  if (array < 0) return;
  u32 count = words->size + (first != NULL);
  VEC (Reloc) relocs = {0};
  for (u32 i = 0; i < count; i++) {
    const char *word = !first ? words->list[i] : i ? words->list[i - 1] : first;
    Str text_name = {0};
    str_printf (&text_name, "%s[%u]", name, i);
    Global text = {.name = text_name.text, .size = strlen (word) + 1, .align = 1};
    text.init = mem_zalloc (text.size);
    memcpy (text.init, word, text.size);
    Reloc r = {.offset = 8 * i, .target = {.kind = CONST_GLOBAL, .index = p->globals.size}};
    vec_push (&p->globals, text);
    vec_push (&relocs, r);
  }
  Global *g = &p->globals.data[array];
  mem_free (g->init);
  vec_free (&g->relocs);
  g->size = 8 * (count + 1);
  g->init = mem_zalloc (g->size);
  g->type = 0;
  memcpy (&g->relocs, &relocs, sizeof relocs);
}

static void set_argc (Program *p, u32 count) {
  i32 main = program_find_function (p, "main");
  if (main < 0) return;
  Function *f = &p->functions.data[main];
  for (u32 k = 0; k < f->code.size; k++) {
    const Insn *i = &f->code.data[k];
    if (i->op == OP_BUILTIN && i->sub == BUILTIN_ARGC)
      f->args.data[i->first] = operand_const (program_const (p, CONST_INT, 0, count));
  }
}

void ir_set_words (Program *p, const IrWords *words) {
  set_array (p, IR_ARGV, "program", words);
  set_argc (p, 1 + words->size);
}

void ir_set_environment (Program *p, const IrWords *variables) {
  set_array (p, IR_ENVIRONMENT, NULL, variables);
}
