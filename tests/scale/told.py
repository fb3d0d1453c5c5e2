"""What a run of porf says, without what may vary from run to run."""

import json

VARY = ["seconds", "peak_bytes", "instructions", "resumes", "memo_hits", "tasks", "task_bytes", "moved", "moved_bytes",
        "questions", "restarts", "known_cores", "push_checks", "push_passes", "push_searches", "push_retries"]


def told(output):
    """What a run says, without what may vary; None if it says nothing."""
    try:
        document = json.loads(output)
    except ValueError:
        return None
    for one in document if isinstance(document, list) else [document]:
        for key in VARY:
            one.pop(key, None)
    return document
