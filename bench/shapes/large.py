"""Single shapes of a million edges beside shapely (GEOS): points in an island, two coasts that cross, an island and the sea around it.

    pip install shapely
    cargo build --release -p quadrille-shapes --example beside
    python bench/shapes/large.py target/release/examples/beside

Coasts are circles whose radius is a random walk, with 2^20 corners. Processor time of the query alone, the mean of a fifth of a second; GEOS
prepares the first shape within it.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy
import shapely

from beside import mean, text

CORNERS = 1 << 20


def coast(random, middle):
    frequencies = numpy.fft.rfftfreq(CORNERS, 1 / CORNERS)
    frequencies[0] = 1
    waves = random.normal(size=(2, len(frequencies))) * frequencies**-1.1
    walk = numpy.fft.irfft(waves[0] + 1j * waves[1], CORNERS)
    radius = 1 + 0.5 * walk / numpy.abs(walk).max()
    angle = numpy.arange(CORNERS) / CORNERS * 2 * numpy.pi
    corners = numpy.column_stack([middle[0] + radius * numpy.cos(angle), middle[1] + radius * numpy.sin(angle)])
    return numpy.vstack([corners, corners[:1]])


def main(program):
    random = numpy.random.default_rng(7)
    one, other = coast(random, (0, 0)), coast(random, (0.31, 0.17))
    island = shapely.Polygon(one)
    begun_elsewhere = shapely.Polygon(numpy.vstack([one[CORNERS // 3 : -1], one[: CORNERS // 3 + 1]]))
    sea = shapely.Polygon([(-3, -3), (3, -3), (3, 3), (-3, 3)], [one])
    points = shapely.points(random.uniform(-1.5, 1.5, (1_000_000, 2)))
    coasts = [shapely.LineString(one), shapely.LineString(other)]
    asked = [
        ("an island", "a million points", "contains", [island], points),
        ("a coast", "another", "crosses", coasts[:1], coasts[1:]),
        ("an island", "the sea around it", "touches", [island], [sea]),
        ("an island", "the same from another corner", "covers", [island], [begun_elsewhere]),
        ("an island", "the same from another corner", "equals", [island], [begun_elsewhere]),
    ]
    print("first,second,query,pairs,shapely_ms,quadrille_ms,times_as_fast")
    with tempfile.TemporaryDirectory() as folder:
        for first, second, query, a, b in asked:
            files = [pathlib.Path(folder) / name for name in "ab"]
            for file, shapes in zip(files, (a, b)):
                file.write_text("\n".join(map(text, shapes)) + "\n")

            def theirs():
                shapely.destroy_prepared(a[0])
                shapely.prepare(a[0])
                return int(numpy.sum(getattr(shapely, query)(a[0], b)))

            ms, count = mean(theirs)
            run = subprocess.run([program, *files, query], capture_output=True, text=True, check=True)
            head, *lines = run.stdout.splitlines()
            assert len(lines) == count, (query, len(lines), count)
            own = float(head.split()[0])
            print(f"{first},{second},{query},{count},{ms:.1f},{own:.1f},{ms / own:.1f}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
