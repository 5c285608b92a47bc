near("solve", own("solve")[0]["contribution"], truth["solve"])
expect(own("omp parallel"), "the wait at the region's end is not seen")
near("relax_cell, on another thread", blamed("relax_cell"), truth["relax_cell_share"], 0.08)
