#include "session/words.h"

void words_split (const char *text, Words *out) {
  for (const char *s = text;;) {
    Str word = {0};
    char quote = 0;
    s += strspn (s, " \t\r\n");
    if (!*s) return;
    str_add (&word, "");
    for (; *s && (quote || !strchr (" \t\r\n", *s)); s++) {
      if (!quote && (*s == '"' || *s == '\'')) {
        quote = *s;
      } else if (*s == quote) {
        quote = 0;
      } else {
        if (*s == '\\' && quote != '\'' && s[1]) s++;
        str_add_n (&word, s, 1);
      }
    }
    vec_push (out, word.text);
  }
}

void words_free (Words *w) {
  for (u32 i = 0; i < w->size; i++) mem_free (w->data[i]);
  vec_free (w);
}
