"""Pictures of the vision world for training environments: from folders of `tolman render`, else rendered."""

import os
from pathlib import Path

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.protocol.picture_marks import PictureKey
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureRenderer, check_renderer
from tolman.env.options import EnvironmentOptions
from tolman.render.stored_pictures import FOLDERS_VARIABLE


def prepare(options: EnvironmentOptions) -> None:
    """Check that pictures can be made, before the first one is; the folder of the options is used from now on."""
    if options.pictures:
        folders = os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep)
        if (own := str(Path(options.pictures))) not in folders:
            os.environ[FOLDERS_VARIABLE] = os.pathsep.join(filter(None, (own, *folders)))
    check_renderer(options.protocol)


def picture_file(case: Case, options: EnvironmentOptions, key: PictureKey) -> bytes:
    """The PNG file of a picture; rendered if it is neither in a folder nor in the cache."""
    return PictureRenderer(case, options.protocol).png(key)
