"""Wilson's interval of a share: it stays between nothing and all, and means something for few cases."""

import math
from typing import Any, cast

from scipy import special

_Z = float(cast("Any", special).ndtri(0.975))


def wilson_interval(share: float, count: int) -> tuple[float, float]:
    """Ends of the 95 % interval of a share (0 to 1) of so many independent cases; NaN without cases."""
    if not count:
        return math.nan, math.nan
    middle = share + _Z**2 / (2 * count)
    reach = _Z * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    scale = 1 + _Z**2 / count
    return max((middle - reach) / scale, 0.0), min((middle + reach) / scale, 1.0)
