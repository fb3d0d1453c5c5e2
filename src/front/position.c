/* position.c - source positions from debug information. */
#include <stdlib.h>
#include <unistd.h>
#include <llvm-c/DebugInfo.h>
#include "front/lower.h"

static u32 find_file (Program *p, const char *name) {
  for (u32 i = 0; i < p->files.size; i++)
    if (!strcmp (p->files.data[i], name)) return i;
  vec_push (&p->files, mem_strdup (name));
  return p->files.size - 1;
}

/* Names are kept as the user wrote them; clang splits absolute ones into directory and name. Files
 * of the runtime are called RUNTIME_FILES NAME wherever it was built: the VM knows them by that,
 * and reports leave them out. */
static u32 file_of (Lower *l, LLVMMetadataRef file) {
  unsigned nd, nf;
  const char *dir = LLVMDIFileGetDirectory (file, &nd), *name = LLVMDIFileGetFilename (file, &nf);
  char *here = getcwd (NULL, 0);
  Str s = {0};
  bool is_here = here && strlen (here) == nd && !memcmp (here, dir, nd);
  if (nf && name[0] != '/' && nd && !is_here) str_printf (&s, "%.*s/", (int)nd, dir);
  str_add_n (&s, name, nf);
  const char *base = strrchr (s.text, '/');
  if (base && (l->is_runtime || strstr (s.text, "/porf/libstdcxx/"))) {
    Str moved = {0};
    str_printf (&moved, "%s%s", RUNTIME_FILES, base + 1);
    str_free (&s);
    s = moved;
  }
  u32 n = find_file (l->p, s.text);
  str_free (&s);
  free (here);
  return n;
}

static u32 scope_file (Lower *l, LLVMMetadataRef scope) {
  u64 n;
  if (map_get (&l->scopes, (u64)(uintptr_t)scope, &n)) return (u32)n;
  LLVMMetadataRef file = LLVMDIScopeGetFile (scope);
  bool is_file = file && LLVMGetMetadataKind (file) == LLVMDIFileMetadataKind; /* if it is sound */
  n = is_file ? file_of (l, file) : 0;
  map_put (&l->scopes, (u64)(uintptr_t)scope, n);
  return (u32)n;
}

static u32 add_position (Lower *l, Position p) {
  u64 key = hash_bytes (&p, sizeof p, 0), n;
  if (map_get (&l->positions, key, &n) && !memcmp (&l->p->positions.data[n], &p, sizeof p))
    return (u32)n;
  n = l->p->positions.size;
  vec_push (&l->p->positions, p);
  map_put (&l->positions, key, n);
  return (u32)n;
}

u32 lower_position_at (Lower *l, LLVMMetadataRef scope, u32 line, u32 column) {
  if (!line || !scope) return 0;
  return add_position (
      l,
      (Position){.file = scope_file (l, scope), .line = line, .column = column, .func = l->func});
}

static bool is_in_system_header (Lower *l, LLVMMetadataRef at) {
  u32 file = scope_file (l, LLVMDILocationGetScope (at));
  return path_is_system (l->p->files.data[file]);
}

/* The innermost scope of an inlined location is where the code was written. For the libraries of
 * the system (std::atomic) that is of no interest to anybody: then it is where the program uses
 * them. */
u32 lower_position (Lower *l, LLVMValueRef i) {
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc (i), outer;
  if (!at) return 0;
  while (is_in_system_header (l, at) && (outer = LLVMDILocationGetInlinedAt (at))) at = outer;
  return lower_position_at (l, LLVMDILocationGetScope (at), LLVMDILocationGetLine (at),
                            l->is_runtime ? 0 : LLVMDILocationGetColumn (at));
}

u32 lower_function_position (Lower *l, LLVMValueRef f) {
  LLVMMetadataRef sp = LLVMGetSubprogram (f);
  if (!sp) return 0;
  l->func = lower_function_index (l, f);
  return lower_position_at (l, sp, LLVMDISubprogramGetLine (sp), 0);
}
