/* module.c - reading, verifying and tidying an LLVM module. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include "front/front.h"

static const char *reading = ""; /* what is being read, for handlers that get no argument */

/* LLVM's reader prints some complaints itself before it reports them; one message is enough. */
static void silence (bool on) {
  static int kept = -1;
  if (on && kept < 0) {
    int nowhere = open ("/dev/null", O_WRONLY | O_CLOEXEC);
    kept = nowhere < 0 ? -1 : fcntl (STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept >= 0) dup2 (nowhere, STDERR_FILENO);
    if (nowhere >= 0) close (nowhere);
  } else if (!on && kept >= 0) {
    dup2 (kept, STDERR_FILENO);
    close (kept);
    kept = -1;
  }
}

static void on_diagnostic (LLVMDiagnosticInfoRef info, void *path) {
  if (LLVMGetDiagInfoSeverity (info) != LLVMDSError) return;
  silence (false);
  char *text = LLVMGetDiagInfoDescription (info);
  die_input ("%s: %s", (const char *)path, text);
}

static void on_fatal_error (const char *reason) {
  silence (false);
  die_input ("%s: %s", reading, reason);
}

/* LLVM's reader is not proof against every broken file; a crash of it is still an input error. */
static void on_crash (int number) {
  (void)number;
  silence (false);
  static const char message[] = "porf: error: LLVM cannot read this module\n";
  if (write (STDERR_FILENO, message, sizeof message - 1) < 0) _exit (EXIT_BUG);
  _exit (EXIT_INPUT);
}

static void watch_for_crashes (bool on) {
  struct sigaction action = {0};
  action.sa_handler = on ? on_crash : SIG_DFL;
  sigaction (SIGSEGV, &action, NULL);
  sigaction (SIGABRT, &action, NULL);
  sigaction (SIGBUS, &action, NULL);
}

static bool is_bitcode (Bytes b) {
  return b.size >= 4 &&
         (!memcmp (b.data, "BC\xC0\xDE", 4) || !memcmp (b.data, "\xDE\xC0\x17\x0B", 4));
}

static bool ends_with (const char *text, const char *tail) {
  size_t n = strlen (text), k = strlen (tail);
  return n >= k && !strcmp (text + n - k, tail);
}

static LLVMBool silently (LLVMBool failed) {
  silence (false);
  return failed;
}

static LLVMModuleRef parse (LLVMContextRef context, Bytes bytes, const char *path) {
  LLVMModuleRef m = NULL;
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy (bytes.data, bytes.size, path);
  bool is_code = is_bitcode (bytes);
  if (!is_code && ends_with (path, ".bc")) die_input ("%s: this is not LLVM bitcode", path);
  silence (true);
  if (is_code) {
    if (silently (LLVMParseBitcodeInContext2 (context, buffer, &m)))
      die_input ("%s: not valid LLVM bitcode", path);
    return m;
  }
  char *why = NULL;
  if (silently (LLVMParseIRInContext (context, buffer, &m, &why))) {
    why[strcspn (why, "\n")] = 0;
    die_input ("%s: not an LLVM module: %s", path, why);
  }
  return m;
}

static void verify (LLVMModuleRef m, const char *path) {
  char *why = NULL;
  if (LLVMVerifyModule (m, LLVMReturnStatusAction, &why)) {
    why[strcspn (why, "\n")] = 0;
    die_input ("%s: the LLVM module is not valid: %s", path, why);
  }
  LLVMDisposeMessage (why);
}

LLVMModuleRef module_read (LLVMContextRef context, Bytes bytes, const char *path) {
  reading = path;
  LLVMContextSetDiagnosticHandler (context, on_diagnostic, (void *)(uintptr_t)path);
  LLVMInstallFatalErrorHandler (on_fatal_error);
  watch_for_crashes (true);
  LLVMModuleRef m = parse (context, bytes, path);
  verify (m, path);
  watch_for_crashes (false);
  if (LLVMPointerSize (LLVMGetModuleDataLayout (m)) != 8)
    die_input ("%s: not a 64-bit target", path);
  return m;
}

