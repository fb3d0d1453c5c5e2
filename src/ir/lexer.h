/* lexer.h - words, numbers and strings of the text form. Any error leaves through lex_fail (). */
#ifndef PORF_IR_LEXER_H
#define PORF_IR_LEXER_H

#include <setjmp.h>

#include "ir/ir.h"

typedef struct Lexer {
  const char *at, *end, *line_start;
  u32 line;
  char word[64]; /* of the last lex_word () */
  Str text;      /* of the last lex_string () */
  const char
      *token_start; /* for error positions: they point at the token that is wrong, not after it */
  u32 token_line;
  IrError *error;
  jmp_buf failed;
} Lexer;

void lex_init (Lexer *l, const char *text, size_t size, IrError *error);
void lex_done (Lexer *l);
NORETURN void lex_fail (Lexer *l, const char *format, ...) PRINTF (2, 3);

/* Blanks, line ends and comments are skipped before every token. */
char lex_peek (Lexer *l);      /* next character that is not blank; 0 at the end */
bool lex_same_line (Lexer *l); /* whether another token stands on this line */
bool lex_accept (Lexer *l, char c);
void lex_expect (Lexer *l, char c);
const char *
lex_word (Lexer *l,
          const char *what); /* "" is never returned: it fails, saying `what` was expected */
bool lex_accept_word (Lexer *l, const char *word);
void lex_expect_word (Lexer *l, const char *word);
const char *lex_string (Lexer *l);
u64 lex_number (Lexer *l, u64 max); /* unsigned, decimal or 0x */
u64 lex_integer (Lexer *l);         /* any 64-bit integer, maybe with a sign, as two's complement */
u32 lex_indexed (Lexer *l, char letter, u64 max); /* r12, b3, ... */
u32 lex_word_index (Lexer *l, const char *digits,
                    u64 max); /* the number inside a word that was read */

#endif
