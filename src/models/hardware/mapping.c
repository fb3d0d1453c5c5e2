#include "models/hardware/mapping.h"

typedef struct HardwareInfo {
  const char *text;
  u8 target, step;
} HardwareInfo;

static const HardwareInfo hardware[] = {
    {"", TARGET_COUNT, 0},
#define HARDWARE(target, name, text, step, doc) {text, TARGET_##target, step},
#include "models/hardware/hardware.def"
};

static const char *const targets[] = {
#define TARGET(name, text, title) text,
#include "models/hardware/hardware.def"
};

static const char *const ops[] = {"load", "store", "rmw", "cas", "fail", "fence"};

const char *target_name (Target t) { return targets[t]; }
const char *hardware_name (Hardware h) { return hardware[h].text; }

Order hardware_order (Hardware h) {
  if (hardware[h].target != TARGET_IMM) return ORD_RLX;
  const char *suffix = strchr (hardware[h].text, '.') + 1;
  u32 o = 0;
  while (strcmp (order_name ((Order)o), suffix)) o++;
  return (Order)o;
}

static bool map_op_has_order (MapOp op, Order order) {
  switch (op) {
  case MAP_LOAD:
    return order == ORD_SC || !order_is_release (order);
  case MAP_STORE:
    return order != ORD_ACQ && order != ORD_ACQ_REL;
  case MAP_RMW:
  case MAP_CAS:
    return order != ORD_NA;
  case MAP_FAIL:
    return order == ORD_RLX || order == ORD_ACQ || order == ORD_SC;
  case MAP_FENCE:
    return order > ORD_RLX;
  case MAP_OPS:
    break;
  }
  BUG ("operation");
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct Word {
  const char *start;
  size_t length;
} Word;

typedef struct Reader {
  Mapping *m;
  const char *line_start, *at, *line_end;
  u32 line;
  MapError *error;
} Reader;

static bool word_is (Word w, const char *text) {
  return strlen (text) == w.length && !memcmp (w.start, text, w.length);
}

static bool fail (Reader *r, Word w, const char *format, ...) PRINTF (3, 4);
static bool fail (Reader *r, Word w, const char *format, ...) {
  va_list ap;
  *r->error = (MapError){.line = r->line,
                         .column = 1 + (u32)(w.start - r->line_start),
                         .length = w.length ? (u32)w.length : 1};
  va_start (ap, format);
  vsnprintf (r->error->message, sizeof r->error->message, format, ap);
  va_end (ap);
  return false;
}

/* For messages: a word of any bytes, cut where it gets long. */
typedef struct Quoted {
  char text[40];
} Quoted;
static Quoted quoted (Word w) {
  Quoted q = {0};
  for (size_t i = 0; i < w.length && i + 1 < sizeof q.text; i++)
    q.text[i] = w.start[i] > ' ' && w.start[i] < 127 ? w.start[i] : '?';
  return q;
}

static bool is_blank (char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_mark (char c) { return c == '=' || c == ',' || c == '#'; }

/* The next word of the line, "=" and "," being words of their own; empty at its end. */
static Word next_word (Reader *r) {
  while (r->at < r->line_end && is_blank (*r->at)) r->at++;
  Word w = {r->at, 0};
  if (r->at == r->line_end || *r->at == '#') return w;
  if (*r->at == '=' || *r->at == ',')
    r->at++;
  else
    while (r->at < r->line_end && !is_blank (*r->at) && !is_mark (*r->at)) r->at++;
  w.length = (size_t)(r->at - w.start);
  return w;
}

/* "R W ctrl sync": what stands in rows of a target. */
static void list_hardware (Target t, Str *out) {
  for (u32 h = 1; h < HW_COUNT; h++)
    if (hardware[h].target == t) str_printf (out, "%s ", hardware[h].text);
  str_add (out, "ctrl none");
}

static bool fail_unknown (Reader *r, Word w) {
  Str known = {0};
  list_hardware (r->m->target, &known);
  fail (r, w, "`%s` is not an event of %s, which has %s", quoted (w).text, targets[r->m->target],
        known.text);
  str_free (&known);
  return false;
}

static bool read_target (Reader *r, Word w) {
  if (!word_is (w, "target"))
    return fail (r, w, "a mapping begins with a line such as `target %s`", targets[0]);
  w = next_word (r);
  for (u32 t = 0; t < TARGET_COUNT; t++) {
    if (!word_is (w, targets[t])) continue;
    r->m->target = (Target)t;
    w = next_word (r);
    return !w.length || fail (r, w, "unexpected `%s`", quoted (w).text);
  }
  Str all = {0};
  for (u32 t = 0; t < TARGET_COUNT; t++) str_printf (&all, "%s%s", t ? ", " : "", targets[t]);
  if (w.length)
    fail (r, w, "unknown target `%s`; there are %s", quoted (w).text, all.text);
  else
    fail (r, w, "a target is missing here; there are %s", all.text);
  str_free (&all);
  return false;
}

/* "na,rlx =" */
static bool read_orders (Reader *r, MapOp op, u32 *set) {
  *set = 0;
  for (;;) {
    Word w = next_word (r);
    u32 o = 0;
    while (o <= ORD_SC && !word_is (w, order_name ((Order)o))) o++;
    if (!w.length || word_is (w, "=") || word_is (w, ","))
      return fail (r, w, "a memory order is missing here: na, rlx, acq, rel, acq_rel or sc");
    if (o > ORD_SC)
      return fail (r, w, "`%s` is not a memory order: na, rlx, acq, rel, acq_rel or sc",
                   quoted (w).text);
    if (!map_op_has_order (op, (Order)o))
      return fail (r, w, "a %s cannot be %s", ops[op], order_name ((Order)o));
    if (r->m->rows[op][o].line)
      return fail (r, w, "`%s %s` has a row already, on line %u", ops[op], order_name ((Order)o),
                   r->m->rows[op][o].line);
    if (*set >> o & 1) return fail (r, w, "`%s` appears here twice", order_name ((Order)o));
    *set |= 1u << o;
    w = next_word (r);
    if (word_is (w, "=")) return true;
    if (!word_is (w, ",")) return fail (r, w, "`=` and the events are missing here");
  }
}

static bool read_step (Reader *r, Word w, MapRow *row) {
  MapStep step = {STEP_CTRL, HW_NONE};
  if (!word_is (w, "ctrl")) {
    u32 h = 1;
    while (h < HW_COUNT && (hardware[h].target != r->m->target || !word_is (w, hardware[h].text)))
      h++;
    if (h == HW_COUNT) return fail_unknown (r, w);
    step = (MapStep){hardware[h].step, (u8)h};
  }
  if (row->count == MAP_STEPS) return fail (r, w, "more than %u events", MAP_STEPS);
  row->steps[row->count++] = step;
  return true;
}

static u32 count_steps (const MapRow *row, StepKind kind) {
  u32 n = 0;
  for (u32 i = 0; i < row->count; i++) n += row->steps[i].kind == kind;
  return n;
}

static u32 find_step (const MapRow *row, StepKind kind) {
  u32 i = 0;
  while (i < row->count && row->steps[i].kind != kind) i++;
  return i;
}

/* A row has the accesses that its operation makes, in their order. */
static bool check_row (Reader *r, Word at, MapOp op, const MapRow *row) {
  bool reads = op == MAP_LOAD || op == MAP_RMW || op == MAP_CAS ||
               (op == MAP_FAIL && count_steps (row, STEP_READ));
  bool writes = op == MAP_STORE || op == MAP_RMW || op == MAP_CAS;
  if (count_steps (row, STEP_READ) != reads)
    return fail (r, at, reads ? "a %s reads once" : "a %s reads nothing", ops[op]);
  if (count_steps (row, STEP_WRITE) != writes)
    return fail (r, at, writes ? "a %s writes once" : "a %s writes nothing", ops[op]);
  if (reads && writes && find_step (row, STEP_WRITE) < find_step (row, STEP_READ))
    return fail (r, at, "a %s reads before it writes", ops[op]);
  for (u32 i = find_step (row, STEP_READ); reads && writes && i < find_step (row, STEP_WRITE); i++)
    if (row->steps[i].kind == STEP_FENCE)
      return fail (r, at, "no fence can stand between the read and the write of a %s", ops[op]);
  if (count_steps (row, STEP_CTRL) && find_step (row, STEP_CTRL) < find_step (row, STEP_READ))
    return fail (r, at, "`ctrl` needs a read before it, on which what follows depends");
  return true;
}

static bool read_row (Reader *r, Word w) {
  u32 op = 0, orders;
  while (op < MAP_OPS && !word_is (w, ops[op])) op++;
  if (op == MAP_OPS)
    return fail (r, w, "`%s` is not an operation: load, store, rmw, cas, fail or fence",
                 quoted (w).text);
  if (!read_orders (r, (MapOp)op, &orders)) return false;
  MapRow row = {.line = r->line};
  Word first = next_word (r), last = first;
  if (!first.length) return fail (r, first, "events are missing here, or `none`");
  bool is_none = word_is (first, "none");
  for (w = is_none ? next_word (r) : first; w.length; w = next_word (r)) {
    if (is_none) return fail (r, w, "`none` must stand alone");
    if (!read_step (r, w, &row)) return false;
    last = w;
  }
  first.length = (size_t)(last.start + last.length - first.start);
  if (!check_row (r, first, (MapOp)op, &row)) return false;
  for (u32 o = 0; o <= ORD_SC; o++)
    if (orders >> o & 1) r->m->rows[op][o] = row;
  return true;
}

static bool check_complete (Reader *r) {
  Mapping *m = r->m;
  Word end = {r->line_start, 0};
  for (u32 op = 0; op < MAP_OPS; op++)
    for (u32 o = 0; o <= ORD_SC; o++) {
      if (!map_op_has_order ((MapOp)op, (Order)o) || m->rows[op][o].line) continue;
      if (op == MAP_FAIL) continue;
      if (op != MAP_CAS)
        return fail (r, end, "there is no row for `%s %s`", ops[op], order_name ((Order)o));
      m->rows[op][o] = m->rows[MAP_RMW][o];
    }
  return true;
}

bool mapping_read (Mapping *m, const char *text, size_t size, MapError *error) {
  *m = (Mapping){.target = TARGET_COUNT};
  Reader r = {.m = m, .error = error, .line_end = text};
  const char *end = text + size;
  for (const char *next = text; next < end; next = r.line_end + 1) {
    r.line++;
    r.line_start = r.at = next;
    r.line_end = memchr (next, '\n', (size_t)(end - next));
    if (!r.line_end) r.line_end = end;
    Word w = next_word (&r);
    if (!w.length) continue;
    if (!(m->target == TARGET_COUNT ? read_target (&r, w) : read_row (&r, w))) return false;
  }
  r.line++;
  r.line_start = end;
  if (m->target == TARGET_COUNT) return read_target (&r, (Word){end, 0});
  return check_complete (&r);
}

/* ---- writing --------------------------------------------------------------------------------- */

void mapping_say_error (const char *file, const char *text, size_t size, const MapError *e,
                        Str *out) {
  str_printf (out, "%s:%u:%u: error: %s\n", file, e->line, e->column, e->message);
  const char *end = text + size, *line = text, *stop;
  for (u32 n = 1; n < e->line && line < end; n++) {
    const char *newline = memchr (line, '\n', (size_t)(end - line));
    line = newline ? newline + 1 : end;
  }
  if (line >= end) return; /* what is wrong is what is not there */
  stop = memchr (line, '\n', (size_t)(end - line));
  size_t length = (size_t)((stop ? stop : end) - line);
  if (length > 200) length = 200;
  str_add (out, "  ");
  for (size_t i = 0; i < length; i++)
    str_printf (out, "%c", line[i] >= ' ' && line[i] < 127 ? line[i] : line[i] == '\t' ? ' ' : '?');
  if (e->column > length + 1) {
    str_add (out, "\n");
    return;
  }
  str_printf (out, "\n  %*s", (int)e->column - 1, "");
  for (u32 i = 0; i < e->length && (i == 0 || e->column + i <= length); i++) str_add (out, "^");
  str_add (out, "\n");
}

void mapping_print (const Mapping *m, Str *out) {
  str_printf (out, "target %s\n", targets[m->target]);
  for (u32 op = 0; op < MAP_OPS; op++)
    for (u32 o = 0; o <= ORD_SC; o++) {
      const MapRow *row = &m->rows[op][o];
      if (!map_op_has_order ((MapOp)op, (Order)o)) continue;
      str_printf (out, "%-5s %-7s =", ops[op], order_name ((Order)o));
      for (u32 i = 0; i < row->count; i++)
        str_printf (out, " %s",
                    row->steps[i].kind == STEP_CTRL ? "ctrl"
                                                    : hardware[row->steps[i].hardware].text);
      str_add (out, row->count ? "\n" : " none\n");
    }
}

/* ---- what there is --------------------------------------------------------------------------- */

/* What kind of step an event is, as a constant. */
enum {
#define HARDWARE(target, name, text, step, doc) STEP_OF_##target##_##name = step,
#include "models/hardware/hardware.def"
};

#define S(target, name) {STEP_OF_##target##_##name, HW_##target##_##name}
#define CTRL {STEP_CTRL, HW_NONE}
#define STEPS(...)                                                                                 \
  {.steps = {__VA_ARGS__}, .count = sizeof ((MapStep[]){__VA_ARGS__}) / sizeof (MapStep), .line = 1}

#define MAPPING(id, text, to) const Mapping mapping_##id = {.target = TARGET_##to, .rows = {
#define ROWS(op, first, last, ...) [MAP_##op][ORD_##first... ORD_##last] = STEPS (__VA_ARGS__),
#define UPDATES(...) ROWS (RMW, __VA_ARGS__) ROWS (CAS, __VA_ARGS__)
#define END_MAPPING                                                                                \
  }                                                                                                \
  }                                                                                                \
  ;
#include "models/hardware/mapping.def"
#undef MAPPING
#undef ROWS
#undef UPDATES
#undef END_MAPPING

static const struct {
  const char *name;
  const Mapping *mapping;
} known[] = {
#define MAPPING(id, text, to) {text, &mapping_##id},
#define ROWS(...)
#define UPDATES(...)
#define END_MAPPING
#include "models/hardware/mapping.def"
};

const char *mapping_name (u32 i) { return i < ARRAY_SIZE (known) ? known[i].name : NULL; }

bool mapping_find (const char *name, Mapping *m) {
  for (u32 i = 0; i < ARRAY_SIZE (known); i++) {
    if (strcmp (known[i].name, name)) continue;
    *m = *known[i].mapping;
    return true;
  }
  return false;
}
