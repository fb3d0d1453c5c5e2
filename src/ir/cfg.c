#include "ir/ir_int.h"

/* Turns counts per block into start offsets; leaves start[n] as the total. */
static u32 *offsets (const u32 *counts, u32 n) {
  u32 *start = mem_alloc ((n + 1) * sizeof *start);
  start[0] = 0;
  for (u32 i = 0; i < n; i++) start[i + 1] = start[i] + counts[i];
  return start;
}

static void fill_preds (Cfg *c, u32 *next) {
  for (u32 b = 0; b < c->count; b++) next[b] = c->pred_start[b];
  for (u32 b = 0; b < c->count; b++)
    for (u32 k = c->succ_start[b]; k < c->succ_start[b + 1]; k++) c->pred[next[c->succ[k]]++] = b;
}

void cfg_init (Cfg *c, Function *f) {
  BlockRefs targets = {0};
  VEC (u32) succ = {0};
  u32 n = c->count = f->blocks.size;
  u32 *out = mem_zalloc (n * sizeof *out), *in = mem_zalloc (n * sizeof *in);
  for (u32 b = 0; b < n; b++) {
    insn_targets (f, &f->code.data[f->blocks.data[b].end - 1], &targets);
    out[b] = targets.size;
    for (u32 k = 0; k < targets.size; k++) {
      in[*targets.data[k]]++;
      vec_push (&succ, *targets.data[k]);
    }
  }
  c->succ_start = offsets (out, n);
  c->pred_start = offsets (in, n);
  c->succ = succ.data;
  c->pred = mem_alloc (succ.size * sizeof *c->pred);
  fill_preds (c, in);
  mem_free (out);
  mem_free (in);
  vec_free (&targets);
}

void cfg_done (Cfg *c) {
  mem_free (c->succ_start);
  mem_free (c->succ);
  mem_free (c->pred_start);
  mem_free (c->pred);
}
