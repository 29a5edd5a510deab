"""Encounters of tracks are solved for in continuous time."""

import importlib.util
from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pyquadrille as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

# Two ships pass each other; fixes of either come at other times than those of the other.
SHIPS: dict[str, Any] = {"id": ["B", "A", "B", "A"], "t": [5, 0, 15, 10], "x": [95, 0, -5, 100], "y": [30, 0, 30, 0]}


def test_encounters_begin_and_end_between_fixes() -> None:
    found = pq.encounters(**SHIPS, within=50)
    assert list(found) == ["a", "b", "start", "end", "closest_time", "closest_distance"]
    assert {name: column.tolist() for name, column in found.items()} == {
        "a": ["A"], "b": ["B"], "start": [5.25], "end": [9.25], "closest_time": [7.25], "closest_distance": [30.0],
    }
    assert pq.encounters(**SHIPS, within=29.9)["a"].size == 0
    assert pq.encounters(**SHIPS, within=50, lasting=4.1)["a"].size == 0
    assert pq.encounters(**SHIPS, within=50, max_gap=9)["a"].size == 0
    assert pq.encounters(**SHIPS, within=50, max_speed=9)["a"].size == 0


def test_dates_come_back_as_dates() -> None:
    dates = np.datetime64("2024-05-01T12:00:00", "ms") + np.array(SHIPS["t"]) * np.timedelta64(1000, "ms")
    found = pq.encounters(**{**SHIPS, "t": dates}, within=50, gap=1)
    assert found["start"].dtype == "datetime64[us]"
    assert found["start"][0] == np.datetime64("2024-05-01T12:00:05.250")
    assert found["closest_time"][0] == np.datetime64("2024-05-01T12:00:07.250")


def test_dates_far_from_now_stay_what_they_are() -> None:
    times = np.array(["2300-01-01T00:00:00", "2300-01-01T00:01:00"] * 2, dtype="M8[s]")
    met = pq.encounters(["a", "a", "b", "b"], times, [0.0, 9, 1, 9], [0.0] * 4, within=2)
    assert met["start"][0] == times[0] and met["end"][0] == times[1]
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    zoned = pandas.Series(times).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    assert pq.encounters(["a", "a", "b", "b"], zoned, [0.0, 9, 1, 9], [0.0] * 4, within=2)["start"][0] == times[0]


def test_times_of_every_kind() -> None:
    """Datetimes and texts, with a time zone and without; those with one come back in UTC."""
    summer = timezone(timedelta(hours=2))
    seconds = [int(t) for t in SHIPS["t"]]
    plain = [datetime(2024, 5, 1, 12) + timedelta(seconds=t) for t in seconds]
    zoned = [datetime(2024, 5, 1, 14, tzinfo=summer) + timedelta(seconds=t) for t in seconds]
    kinds: list[Any] = [plain, zoned, [str(t) for t in plain], [t.isoformat() for t in zoned], [f"{t} UTC" for t in plain],
                        [t.isoformat() + "Z" for t in plain], np.array([t.isoformat() for t in plain])]
    if has("pandas"):
        pandas: Any = importlib.import_module("pandas")
        kinds += [pandas.Series(plain), pandas.Series(zoned), pandas.DatetimeIndex(zoned), pandas.Series(zoned).astype(object),
                  pandas.Series([t.isoformat() for t in zoned])]
    for times in kinds:
        found = pq.encounters(**{**SHIPS, "t": times}, within=50)
        assert found["start"].dtype == "datetime64[us]"
        assert found["start"].tolist() == [datetime(2024, 5, 1, 12, 0, 5, 250_000)], times


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def test_large_numbers_as_ids_stay_apart() -> None:
    ids = [2**63 + 1, 5, 2**63, 5]
    met = pq.encounters(ids, [0, 0, 0, 1], [0.0] * 4, [0.0] * 4, within=1)
    assert list(zip(met["a"].tolist(), met["b"].tolist(), strict=True)) == [(5, 2**63), (5, 2**63 + 1), (2**63, 2**63 + 1)]


def test_heights_count_at_the_same_time() -> None:
    times, x, y, heights = [0, 10, 0, 10], [-10, 10, 0, 0], [3, 3, 0, 0], [400.0, -100.0, 0.0, 0.0]
    found = pq.encounters([1, 1, 2, 2], times, x, y, heights, within=5, vertical=100)
    assert (found["start"].tolist(), found["end"].tolist()) == ([6.0], [7.0])
    assert found["closest_vertical"].tolist() == [100.0]
    assert pq.encounters([1, 1, 2, 2], times, x, y, heights, within=5)["start"].tolist() == [3.0]


