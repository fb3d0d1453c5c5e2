/* front.h - porf-cc: from a C file or an LLVM module to porf IR.
 *
 *   main.c      the command line
 *   clang.c     runs clang and catches the bitcode that it writes
 *   module.c    reads, verifies and tidies an LLVM module
 *   lower.c     module -> Program; the other files are its parts (see lower.h)
 */
#ifndef PORF_FRONT_H
#define PORF_FRONT_H

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>
#include "ir/ir.h"

#if LLVM_VERSION_MAJOR < 17
#define LLVMGetArrayLength2 LLVMGetArrayLength
#define LLVMGetNSW(insn) false
#endif

typedef struct FrontOptions {
  const char *input, *output; /* output NULL or "-": standard output */
  const char *deps;           /* where clang writes the list of files it read, or NULL */
  bool preprocesses;          /* only shows what clang makes of the text before it compiles it */
  char **cflags;
  int ncflags;
} FrontOptions;

typedef struct Bytes {
  char *data;
  size_t size;
} Bytes;

/* A clang that is running: started early, so that LLVM is set up while it works. */
typedef struct Clang {
  int pid, fd;
  int messages; /* a file in memory */
} Clang;
Clang clang_start (const FrontOptions *o);
Bytes clang_finish (Clang c,
                    const FrontOptions *o); /* the bitcode; ends the process if clang failed */

/* Prints the text that clang would compile, and with what it would do so; its exit code. */
int clang_preprocess (const FrontOptions *o);

bool path_is_source (const char *path);
bool is_intrinsic (LLVMValueRef i,
                   const char *pattern); /* a call of "llvm.smax", as in "llvm.smax.i32" */
LLVMModuleRef module_read (LLVMContextRef context, Bytes bytes, const char *path);
void module_tidy (LLVMModuleRef m, const char *path);
void output_add_accesses (LLVMModuleRef m);

/* is_source: clang has just compiled it, without optimisations, so that every instruction stands
 * for one in the program. */
Program *lower_module (LLVMModuleRef m, bool is_source);

#endif
