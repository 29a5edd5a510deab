"""The figures of docs/choosing.md: `quadrille bench` in every scene and on three files, the median of three runs.

    python bench/choosing.py QUADRILLE FOLDER

FOLDER has the boxes of buildings, roads and postal areas that the page names. Rows of CSV.
"""

import json
import statistics
import subprocess
import sys

SCENES = ["uniform", "mixed", "clustered", "still", "pile", "fps-uniform", "fps-sphere", "fps-skewed"]
FILES = {"buildings": "boulder_buildings_bbox.csv", "roads": "tiger_primaryroads_boxes.csv", "postal-areas": "tiger_zcta510_boxes.csv"}
RUNS = 3


def measured(program, name, *options):
    """The rows of one scene or file: nanoseconds and bytes per box, by operation and structure."""
    runs = [json.loads(subprocess.check_output([program, "bench", *options, "--json", "-"], stderr=subprocess.DEVNULL)) for _ in range(RUNS)]
    boxes, rows = runs[0]["boxes"], [{row["index"]: row for row in run["rows"]} for run in runs]
    for operation in runs[0]["rows"][0]["ms"]:
        for structure, row in rows[0].items():
            if row["ms"][operation] is not None:
                time = statistics.median(run[structure]["ms"][operation] for run in rows)
                print(f"{operation},{name},{boxes},{structure},{time * 1e6 / boxes:.3f},{row['bytes'] / boxes:.1f}", flush=True)


program, folder = sys.argv[1:]
print("operation,scene,boxes,structure,ns_per_box,bytes_per_box")
for scene in SCENES:
    measured(program, scene, "--scene", scene)
for name, file in FILES.items():
    measured(program, name, "--boxes", f"{folder}/{file}", "--steps", "5")
