"""tests/run as a module: it knows what the heads of the programs ask for."""

import importlib.machinery
import importlib.util
import os


def corpus():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run")
    loader = importlib.machinery.SourceFileLoader("corpus_run", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("corpus_run", loader))
    loader.exec_module(module)
    return module
