"""Prints src/epsg.rs: which EPSG codes are geographic, in degrees. `pip install pyproj`, then `python epsg.py > src/epsg.rs`."""

from pyproj import CRS
from pyproj.database import get_database_metadata, query_crs_info


def is_in_degrees(code):
    crs = CRS.from_epsg(code)
    # Of a compound system, the first one is horizontal.
    horizontal = crs.sub_crs_list[0] if crs.is_compound else crs
    # Some are in grads.
    return horizontal.is_geographic and horizontal.axis_info[0].unit_name.startswith("degree")


codes = {int(crs.code) for crs in query_crs_info(auth_name="EPSG", allow_deprecated=True)}
codes = {code for code in codes if is_in_degrees(code)}
bounds = [code for code in range(min(codes), max(codes) + 2) if (code in codes) != (code - 1 in codes)]

print(f"""//! Which EPSG codes are systems of longitude and latitude in degrees. Made by `epsg.py` from EPSG
//! {get_database_metadata("EPSG.VERSION")}.

/// Whether coordinates of this code are degrees. Codes that are newer than the table are not.
pub(crate) fn is_in_degrees(code: u32) -> bool {{
    BOUNDS.partition_point(|bound| u32::from(*bound) <= code) % 2 == 1
}}

/// Where codes of degrees begin, where they end (the number after the last), and so on in turns.
const BOUNDS: [u16; {len(bounds)}] = {bounds};""")
