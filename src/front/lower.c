/* lower.c - an LLVM module as a porf program. */
#include <llvm-c/Target.h>
#include "front/lower.h"

static void lower_done (Lower *l) {
  for (u32 i = 0; i < l->refusals.size; i++) mem_free (l->refusals.data[i]);
  vec_free (&l->refusals);
  vec_free (&l->structs);
  vec_free (&l->order);
  vec_free (&l->operands);
  vec_free (&l->edges);
  map_free (&l->functions);
  map_free (&l->globals);
  map_free (&l->positions);
  map_free (&l->types);
  map_free (&l->scopes);
  map_free (&l->values);
  map_free (&l->blocks);
  map_free (&l->locals);
  map_free (&l->areas);
}

Linkage lower_linkage (LLVMValueRef v) {
  static const u8 linkages[] = {
      [LLVMInternalLinkage] = LINK_LOCAL,
      [LLVMPrivateLinkage] = LINK_LOCAL,
      [LLVMAvailableExternallyLinkage] = LINK_WEAK,
      [LLVMLinkOnceAnyLinkage] = LINK_WEAK,
      [LLVMLinkOnceODRLinkage] = LINK_WEAK,
      [LLVMWeakAnyLinkage] = LINK_WEAK,
      [LLVMWeakODRLinkage] = LINK_WEAK,
      [LLVMCommonLinkage] = LINK_WEAK,
      [LLVMExternalWeakLinkage] = LINK_WEAK,
  };
  LLVMLinkage linkage = LLVMGetLinkage (v);
  return linkage < ARRAY_SIZE (linkages) ? (Linkage)linkages[linkage] : LINK_NAMED;
}

/* The name of a function or variable in the program. What is static in the runtime is marked, for
 * reports. */
void lower_symbol (Lower *l, LLVMValueRef v, const char *kind, u32 serial, Str *out) {
  size_t length;
  const char *name = LLVMGetValueName2 (v, &length);
  if (l->is_runtime && lower_linkage (v) == LINK_LOCAL) str_add (out, "porf_runtime_");
  if (length)
    str_add_n (out, name, length);
  else
    str_printf (out, ".%s%u", kind, serial);
}

/* runtime/runtime.c defines this variable; nothing else should. */
#define RUNTIME_MARK "porf_this_is_the_runtime"

Program *lower_module (LLVMModuleRef m, bool is_source) {
  Lower l = {.p = program_new (), .module = m, .layout = LLVMGetModuleDataLayout (m)};
  l.is_source = is_source;
  l.is_runtime = LLVMGetNamedGlobal (m, RUNTIME_MARK) != NULL;
  lower_collect_structs (&l);
  lower_declare_functions (&l);
  l.func = 0;
  lower_declare_globals (&l);
  lower_init_globals (&l);
  for (LLVMValueRef f = LLVMGetFirstFunction (m); f; f = LLVMGetNextFunction (f))
    if (!LLVMIsDeclaration (f)) lower_body (&l, f);
  lower_aliases (&l);
  lower_constructors (&l);
  Program *p = l.p;
  lower_done (&l);
  return p;
}
