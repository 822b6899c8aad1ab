"""Pictures from logs: what a model was shown in a scene of the vision world."""

from inspect_ai.log import EvalSample, read_eval_log_sample

from tolman.benchmarks.theory_of_space.picture_log import pictures_in
from tolman.benchmarks.theory_of_space.picture_marks import Key
from tolman.report.log_files import SampleAddress

_READ = {"id", "epoch", "input", "target", "events", "attachments"}
_UNREAD = set(EvalSample.model_fields) - _READ


def read_pictures(at: SampleAddress) -> dict[Key, bytes]:
    """The files of all pictures that were sent; none where the log is gone, damaged, or of an older version."""
    try:
        sample = read_eval_log_sample(str(at.log), at.sample, at.epoch, exclude_fields=_UNREAD)
        return pictures_in(sample.events, sample.attachments)
    except Exception:  # whatever a damaged file makes its readers raise
        return {}