static bool is_scope (LLVMValueRef i) { return is_intrinsic (i, "llvm.lifetime."); }

/* Whether mem2reg will make a register of it. */
static bool is_promotable (LLVMValueRef alloca) {
  LLVMTypeRef type = LLVMGetAllocatedType (alloca);
  for (LLVMUseRef u = LLVMGetFirstUse (alloca); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (is_scope (user)) continue;
    LLVMValueRef value = LLVMIsALoadInst (user)    ? user
                         : LLVMIsAStoreInst (user) ? LLVMGetOperand (user, 0)
                                                   : NULL;
    if (!value || value == alloca || LLVMTypeOf (value) != type || LLVMGetVolatile (user))
      return false;
  }
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
         kind == LLVMDoubleTypeKind;
}

/* Whether nothing but accesses to the object, or parts of it, is made of its address. */
static bool is_only_accessed (LLVMValueRef address) {
  for (LLVMUseRef u = LLVMGetFirstUse (address); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    bool is_part = LLVMIsAGetElementPtrInst (user) || LLVMIsABitCastInst (user);
    bool is_access = LLVMIsALoadInst (user) || LLVMIsAAtomicRMWInst (user) ||
                     LLVMIsAAtomicCmpXchgInst (user) || is_intrinsic (user, "llvm.memcpy") ||
                     is_intrinsic (user, "llvm.memset") || is_scope (user);
    if (LLVMIsAStoreInst (user)) is_access = LLVMGetOperand (user, 0) != address;
    if (!(is_part ? is_only_accessed (user) : is_access)) return false;
  }
  return true;
}

static LLVMValueRef build_unset (LLVMBuilderRef b, LLVMValueRef alloca) {
  LLVMValueRef undef = LLVMGetUndef (LLVMGetAllocatedType (alloca));
  return LLVMBuildStore (b, LLVMBuildFreeze (b, undef, ""), alloca);
}

/* Of a variable that cannot be known outside of its scope and is going to be a register: it is not
 * set where the scope begins. */
static void forget_scope (LLVMBuilderRef b, LLVMValueRef alloca, bool becomes_unset) {
  for (LLVMUseRef u = LLVMGetFirstUse (alloca), next; u; u = next) {
    next = LLVMGetNextUse (u);
    LLVMValueRef user = LLVMGetUser (u);
    if (!is_scope (user)) continue;
    LLVMPositionBuilderBefore (b, user);
    if (becomes_unset && is_intrinsic (user, "llvm.lifetime.start")) build_unset (b, alloca);
    LLVMInstructionEraseFromParent (user);
  }
}

/* Others keep it: what an array held in the last iteration of a loop is gone. */
static bool may_become_register (LLVMValueRef alloca) {
  LLVMTypeRef type = LLVMGetAllocatedType (alloca);
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  LLVMModuleRef m =
      LLVMGetGlobalParent (LLVMGetBasicBlockParent (LLVMGetInstructionParent (alloca)));
  return kind != LLVMArrayTypeKind && LLVMTypeIsSized (type) &&
         (kind != LLVMStructTypeKind || LLVMABISizeOfType (LLVMGetModuleDataLayout (m), type) <= 8);
}

static bool has_scope (LLVMValueRef alloca) {
  for (LLVMUseRef u = LLVMGetFirstUse (alloca); u; u = LLVMGetNextUse (u))
    if (is_scope (LLVMGetUser (u))) return true;
  return false;
}

/* mem2reg takes a variable that is set on one path only to be set on all. A freeze that it does not
 * see through stands for "not set"; the lowering makes an UNDEF of it. Nor does it see that a
 * variable is used out of its scope, once the pointer to it has become a register; so where that
 * can be, the variable stays in memory for the sake of a use that means nothing. */
