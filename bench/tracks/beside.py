"""Pairs of aircraft within 5 nautical miles and 1,000 feet, as others find them.

    python beside.py scipy FILE          a k-d tree for each time step (needs scipy, pandas)
    python beside.py traffic FILE COUNT  `closest_point_of_approach` of the first COUNT aircraft (needs traffic)
    python beside.py movingpandas FILE MINUTES  who is where every ten seconds of the first MINUTES (needs movingpandas, pyproj)

FILE has the columns timestamp_ms, icao24, longitude, latitude, altitude_ft.
"""

import sys

import numpy as np
import pandas as pd

DISTANCE = 5 * 1852.0
HEIGHT = 1000.0


def by_time_steps(fixes):
    """Sees what is near at a fix, and nothing between; all fixes are at the same whole ten seconds."""
    from scipy.spatial import cKDTree

    middle = np.radians(fixes.latitude.mean())
    fixes["x"] = np.radians(fixes.longitude) * np.cos(middle) * 6_371_008.8
    fixes["y"] = np.radians(fixes.latitude) * 6_371_008.8
    pairs = set()
    for _, step in fixes.groupby("timestamp_ms"):
        ids, heights = step.icao24.to_numpy(), step.altitude_ft.to_numpy()
        near = cKDTree(step[["x", "y"]].to_numpy()).query_pairs(DISTANCE, output_type="ndarray")
        near = near[np.abs(heights[near[:, 0]] - heights[near[:, 1]]) <= HEIGHT]
        pairs.update(tuple(sorted((ids[a], ids[b]))) for a, b in near)
    return pairs


def by_traffic(fixes, count):
    from pyproj import Proj
    from traffic.core import Traffic

    chosen = fixes.icao24.drop_duplicates().head(count)
    fixes = fixes[fixes.icao24.isin(chosen)].rename(columns={"altitude_ft": "altitude"})
    fixes = fixes.assign(timestamp=pd.to_datetime(fixes.timestamp_ms, unit="ms", utc=True), callsign=fixes.icao24, flight_id=fixes.icao24)
    flights = Traffic(fixes)
    projection = Proj(proj="lcc", lat_1=46, lat_2=48, lat_0=47, lon_0=8, ellps="WGS84")
    found = flights.closest_point_of_approach(
        lateral_separation=DISTANCE, vertical_separation=HEIGHT, projection=projection, round_t="10s"
    )
    if found is None:
        return set()
    close = found.data.query("lateral <= @DISTANCE and vertical <= @HEIGHT")
    return {tuple(sorted(pair)) for pair in zip(close.icao24_x, close.icao24_y)}


def by_moving_pandas(fixes, minutes):
    """It has no encounters: asks where all tracks are, time by time, and joins those places."""
    from movingpandas import ObservationGapSplitter, TrajectoryCollection

    fixes = fixes.assign(time=pd.to_datetime(fixes.timestamp_ms, unit="ms"))
    fixes = fixes[fixes.time < fixes.time.min() + pd.Timedelta(minutes=minutes)]
    tracks = TrajectoryCollection(fixes, traj_id_col="icao24", t="time", x="longitude", y="latitude", crs="EPSG:4326")
    tracks = ObservationGapSplitter(tracks).split(gap=pd.Timedelta(minutes=1))
    pairs = set()
    for time in sorted(fixes.time.unique()):
        seen = tracks.get_locations_at(pd.Timestamp(time)).to_crs("EPSG:32632")
        ids, heights = seen.icao24.to_numpy(), seen.altitude_ft.to_numpy()
        a, b = seen.sindex.query(seen.geometry, predicate="dwithin", distance=DISTANCE)
        near = (ids[a] < ids[b]) & (np.abs(heights[a] - heights[b]) <= HEIGHT)
        pairs.update(zip(ids[a[near]], ids[b[near]]))
    return pairs


def main():
    how, path = sys.argv[1:3]
    fixes = pd.read_csv(path)
    if how == "scipy":
        pairs = by_time_steps(fixes)
    elif how == "traffic":
        pairs = by_traffic(fixes, int(sys.argv[3]))
    else:
        pairs = by_moving_pandas(fixes, float(sys.argv[3]))
    print(len(pairs), "pairs")


main()
