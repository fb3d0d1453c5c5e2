/* reader.h - from text to terms: tokens, syntax trees, errors. */
#ifndef PORF_CAT_READER_H
#define PORF_CAT_READER_H

#include "models/cat/algebra.h"

#include <setjmp.h>

typedef struct Source {
  char *path; /* as shown */
  char *text; /* terminated */
  size_t size;
  bool is_builtin;
} Source;

/* A stretch of a source. */
typedef struct Place {
  u32 source, at, length;
} Place;

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_KEYWORD,
  TOKEN_STRING, /* without the quotes */
  TOKEN_TAG,    /* 'name */
  TOKEN_SIGN,
} TokenKind;

typedef struct Token {
  TokenKind kind;
  Place place;
  const char *text;
} Token;

/* A function or procedure that is being expanded, and what for. */
typedef struct Call {
  Place place;
  const struct Call *outer;
} Call;

/* Memory of one reading. */
typedef struct Chunk {
  struct Chunk *next;
} Chunk;

typedef struct Reader {
  CatModel *m;
  VEC (Source) sources;
  VEC (Token) tokens; /* of the source that is being cut up */
  Chunk *chunks;
  Str *error;
  jmp_buf *failed;
  Term initial_order;      /* co0: between the initial and the final writes and the others */
  u32 steps, includes;     /* used up; there is a limit, so that every reading ends */
  bool has_halves;         /* the model mentions the halves of read-modify-writes */
  bool has_sets_of_sets;   /* that is why the reading ended */
  u32 depth;               /* of expressions, calls and includes */
  const struct Call *call; /* that is being expanded, or NULL */
} Reader;

enum { STEPS_MAX = 100000, DEPTH_MAX = 200, INCLUDES_MAX = 64 };

void reader_init (Reader *r, CatModel *m, Str *error);
void reader_done (Reader *r);
/* Copies the text. */
u32 reader_add_source (Reader *r, const char *path, const char *text, size_t size, bool is_builtin);

void *reader_alloc (Reader *r, size_t size);
char *reader_strndup (Reader *r, const char *text, size_t n);
/* Shows the message with the line and what to look at in it, and ends the reading. `help` is one
 * more line, or NULL. */
NORETURN void reader_fail (Reader *r, Place p, const char *help, const char *format, ...)
    PRINTF (4, 5);
void reader_count (Reader *r, Place p); /* one step */
u32 place_line (const Reader *r, Place p);
Place place_join (Place a, Place b);
char *place_text (const Reader *r, Place p); /* on one line; the caller's */

typedef enum AstKind {
  AST_NAME,
  AST_EMPTY, /* 0, {} */
  AST_ALL,   /* _ */
  AST_OR,
  AST_AND,
  AST_MINUS,
  AST_SEQ,
  AST_CROSS,
  AST_PLUS,
  AST_STAR,
  AST_OPT,
  AST_INVERSE,
  AST_NOT,
  AST_SET_ID,
  AST_TUPLE,
  AST_APPLY, /* a to b */
  AST_LET,   /* bindings in a */
  AST_LET_REC,
  AST_FUN, /* one binding without a name */
  AST_TRY, /* a, or b if a has unknown names */
} AstKind;

typedef struct Ast Ast;

typedef struct Names {
  const char **data; /* NULL for _ */
  u32 size;
} Names;

typedef struct Binding {
  Place place;
  Names names; /* of the function, or what is bound */
  bool is_function, is_tuple;
  Names formals;
  bool formals_are_tuple;
  Ast *body;
} Binding;

typedef struct Bindings {
  Binding *data;
  u32 size;
} Bindings;

struct Ast {
  AstKind kind;
  Place place, sign; /* all of it; the operator */
  const char *name;
  Ast *a, *b;
  Ast **items;
  u32 count;
  Bindings bindings;
};

typedef enum StatementKind {
  ST_LET,
  ST_LET_REC,
  ST_CHECK,
  ST_INCLUDE,
  ST_PROCEDURE,
  ST_CALL,
  ST_WITH, /* name from expression */
  ST_SHOW, /* expression as name */
} StatementKind;

typedef struct Statement Statement;
typedef struct Statements {
  Statement *data;
  u32 size;
} Statements;

struct Statement {
  StatementKind kind;
  Place place;
  Bindings bindings;
  const char *name; /* of a check (or NULL), a procedure, a variable, a file */
  Place name_place;
  Ast *expression;
  ClaimOp claim;
  bool is_negated, forbids, is_undefined;
  Names formals;
  bool formals_are_tuple;
  Statements body;
};

/* Tokens of a source, ended by TOKEN_END; statements of a source. */
Token *cat_lex (Reader *r, u32 source);
Statements cat_parse (Reader *r, u32 source, char **title);
/* The same; false if the source computes with sets of relations. */
bool cat_can_parse (Reader *r, u32 source, Statements *list);

/* The text of a file that is built in, or NULL. `generates`: elsewhere a file of that name computes
 * all orders of writes, which are part of an execution here. */
const char *library_find (const char *name, bool *generates);
extern const char library_prelude[];

#endif
