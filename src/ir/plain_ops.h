/* plain_ops.h - for use inside a switch over Op: `case` labels for every op that is not FORM_OTHER.
 *
 * These share one shape, so a switch handles them together and lists only the others; a new op of
 * FORM_OTHER is then a compile error wherever it is not handled. No include guard: it is included
 * once a switch.
 */
#define CASE_FORM_BIN(name) case OP_##name:
#define CASE_FORM_UN(name) case OP_##name:
#define CASE_FORM_CAST(name) case OP_##name:
#define CASE_FORM_FCMP(name) case OP_##name:
#define CASE_FORM_SELECT(name) case OP_##name:
#define CASE_FORM_OTHER(name)
#define OP(name, text, form, doc) CASE_##form (name)
#include "ir/ops.def"
#undef OP
#undef CASE_FORM_BIN
#undef CASE_FORM_UN
#undef CASE_FORM_CAST
#undef CASE_FORM_FCMP
#undef CASE_FORM_SELECT
#undef CASE_FORM_OTHER
case OP_COUNT:
