/* library.c - what every model can use, and files that models include by name. co and fr are part
 * of an execution here, so the files that generate them elsewhere are empty. */
#include "models/cat/reader.h"

const char library_prelude[] = "let emptyset = domain 0\n"
                               "let po-loc = po & loc\n"
                               "let rfi = rf & int\n"
                               "let rfe = rf & ext\n"
                               "let coi = co & int\n"
                               "let coe = co & ext\n"
                               "let fri = fr & int\n"
                               "let fre = fr & ext\n"
                               "let ca = fr | co\n"
                               "let co0 = loc & ((IW * (W \\ IW)) | ((W \\ FW) * FW))\n"
                               "let invrf = rf^-1\n"
                               "let amo = [AMO]; rmw\n"
                               "let lxsx = rmw \\ amo\n"
                               "let sm = id\n"
                               "let si = id\n"
                               "let toid (s) = [s]\n"
                               "let fencerel (f) = po; [f]; po\n"
                               "let ctrlcfence (c, f) = c; [f]; po\n"
                               "let imply (a, b) = ~a | b\n"
                               "let nodetour (a, b, c) = a \\ (b; c)\n"
                               "let singlestep (r) = nodetour (r, r, r)\n"
                               "let udr r = domain r | range r\n"
                               "let LKW = 0\n"
                               "let PTE = 0\n"
                               "procedure subseteq (a, b) = empty a \\ b end\n"
                               "procedure inclusion (a, b) = empty a \\ b end\n"
                               "procedure total (r, s) = empty (s * s) \\ (r | r^-1) end\n";

static const char fences_x86[] = "let mfence = fencerel (MFENCE)\n"
                                 "let lfence = fencerel (LFENCE)\n"
                                 "let sfence = fencerel (SFENCE)\n";

static const char fences_arm[] = "let dmb = fencerel (DMB)\n"
                                 "let dmb.st = fencerel (DMB.ST)\n"
                                 "let dmb.ish = fencerel (DMB.ISH)\n"
                                 "let dsb = fencerel (DSB)\n"
                                 "let dsb.st = fencerel (DSB.ST)\n"
                                 "let isb = fencerel (ISB)\n"
                                 "let ctrlisb = ctrlcfence (ctrl, ISB)\n";

static const char fences_power[] = "let sync = fencerel (SYNC)\n"
                                   "let lwsync = fencerel (LWSYNC)\n"
                                   "let eieio = fencerel (EIEIO)\n"
                                   "let isync = fencerel (ISYNC)\n"
                                   "let ctrlisync = ctrlcfence (ctrl, ISYNC)\n";

static const char fences_all[] = "include \"x86fences.cat\"\n"
                                 "include \"armfences.cat\"\n"
                                 "include \"ppcfences.cat\"\n";

/* A: the locked accesses of a processor, the atomic ones of C. */
static const char filters[] =
    "let A = X | A\n"
    "let P = M \\ A\n"
    "let WW (r) = r & (W * W)\nlet WR (r) = r & (W * R)\nlet WM (r) = r & (W * M)\n"
    "let RW (r) = r & (R * W)\nlet RR (r) = r & (R * R)\nlet RM (r) = r & (R * M)\n"
    "let MW (r) = r & (M * W)\nlet MR (r) = r & (M * R)\nlet MM (r) = r & (M * M)\n"
    "let AA (r) = r & (A * A)\nlet AP (r) = r & (A * P)\nlet PA (r) = r & (P * A)\n"
    "let PP (r) = r & (P * P)\nlet AM (r) = r & (A * M)\nlet MA (r) = r & (M * A)\n"
    "let noid (r) = r \\ id\n"
    "let atom = [A]\n";

/* Only atomic accesses are ordered. */
static const char c11_cos[] = "with mo from generate_orders (W & (A | IW), co0)\n"
                              "let moi = mo & int and moe = mo & ext\n"
                              "let co = mo and coi = moi and coe = moe\n"
                              "let fr = (invrf; mo) \\ id\n"
                              "let fri = fr & int and fre = fr & ext\n";

static const struct {
  const char *name, *text;
  bool generates;
} files[] = {
    {"stdlib.cat", "", true},
    {"cos.cat", "", true},
    {"cos-opt.cat", "", true},
    {"cos-no-opt.cat", "", true},
    {"cos-ok-opt.cat", "", true},
    {"cross.cat", "", true},
    {"c11_cos.cat", c11_cos, false},
    {"filters.cat", filters, false},
    {"x86fences.cat", fences_x86, false},
    {"armfences.cat", fences_arm, false},
    {"ppcfences.cat", fences_power, false},
    {"fences.cat", fences_all, false},
};

const char *library_find (const char *name, bool *generates) {
  for (u32 i = 0; i < ARRAY_SIZE (files); i++) {
    if (strcmp (files[i].name, name)) continue;
    *generates = files[i].generates;
    return files[i].text;
  }
  return NULL;
}
