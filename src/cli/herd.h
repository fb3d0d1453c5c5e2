/* herd.h - outcomes of litmus tests in the layout of herd's logs. */
#ifndef PORF_HERD_H
#define PORF_HERD_H

#include "core/outcome.h"
#include "core/result.h"
#include "litmus/litmus.h"

/* For ObserverOptions: names what the test observes, hides the rest. */
void herd_name_column (void *litmus, Column *c);

/* Of settled outcomes under one model. */
void herd_log (const Litmus *l, const Outcomes *o, const Result *result, Str *out);

#endif