def test_degrees_are_meters_across_the_antimeridian() -> None:
    found = pq.encounters([1, 1, 2, 2], [0, 600, 0, 600], [179.9, -179.9, -179.9, 179.9], [10.0] * 4, within=500, units="degrees")
    assert found["closest_time"].tolist() == pytest.approx([300.0])
    assert found["closest_distance"].tolist() == pytest.approx([0.0], abs=1e-6)


fix = st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(-8, 8), st.integers(-8, 8))


@given(st.lists(fix, max_size=30), st.integers(0, 6))
def test_what_is_within_at_a_whole_time_is_in_an_encounter(fixes: list[tuple[int, int, int, int]], within: int) -> None:
    first = {(track, time): (x, y) for track, time, x, y in reversed(fixes)}
    columns = np.array([(track, time, *place) for (track, time), place in first.items()], dtype=float).reshape(-1, 4).T
    found = pq.encounters(columns[0].astype(int), *columns[1:], within=within)
    spans = list(zip(found["a"], found["b"], found["start"], found["end"], strict=True))
    ways = {track: sorted((t, *place) for (one, t), place in first.items() if one == track) for track, _ in first}
    for a in ways:
        for b in (b for b in ways if b > a):
            [one, other] = [np.array(ways[track], dtype=float).T for track in (a, b)]
            for time in range(int(max(one[0][0], other[0][0])), int(min(one[0][-1], other[0][-1])) + 1):
                away = [np.interp(time, one[0], one[axis]) - np.interp(time, other[0], other[axis]) for axis in (1, 2)]
                distance = np.hypot(*away)
                met = any((a, b) == span[:2] and span[2] - 1e-9 <= time <= span[3] + 1e-9 for span in spans)
                assert met == (distance <= within) or abs(distance - within) < 1e-9


def test_mistakes_are_named() -> None:
    def wrong(error: type[Exception], told: str, **changed: Any) -> None:
        with pytest.raises(error, match=told):
            pq.encounters(**{"within": 1, **SHIPS, **changed})

    wrong(ValueError, "fix 0: time is 1714564800000; with degrees, times are in seconds", t=[1_714_564_800_000] * 4, y=[0] * 4, units="degrees")
    wrong(ValueError, "fix 1: x is NaN", x=[0, np.nan, 1, 2])
    wrong(ValueError, "there are 3 values of y, but 4 fixes have a track", y=[0, 1, 2])
    wrong(ValueError, "there are 3 times, but 4 fixes have a track", t=[0, 1, 2])
    wrong(ValueError, "the distance is -1", within=-1)
    wrong(ValueError, 'no kind of coordinates is named `miles`; there are: plane degrees', units="miles")
    wrong(ValueError, "a vertical limit needs heights", vertical=1)
    wrong(ValueError, "`x` must have one dimension", x=[[0, 1, 2, 3]])
    wrong(ValueError, "`t`, row 0: 'a' is not a time", t=["a", "b", "c", "d"])
    wrong(ValueError, "`t`, row 2: None is not a time: leave such rows out", t=[0, 1, None, 3])
    wrong(ValueError, "`t`, row 1: None is not a time", t=["2024-05-01", None, "2024-05-01", "2024-05-02"])
    wrong(ValueError, "`t`, row 2: '2024-05-01T00:00Z' has a time zone, unlike the rows before it",
          t=["2024-05-01", "2024-05-01", "2024-05-01T00:00Z", "2024-05-02"])
    wrong(ValueError, "`id`, row 2: None is not an id", id=["A", "B", None, "A"])
    wrong(ValueError, "`id`, row 1: .*nan.* is not an id", id=[1.0, np.nan, 1.0, 2.0])
    wrong(TypeError, "`id` has values that cannot be compared with each other: int and str", id=np.array(["A", 1, "B", 2], dtype=object))
    wrong(TypeError, "`x` is object; real numbers are needed", x=[0, None, 1, 2])
    wrong(TypeError, "`y` is <U1; real numbers are needed", y=["0", "1", "2", "3"])
    wrong(ValueError, "row 1: the time is missing .NaT.", t=np.array(["2024-05-01", "NaT", "2024-05-01", "2024-05-02"], dtype="datetime64[s]"))
