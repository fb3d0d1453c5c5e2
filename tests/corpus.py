"""tests/run as a module: it knows what the heads of the programs ask for."""

import importlib.machinery
import importlib.util
import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATHS = ["tests/litmus", "tests/xmm", "tests/bugs", "tests/programs", "tests/structures", "tests/faulty", "bench",
         "bench/machine", "tests/machine/programs", "examples", "examples/explain"]


def corpus():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run")
    loader = importlib.machinery.SourceFileLoader("corpus_run", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("corpus_run", loader))
    loader.exec_module(module)
    return module


def lines_of(paths, without=frozenset()):
    """A name, the model, porf's options and the rest from the file on, for each program, model and set of macros.

    Options in `without`, and those that name an engine, are left out."""
    module = corpus()
    seen = set()
    for path in module.collect([os.path.join(ROOT, p) for p in paths])[0]:
        runs, flags = module.parse_head(path)
        for run in runs:
            if run.is_slow or run.culprit or run.model in module.MACHINE:
                continue
            line = module.command(["porf"], run, flags)[1:]
            at = line.index(run.path)
            options = tuple(w for w in line[:at] if w not in without and not w.startswith("--engine="))
            if (options, *line[at:]) not in seen:
                seen.add((options, *line[at:]))
                yield run.name(), run.model, list(options), line[at:]
