/* propose.h - what the files share that propose edits: propose.c has the table of them. */
#ifndef PORF_REPAIR_PROPOSE_H
#define PORF_REPAIR_PROPOSE_H

#include "repair/edits/edit.h"

typedef struct Use { /* of a global atomic in the witness, after other threads were there */
  bool is_read, is_written;
} Use;

typedef struct Proposer {
  const Search *search;
  const Outline *outline;
  const Source *s; /* of it */
  Proposals *out;
  Use *uses; /* of outline->atomics */
  Roles roles;
  u32 kind;      /* of what is proposed, and where: see Proposal */
  const Body *b; /* where something is being proposed */
} Proposer;

/* The text is to take the place of what stands at `at`; where that is empty it is a statement. */
void PRINTF (3, 4) propose_text (Proposer *x, Span at, const char *format, ...);

char *propose_text_of (const Proposer *x, Span r);
bool propose_is_global (const Proposer *x, const char *name);
bool propose_is_truth (const Proposer *x, const char *name);

/* Locations of which atomic operations can be asked for here, among those that are wanted. */
bool propose_is_any (Use u);
void propose_locations_here (const Proposer *x, bool (*is_wanted) (Use u), Names *out);

void propose_try_to_lock (Proposer *x);
void propose_choose_lock (Proposer *x);
void propose_test_again (Proposer *x);
void propose_retry (Proposer *x);
void propose_take_turns (Proposer *x);
void propose_look_again (Proposer *x);
void propose_wait_for_unread (Proposer *x);
void propose_wait_for_all_unread (Proposer *x);
void propose_store_to_unwritten (Proposer *x);
void propose_call (Proposer *x);
void propose_one_more_round (Proposer *x);
void propose_change_constants (Proposer *x);
void propose_change_values (Proposer *x);
void propose_drop_operands (Proposer *x);
void propose_change_comparisons (Proposer *x);
void propose_undo (Proposer *x);
void propose_wait_for_used (Proposer *x);
void propose_assign (Proposer *x);
void propose_ask_too (Proposer *x);
void propose_wait_for_all_used (Proposer *x);
void propose_change_conditions (Proposer *x);
void propose_add_lock (Proposer *x);

#endif
