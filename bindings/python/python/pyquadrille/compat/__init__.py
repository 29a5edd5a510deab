"""Other packages' classes over pyquadrille, so that an import line is all that changes.

`STRtree` has the methods of shapely's, `KDTree` those of scipy's in two dimensions. They are for trying pyquadrille in code that
uses these; `pyquadrille.Index` itself takes whole arrays and does more.
"""

from ._kdtree import KDTree
from ._strtree import STRtree

__all__ = ["KDTree", "STRtree"]
