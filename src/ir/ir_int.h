/* ir_int.h - what only the files of src/ir share. */
#ifndef PORF_IR_INT_H
#define PORF_IR_INT_H

#include "ir/ir.h"

enum {
#define ORDER(name, text) +1
  ORDER_COUNT = 0
#include "core/order.def"
  ,
#undef ORDER
#define RMW(name, text) +1
  RMW_COUNT = 0
#include "core/rmw.def"
#undef RMW
};

/* Bounds on what the reader accepts, so that no text can ask for absurd amounts of memory. */
#define MAX_REGS (1u << 20)
#define MAX_ARGS 65535u

/* Where ir_check found fault. insn is ~0u when the whole item is meant. */
typedef enum SiteKind { SITE_NONE, SITE_FUNCTION, SITE_GLOBAL, SITE_TYPE } SiteKind;
typedef struct Site {
  SiteKind kind;
  u32 index, insn;
} Site;
bool ir_check_at (const Program *p, Str *why, Site *site);

/* insn.c: facts about instructions. */
typedef VEC (Operand *) OperandRefs;
int builtin_params (Builtin b); /* -1: any number */
bool builtin_has_result (Builtin b);
bool builtin_returns (Builtin b);
bool op_is_terminator (Op op);
bool op_has_result (Op op);
bool insn_is_pure (
    const Insn *i); /* may be dropped when the result is not read: no effect, no finding */
void insn_operands (Function *f, Insn *i,
                    OperandRefs *out); /* the operands that hold values; out is overwritten */

/* Bodies are rewritten by building a second one and swapping it in. */
void body_emit (Function *out, const Function *from, const Insn *i);
void body_replace (Function *f, Function *out); /* takes code, blocks, args and cases of `out` */

/* Blocks that may run after the block which ends in `i`, as references that can be redirected. */
typedef VEC (u32 *) BlockRefs;
void insn_targets (Function *f, Insn *i, BlockRefs *out);

/* link.c */
void ir_stub_declarations (Program *p);
void body_call (Function *body, u32 callee, u32 pos); /* without arguments, at the end */

/* conventions.c. Abort is the end of the program, not a finding: everywhere, or as an assumption. */
void ir_follow_conventions (Program *p);
void ir_end_by_abort (Program *p, Function *f, bool everywhere);

/* cfg.c: who jumps to whom. Successors of block b are succ[succ_start[b]] up to succ[succ_start[b +
 * 1]]. */
typedef struct Cfg {
  u32 count;
  u32 *succ_start, *succ, *pred_start, *pred;
} Cfg;
void cfg_init (Cfg *c, Function *f);
void cfg_done (Cfg *c);

/* normalise.c: drops unreachable code and what an earlier ir_prepare put in, numbers registers
 * densely, and gives the function an entry block that is no jump target. Every instruction then
 * owns its arguments and cases. */
void ir_normalise (Function *f);

/* weak.c: weak compare-exchanges may fail for no reason. */
void ir_weaken (Program *p, Function *f);

/* promote.c: turns stack objects that are only accessed as a whole into registers. */
void ir_promote (Program *p, Function *f);

/* dead.c: drops computations whose result reaches no effect, also around loops. */
void ir_drop_dead (Function *f);

/* loops.c: puts a SPIN at every loop head and resets its shadows on every way into the loop. */
void ir_mark_loops (Program *p, Function *f, bool find_spin_loops);

/* compact.c: gives registers that are never live together the same number. */
void ir_compact (Function *f);

/* livemap.c: fills live_after. */
void ir_map_live (Function *f);

/* liveness.c. A unit is what gets a place in the frame: one register, or all the shadows of one
 * SPIN. */
typedef struct Units {
  u32 count;
  u32 *of;    /* by register */
  u32 *first; /* by unit: its first register */
  u32 *size;  /* by unit: how many registers */
} Units;
void units_init (Units *u, const Function *f);
void units_done (Units *u);

/* What an instruction writes: nothing, a part of a unit (the rest stays alive), or all of it. */
typedef enum DefKind { DEF_NONE, DEF_PART, DEF_ALL } DefKind;
DefKind insn_def (const Units *u, const Insn *i, u32 *unit);

/* Units live at the start of block b: live[start[b]] up to live[start[b + 1]], in ascending
 * order. */
typedef struct Liveness {
  u32 *start, *live;
} Liveness;
bool liveness_init (Liveness *l, Function *f, const Cfg *c,
                    const Units *u); /* false: too much to hold */
void liveness_done (Liveness *l);

/* The body of a function of ir_parse_library, if it was not read yet. */
void ir_read_body (Program *p, u32 function);

/* words.c: what the program is started with. */
void ir_set_words (Program *p, const IrWords *words);
void ir_set_environment (Program *p, const IrWords *variables);

#endif