static void prepare_locals (LLVMBuilderRef b, LLVMValueRef function) {
  if (!LLVMCountBasicBlocks (function)) return;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock (function);
  LLVMContextRef context = LLVMGetModuleContext (LLVMGetGlobalParent (function));
  for (LLVMValueRef i = LLVMGetFirstInstruction (entry), next; i; i = next) {
    next = LLVMGetNextInstruction (i);
    if (!LLVMIsAAllocaInst (i)) continue;
    bool is_register = is_promotable (i);
    if (is_only_accessed (i) && may_become_register (i)) forget_scope (b, i, is_register);
    LLVMPositionBuilderBefore (b, next = LLVMGetNextInstruction (i));
    if (has_scope (i)) LLVMBuildPtrToInt (b, i, LLVMInt64TypeInContext (context), "");
    if (is_register) build_unset (b, i);
  }
}

static void run_passes (LLVMModuleRef m, const char *passes, const char *path) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions ();
  LLVMErrorRef error = LLVMRunPasses (m, passes, NULL, options);
  if (error) die_input ("%s: %s", path, LLVMGetErrorMessage (error));
  LLVMDisposePassBuilderOptions (options);
}

/* Only locals whose address is not taken become registers. sroa and simplifycfg are left out on
 * purpose: the first narrows copies of shared structs to the fields that are used, the second
 * deletes paths with undefined behaviour; both would hide findings. Blocks that cannot be reached
 * are left out by the lowering. */
static void promote_locals (LLVMModuleRef m, const char *path) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext (LLVMGetModuleContext (m));
  for (LLVMValueRef f = LLVMGetFirstFunction (m); f; f = LLVMGetNextFunction (f))
    prepare_locals (b, f);
  LLVMDisposeBuilder (b);
  run_passes (m, "function(mem2reg)", path);
}

/* ---- std::atomic */

/* The headers of libstdc++ and libc++ whose functions are atomic operations, or compute orders. */
static bool is_header_of_atomics (const char *path, u32 length) {
  static const char *const tails[] = {"/atomic", "/bits/atomic_base.h"};
  Str s = {0};
  str_add_n (&s, path, length);
  bool found = strstr (s.text, "/__atomic/") != NULL;
  for (u32 i = 0; i < ARRAY_SIZE (tails) && !found; i++) found = ends_with (s.text, tails[i]);
  str_free (&s);
  return found;
}

static bool is_of_atomics (LLVMValueRef f) {
  LLVMMetadataRef program = LLVMGetSubprogram (f),
                  file = program ? LLVMDIScopeGetFile (program) : NULL;
  if (!file || LLVMIsDeclaration (f)) return false;
  unsigned length;
  const char *name = LLVMDIFileGetFilename (file, &length);
  return is_header_of_atomics (name, length);
}

static bool is_called_by_itself (LLVMValueRef f) {
  for (LLVMUseRef u = LLVMGetFirstUse (f); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (LLVMIsAInstruction (user) && LLVMGetBasicBlockParent (LLVMGetInstructionParent (user)) == f)
      return true;
  }
  return false;
}

/* x.load (std::memory_order_acquire) is a function that looks at an argument for its order. It
 * becomes what the same operation is in C: one instruction, of one order, where the program calls
 * it. Callees come first, so that an argument that is constant decides all that depends on it. */
static void inline_atomics (LLVMModuleRef m, const char *path) {
  LLVMContextRef context = LLVMGetModuleContext (m);
  unsigned always = LLVMGetEnumAttributeKindForName ("alwaysinline", 12),
           never = LLVMGetEnumAttributeKindForName ("noinline", 8);
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  bool found = false;
  for (LLVMValueRef f = LLVMGetFirstFunction (m); f; f = LLVMGetNextFunction (f)) {
    if (!is_of_atomics (f) || is_called_by_itself (f)) continue;
    LLVMRemoveEnumAttributeAtIndex (f, whole, never);
    LLVMAddAttributeAtIndex (f, whole, LLVMCreateEnumAttribute (context, always, 0));
    found = true;
  }
  if (!found) return;
  run_passes (m, "cgscc(inline<only-mandatory>)", path);
  promote_locals (m, path);
}

void module_tidy (LLVMModuleRef m, const char *path) {
  promote_locals (m, path);
  inline_atomics (m, path);
#if LLVM_VERSION_MAJOR == 19 || LLVM_VERSION_MAJOR == 20
  LLVMSetIsNewDbgInfoFormat (m, 0); /* the C API sees declarations of variables as calls only */
#endif
}
