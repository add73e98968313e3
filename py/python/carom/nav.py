"""Ways on grids and meshes, and flow fields, by arrays.

Cells are (x, y) with (0, 0) at the lower left; arrays of a map have shape (height, width), so the
cell (x, y) is `array[y, x]`.

    from carom import nav

    grid = nav.Grid.parse("..........\\n..####....\\n......#...\\n")
    cells = grid.path((0, 0), (9, 2))
"""

from ._carom import Flow, Grid, Mesh, Way

__all__ = ["Flow", "Grid", "Mesh", "Way"]
