//! `quadrille near`: encounters of tracks in files.

use std::io::Write;
use std::path::PathBuf;

use crate::room::{Room, shared};

/// Two ships pass each other; fixes of either come at other times than those of the other. The third is far away.
const SHIPS: &str = "t,id,x,y\n0,A,0,0\n5,B,95,30\n10,A,100,0\n15,B,-5,30\n3,C,1000,0\n9,C,1000,9\n";
const HEADER: &str = "a,b,start,end,duration,closest_time,closest_distance\n";

fn room(name: &str) -> Room {
    Room::new(name).with("ships.csv", SHIPS)
}

#[test]
fn encounters_begin_and_end_between_fixes() {
    let room = room("near");
    let csv = room.good(&["near", "ships.csv", "--within", "50", "--out", "-"]);
    assert_eq!(csv, format!("{HEADER}A,B,5.25,9.25,4,7.25,30\n"));
    let figures = room.json(&["near", "ships.csv", "--within", "50", "--out", "met.ndjson"]);
    let lines = String::from_utf8(room.read("met.ndjson")).unwrap();
    assert_eq!(
        lines,
        "{\"a\":\"A\",\"b\":\"B\",\"start\":5.25,\"end\":9.25,\"duration\":4,\"closest_time\":7.25,\"closest_distance\":30}\n"
    );
    for (field, value) in [("tracks", 3), ("fixes", 6), ("pieces", 3), ("pairs", 1), ("encounters", 1)] {
        assert_eq!(figures[field], value, "{field}");
    }
    assert_eq!(figures["units"], "plane");
    assert_eq!(figures["taken"], "id from id, time from t (plain numbers), plane from x, y");
    assert!(["read", "find", "write"].iter().all(|part| figures["ms"][part].is_number()));
}

#[test]
fn the_report_tells_what_was_read_and_the_closest() {
    let report = room("near-report").good(&["near", "ships.csv", "--within", "50"]);
    for words in [
        "6 fixes in ships.csv (text with commas, header)",
        "1 of 1 pair of tracks, within 50",
        "1: A and B",
        "30",
        "7.25",
    ] {
        assert!(report.contains(words), "{words:?} is not in:\n{report}");
    }
    assert!(!report.contains("skipped"), "{report}");
}

#[test]
fn bare_numbers_are_told_with_the_units_they_were_taken_to_have() {
    let room = room("near-bare").with("dates.csv", "id,time,lon,lat\na,2024-05-01T00:00:00Z,8,47\n");
    let near =
        |file: &str, number: &str| room.good(&["near", file, "--within", number, "--max-gap", number, "--for", number]);
    for (file, number, [within, gap]) in [
        ("dates.csv", "15", ["15 m, for 15 s or longer", "15 s"]),
        ("dates.csv", "15m", ["15m, for 15m or longer", "15m"]),
        ("ships.csv", "15", ["15, for 15 or longer", "15"]),
    ] {
        let report = near(file, number);
        let told = [format!("within {within}"), format!("gaps longer than {gap} break them")];
        assert!(told.iter().all(|words| report.contains(words)), "{told:?} in {report}");
    }
}

#[test]
fn how_times_were_read_is_told_or_asked() {
    // On different days, if the dates count.
    let digits = "id,date,time,x,y\na,2024-07-30,061730,0,0\na,2024-07-30,061830,9,0\nb,2024-07-31,061730,0,0\n";
    let short = digits.replace("061730", "61730");
    let stamps = "id,time,x,y\na,20240730061730,0,0\na,20240730061830,60,0\nb,20240730061800,30,0\n";
    let zero =
        "id,t,lon,lat\nc,0,9,9\na,1722320263000,0,0\na,1722320563000,0,0\nb,1722320263000,0,0\nb,1722320563000,0,0\n";
    let room =
        Room::new("near-times").with("digits", digits).with("short", short).with("stamps", stamps).with("zero", zero);
    let room = room.with("plain", "id,t,lon,lat\na,45413.5,9,9\na,45413.6,9,9\n");
    let near = |file: &str, more: &[&str]| room.good(&[&["near", file, "--within", "1"], more].concat());
    assert!(near("digits", &[]).contains("time from date, time (HHMMSS of the day, taken as UTC)"));
    assert_eq!(near("digits", &["--out", "-"]), HEADER);
    room.bad(&["near", "short", "--within", "1"], &["line 2: time \"61730\"", "--time date+time", "--time time"]);
    assert!(near("stamps", &[]).contains("time from time (YYYYMMDDhhmmss, taken as UTC)"));
    assert!(near("stamps", &["--out", "-"]).contains("\na,b,2024-07-30T06:18:00.000,"));
    let days = "time from t (plain numbers, which may be days of a spreadsheet: --time-format days, taken as seconds)";
    assert!(near("plain", &[]).contains(days));
    let days = near("plain", &["--time-format", "days"]);
    assert!(days.contains("time from t (days of a spreadsheet, taken as UTC)") && days.contains("8,640 s"), "{days}");
    let report = near("zero", &["--max-gap", "10min"]);
    assert!(
        report.contains("time from t (milliseconds since 1970; 1 of 5 would be long before the others)"),
        "{report}"
    );
    assert!(report.contains("1: a and b"), "{report}");
}

#[test]
fn touching_the_limit_counts_and_short_encounters_need_not() {
    let room = room("near-limits");
    let count = |arguments: &[&str]| {
        room.json(&[&["near", "ships.csv", "--out", "met.csv"], arguments].concat())["encounters"].as_u64()
    };
    assert_eq!(count(&["--within", "30"]), Some(1), "an instant");
    assert_eq!(count(&["--within", "29.999999"]), Some(0));
    assert_eq!(count(&["--within", "50", "--for", "4"]), Some(1));
    assert_eq!(count(&["--within", "50", "--for", "4.1"]), Some(0));
    assert_eq!(count(&["--within", "50", "--max-gap", "9"]), Some(0), "both are nowhere between their fixes");
    assert_eq!(count(&["--within", "50", "--max-speed", "9"]), Some(0), "nobody is that fast");
}

#[test]
fn times_are_read_and_written_in_four_kinds() {
    let room = Room::new("near-times");
    let met = |header: &str, times: [&str; 4]| {
        let rows = ["A", "B", "A", "B"].iter().zip(times).zip(["0,0", "100,30", "100,0", "0,30"]);
        let rows: Vec<_> = rows.map(|((id, time), place)| format!("{id},{time},{place}\n")).collect();
        std::fs::write(room.path("f.csv"), format!("{header}\n{}", rows.concat())).unwrap();
        let csv = room.good(&["near", "f.csv", "--within", "50", "--for", "4s", "--out", "-"]);
        csv.lines().nth(1).unwrap().to_owned()
    };
    let iso = met(
        "mmsi,BaseDateTime,x,y",
        ["2024-05-01T00:00:00", "2024-05-01T00:00:00", "2024-05-01T00:00:10", "2024-05-01 00:00:10"],
    );
    assert_eq!(iso, "A,B,2024-05-01T00:00:03.000,2024-05-01T00:00:07.000,4,2024-05-01T00:00:05.000,30");
    let zones = met(
        "id,time,x,y",
        ["2024-05-01T00:00:00Z", "2024-05-01T02:00:00+02:00", "2024-05-01T00:00:10Z", "2024-04-30 20:00:10-0400"],
    );
    assert_eq!(zones, "A,B,2024-05-01T00:00:03.000Z,2024-05-01T00:00:07.000Z,4,2024-05-01T00:00:05.000Z,30");
    let seconds = met("id,epoch,x,y", ["1714521600", "1714521600", "1714521610", "1714521610"]);
    assert_eq!(seconds, "A,B,1714521603.000,1714521607.000,4,1714521605.000,30");
    let milliseconds = met("id,ts,x,y", ["1714521600000", "1714521600000", "1714521610000", "1714521610000"]);
    assert_eq!(milliseconds, "A,B,1714521603000,1714521607000,4,1714521605000,30");
}

#[test]
fn degrees_are_metres_and_units_are_understood() {
    // Two aircraft meet head-on over the antimeridian at 10 degrees north; one climbs through the height of the other.
    let fixes = "icao24,timestamp,longitude,latitude,altitude_ft\n\
                 a1,2024-05-01T00:00:00Z,179.9,10,30000\n\
                 a1,2024-05-01T00:10:00Z,-179.9,10,34000\n\
                 b2,2024-05-01T00:00:00Z,-179.9,10,32000\n\
                 b2,2024-05-01T00:10:00Z,179.9,10,32000\n";
    let room = Room::new("near-degrees").with("air.csv", fixes);
    let met = |arguments: &[&str]| {
        let csv = room.good(&[&["near", "air.csv", "--out", "-"], arguments].concat());
        csv.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let near = met(&["--within", "1nm", "--vertical", "1000ft"]);
    assert_eq!(near.len(), 1);
    let fields: Vec<_> = near[0].split(',').collect();
    assert_eq!(
        [fields[0], fields[1], fields[5], fields[6], fields[7]],
        ["a1", "b2", "2024-05-01T00:05:00.000Z", "0", "0"]
    );
    // 73 meters a second together; the heights would be within 1,000 feet for five minutes.
    let duration: f64 = fields[4].parse().unwrap();
    assert!((duration - 2.0 * 1852.0 / 73.1).abs() < 0.5, "{duration}");
    assert_eq!(met(&["--within", "1852m", "--vertical", "304.8m"]), near);
    assert_eq!(met(&["--within", "1852", "--vertical", "1000"]), near);
    // Both at the same time: within 100 feet for thirty seconds around the middle, within 5 nautical miles for longer.
    let low = met(&["--within", "5nm", "--vertical", "100ft"]);
    assert_eq!(low[0].split(',').nth(4), Some("30"));
    assert_eq!(met(&["--within", "5nm", "--max-gap", "9min"]), [""; 0]);
    assert_eq!(met(&["--within", "5nm", "--max-speed", "30m/s"]), [""; 0]);
    assert_eq!(met(&["--within", "5nm", "--max-speed", "80kn"]).len(), 1);
}

#[test]
fn gaps_are_bridged_when_asked() {
    // B is beside A, goes away for some time, and comes back.
    let fixes = "id,t,x,y\nA,0,0,0\nA,100,0,0\nB,0,0,1\nB,40,0,1\nB,50,0,11\nB,60,0,1\nB,100,0,1\n";
    let room = Room::new("near-gaps").with("f.csv", fixes);
    let met = |gap| room.good(&["near", "f.csv", "--within", "1", "--gap", gap, "--out", "-"]);
    assert_eq!(met("19.9"), format!("{HEADER}A,B,0,40,40,0,1\nA,B,60,100,40,60,1\n"));
    assert_eq!(met("20"), format!("{HEADER}A,B,0,100,100,0,1\n"));
}

#[test]
fn two_files_meet_each_other_only() {
    let boats = "mmsi,time,lon,lat\n1,2024-05-01T00:00:00Z,8,47\n1,2024-05-01T00:01:00Z,8.001,47\n2,2024-05-01T00:00:30Z,8,47\n";
    let whales = "tag;epoch;longitude;latitude\nmoby;1714521600;8;47,0001\nmoby;1714521660;8;47,0001\n";
    let room = Room::new("near-two").with("boats.csv", boats).with("whales.csv", whales);
    let arguments = ["near", "boats.csv", "whales.csv", "--within", "12m", "--id", "mmsi,tag", "--out", "-"];
    let csv = room.good(&arguments);
    let rows: Vec<_> = csv.lines().skip(1).map(|line| line.split(',').take(3).collect::<Vec<_>>()).collect();
    assert_eq!(rows, [["1", "moby", "2024-05-01T00:00:00.000Z"], ["2", "moby", "2024-05-01T00:00:30.000Z"]]);
    let swapped = ["near", "whales.csv", "boats.csv", "--within", "12m", "--id", "tag,mmsi", "--out", "-"];
    assert_eq!(room.good(&swapped).lines().nth(1).map(|line| line.starts_with("moby,1,1714521600.000,")), Some(true));
}

#[test]
fn two_files_agree_about_zones_unless_told() {
    let file = |time: &str| format!("id,t,x,y\na,{time},0,0\n");
    let mut room = Room::new("near-zones");
    let forms = [
        ("dates with a zone", "2024-05-01T02:00:00+02:00"),
        ("seconds since 1970", "1714521600"),
        ("dates without a zone", "2024-05-01T00:00:00"),
        ("dates without a zone", "20240501"),
    ];
    for (number, (_, time)) in forms.into_iter().enumerate() {
        room = room.with(&number.to_string(), file(time));
    }
    for (first, second) in (0..4).flat_map(|first| (0..4).map(move |second| (first, second))) {
        let files = [first, second].map(|number: usize| number.to_string());
        let near = ["near", &files[0], &files[1], "--within", "1"];
        assert_eq!(room.json(&[&near[..], &["--utc"]].concat())["encounters"], 1, "{files:?}");
        if (first < 2) == (second < 2) {
            assert_eq!(room.json(&near)["encounters"], 1, "{files:?}");
        } else {
            room.bad(&near, &[&files[0], &files[1], forms[first].0, forms[second].0, "--utc"]);
        }
    }
}

#[test]
fn what_takes_no_part_is_counted() {
    let fixes =
        "id,t,x,y,z\nA,0,0,0,1\nA,0,0,0,1\nA,0,5,0,1\nA,1,,0,1\nA,10,0,0,\nB,0,0,0,1\nB,1,1000,0,1\nB,2,0,0,1\n";
    let room = Room::new("near-skipped").with("f.csv", fixes);
    let arguments = ["near", "f.csv", "--within", "1", "--vertical", "10", "--max-speed", "100"];
    let skipped = &room.json(&arguments)["skipped"];
    let expected = [("incomplete", 1), ("repeated", 1), ("conflicting", 1), ("no_height", 1), ("too_fast", 1)];
    for (reason, count) in expected {
        assert_eq!(skipped[reason], count, "{reason}");
    }
    let report = room.good(&arguments);
    assert!(report.contains("1 too fast to be true"), "{report}");
}

#[test]
fn packed_files_and_standard_input_are_read() {
    let room = room("near-packed");
    let packed = {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(SHIPS.as_bytes()).unwrap();
        packer.finish().unwrap()
    };
    let room = room.with("ships.gz", packed);
    let plain = room.good(&["near", "ships.csv", "--within", "50", "--out", "-"]);
    assert_eq!(room.good(&["near", "ships.gz", "--within", "50", "--out", "-"]), plain);
    let file = std::fs::File::open(room.path("ships.csv")).unwrap();
    let output = room.command(&["near", "-", "--within", "50", "--out", "-"]).stdin(file).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), plain);
}

#[test]
fn ais_is_read_as_it_comes() {
    // Denmark's form: the day first, base stations without a place.
    let rows = "# Timestamp,Type of mobile,MMSI,Latitude,Longitude\n\
                01/02/2024 00:00:00,Class A,219000001,55.0,12.0\n\
                01/02/2024 00:00:00,Class A,219000002,55.0001,12.0\n\
                01/02/2024 00:00:05,Base Station,2190064,91.000000,0.000000\n\
                01/02/2024 00:00:10,Class A,219000001,55.0,12.0\n\
                01/02/2024 00:00:10,Class B,219000003,55.0,181\n\
                01/02/2024 00:00:10,Class A,219000002,55.0001,12.0\n";
    let last = "13/02/2024 00:00:20,Class A,219000002,55.0001,12.0\n";
    let room = Room::new("near-ais").with("day.csv", rows).with("days.csv", format!("{rows}{last}"));
    let given = ["--within", "20m", "--max-gap", "1min", "--out", "-"];
    let expected = ",2024-02-01T00:00:00.000,2024-02-01T00:00:10.000,10,2024-02-01T00:00:00.000,11.13";
    let of_day = [&["near", "day.csv", "--time-format", "%d/%m/%Y %H:%M:%S"][..], &given].concat();
    for arguments in [of_day.clone(), [&["near", "days.csv"][..], &given].concat()] {
        let csv = room.good(&arguments);
        assert!(csv.starts_with(&format!("{HEADER}219000001,219000002{expected}")), "{csv}");
    }
    room.bad(&[&["near", "day.csv"][..], &given].concat(), &["may begin with the day", "--time-format"]);
    assert_eq!(room.json(&of_day[..of_day.len() - 2])["skipped"]["unavailable"], 2);
    let report = room.good(&of_day[..of_day.len() - 2]);
    assert!(report.contains("2 at latitude 91 or longitude 181, which is what AIS sends for no position"), "{report}");
}

#[test]
fn rows_that_cannot_be_read_are_left_out_if_asked() {
    let room = Room::new("near-invalid").with("f.csv", format!("{SHIPS}noon,A,1,1\n7,A\n20,A,far,0\n"));
    room.bad(&["near", "f.csv", "--within", "50"], &["f.csv: line 8: t \"noon\" is not a number"]);
    let skipping = ["near", "f.csv", "--within", "50", "--skip-invalid"];
    assert_eq!(room.good(&[&skipping[..], &["--out", "-"]].concat()), format!("{HEADER}A,B,5.25,9.25,4,7.25,30\n"));
    assert_eq!(room.json(&skipping)["skipped"]["invalid"], 3);
    let report = room.good(&skipping);
    for words in ["3 that cannot be read", "the first: f.csv: line 8: t \"noon\" is not a number"] {
        assert!(report.contains(words), "{report}");
    }
}

#[test]
fn a_cut_file_is_refused_though_bad_rows_are_left_out() {
    let fix = |fix: u64| format!("{},{fix},{},{}\n", fix % 7, fix * 2_654_435_761 % 99_991, fix * 40_503 % 99_989);
    let fixes: String = (0..40_000).map(fix).collect();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(format!("id,t,x,y\n{fixes}").as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let room = Room::new("near-cut").with("cut.gz", &packed[..100_000]);
    let near = ["near", "cut.gz", "--within", "50", "--skip-invalid"];
    room.bad(&near, &["cut.gz: line ", "incomplete deflate stream"]);
}

#[test]
fn people_get_few_digits_and_dates_and_files_all() {
    let fixes = "id,timestamp,x,y\n3.3400000e+02,1533123663587,0,0\n3.3400000e+02,1533123673587,0.1,0\n\
                 3.3500000e+02,1533123663587,0,0.123456789\n3.3500000e+02,1533123673587,0.1,0.123456789\n";
    let room = Room::new("near-people").with("f.csv", fixes);
    let csv = room.good(&["near", "f.csv", "--within", "1", "--out", "-"]);
    let row = "3.3400000e+02,3.3500000e+02,1533123663587,1533123673587,10,1533123663587,0.123456789";
    assert_eq!(csv, format!("{HEADER}{row}\n"));
    let report = room.good(&["near", "f.csv", "--within", "1"]);
    for words in ["1: 334 and 335", "0.1235", "2018-08-01 11:41:03.587"] {
        assert!(report.contains(words), "{words} is not in {report}");
    }
}

#[test]
fn files_without_fixes_have_no_encounters() {
    let room = Room::new("near-empty").with("empty.csv", "").with("header.csv", "id,t,x,y\n");
    for file in ["empty.csv", "header.csv"] {
        assert_eq!(room.good(&["near", file, "--within", "1", "--out", "-"]), HEADER, "{file}");
        assert_eq!(room.json(&["near", file, "--within", "1"])["encounters"], 0);
        // Nothing says that it is a plane, or that times have no unit.
        let hourly = ["near", file, "--within", "500m", "--for", "2min", "--max-gap", "10min", "--max-speed", "60kn"];
        assert_eq!(room.good(&[&hourly[..], &["--out", "-"]].concat()), HEADER, "{file}");
    }
    let room = room.with("ship.csv", "mmsi,time,lon,lat,alt_ft\n7,2024-05-01T00:00:00Z,8,54,9\n");
    for files in [["empty.csv", "ship.csv"], ["ship.csv", "empty.csv"]] {
        let near = [&["near"], &files[..], &["--within", "500m", "--vertical", "9m", "--max-gap", "1min"]].concat();
        assert_eq!(room.json(&near)["tracks"], 1, "{files:?}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let room = room("near-bad")
        .with("lat.csv", "id,t,lon,lat\na,1,8,47\n\nb,2,8,92\n")
        .with("time.csv", "id,time,x,y\na,2024-05-01T00:00:00Z,8,47\nb,13/13/2024,8,91\n")
        .with("columns.csv", "name,when,where\na,1,2\n")
        .with("rows.csv", "id,name,t,x,y\n1,a,1,0,0\n2,a,2,0,0\n3,b,2,0,0\n")
        .with("either.csv", "id,t,x,y\na,01/02/2024 00:00:00,0,0\n")
        .with("a.gpx", "<?xml version='1.0'?><gpx></gpx>")
        .with("bare.txt", "1 2 3 4\n5 6 7 8\n")
        .with("twice.csv", "id,t,t,x,y\na,1,2,0,0\n")
        .with("places.csv", "id,t,x,y,x\na,1,2,0,0\n")
        .with("geo.json", "{\"type\":\"FeatureCollection\",\"features\":[]}")
        .with("calendar.csv", "id,time,x,y\na,2024-05-01T00:00:00Z,8,47\n")
        .with("degrees.csv", "id,t,lon,lat\na,1,8,47\n")
        .with("feet.csv", "id,t,x,y,alt_ft\na,1,8,47,100\n")
        .with("height.csv", "id,t,x,y,alt\na,1,8,47,100\n");
    let bad = |arguments: &[&str], told: &[&str]| {
        room.bad(&[&["near"], arguments].concat(), told);
        // Whatever was to be written is not there.
        room.bad(&[&["near", "--out", "met.csv", "--json", "figures.json"], arguments].concat(), told);
    };
    bad(&["none.csv", "--within", "1"], &["none.csv"]);
    bad(&["lat.csv", "--within", "1"], &["lat.csv: line 4: lat \"92\" is not a latitude"]);
    bad(&["time.csv", "--within", "1"], &["time.csv: line 3: time \"13/13/2024\" is not a time: a date is expected"]);
    bad(
        &["columns.csv", "--within", "1"],
        &["columns.csv: line 1: no column of", "\"name,when,where\"", "choose with"],
    );
    bad(&["twice.csv", "--within", "1"], &["twice.csv: line 1: columns 2 and 3 both have the name \"t\""]);
    bad(&["places.csv", "--within", "1"], &["places.csv: line 1: columns 3 and 5 both have the name \"x\""]);
    bad(&["ships.csv", "--within", "1", "--id", "mmsi"], &["no column \"mmsi\" among \"t,id,x,y\""]);
    bad(&["bare.txt", "--within", "1"], &["bare.txt: line 1: 4 columns without a header", "--id 1 --time 2"]);
    bad(&["geo.json", "--within", "1"], &["geo.json: no column of times", "among \"geometry\""]);
    bad(&["ships.csv"], &["--within"]);
    bad(&["rows.csv", "--within", "1"], &["rows.csv: each of 3 fixes has a track of its own: \"id\"", "--id"]);
    bad(
        &["either.csv", "--within", "1"],
        &["line 2: t \"01/02/2024 00:00:00\" may begin with", "--time-format '%d/%m/%Y"],
    );
    bad(
        &["either.csv", "--within", "1", "--time-format", "%Y"],
        &["t \"01/02/2024 00:00:00\" is not written as \"%Y\""],
    );
    bad(&["a.gpx", "--within", "1"], &["a.gpx: this is XML", "ogr2ogr -f GeoJSON out.geojson IN", "track_points"]);
    for within in ["-1", "-1m", "nan", "5 parsec", "five", ""] {
        bad(&["ships.csv", "--within", within], &["'--within <DISTANCE>'", within]);
    }
    bad(&["ships.csv", "--within", "1", "--for", "2fortnights"], &["'2fortnights'", "expected a duration"]);
    bad(&["ships.csv", "--within", "1", "--max-speed", "2c"], &["'2c'", "expected a speed"]);
    bad(&["ships.csv", "--within", "5nm"], &["--within 5nm: a plane has the units of the file"]);
    bad(&["ships.csv", "--within", "1", "--for", "2min"], &["--for 2min: the times in the file are plain numbers"]);
    bad(&["ships.csv", "--within", "1", "--max-speed", "2kn"], &["--max-speed 2kn"]);
    bad(&["ships.csv", "--within", "1", "--max-speed", "0"], &["the maximum speed is 0; it must be above zero"]);
    bad(&["ships.csv", "--within", "1", "--max-gap", "5", "--gap", "6"], &["the gap to bridge is 6"]);
    bad(&["degrees.csv", "--within", "1001km"], &["the distance is 1001000"]);
    bad(&["ships.csv", "--within", "1", "--vertical", "1"], &["no column of heights"]);
    bad(&["height.csv", "--within", "1", "--vertical", "9ft"], &["--vertical 9ft", "does not give its unit"]);
    bad(&["feet.csv", "height.csv", "--within", "1", "--vertical", "9"], &["feet.csv are feet", "height.csv"]);
    bad(&["ships.csv", "calendar.csv", "--within", "1"], &["times of ships.csv are plain numbers", "ISO 8601"]);
    bad(&["ships.csv", "degrees.csv", "--within", "1"], &["coordinates of ships.csv", "degrees; use --units"]);
    bad(&["ships.csv", "--within", "1", "--id", "id,id"], &["--id names 2 columns for 1 file"]);
    bad(&["ships.csv", "--within", "1", "--header", "yes,no"], &["--header names 2 answers for 1 file"]);
    let swapped = ["degrees.csv", "--within", "1", "--x", "lat", "--y", "lon"];
    bad(&swapped, &["degrees.csv: line 1: lat is to be x", "--units plane"]);
    room.good(&[&["near"], &swapped[..], &["--units", "plane"]].concat());
    bad(&["-", "-", "--within", "1"], &["only one file can be standard input"]);
    bad(&["ships.csv", "--within", "1", "--x", "x"], &["--y"]);
    room.bad(&["near", "ships.csv", "--within", "1", "--out", "ships.csv"], &["ships.csv", "is an input"]);
    room.bad(&["near", "ships.csv", "--within", "1", "--out", "-", "--json", "-"], &["standard output"]);
    let json = room.run(&["near", "ships.csv", "--within", "1", "--out", "met.json"]);
    let told = String::from_utf8_lossy(&json.stderr);
    assert!(told.contains(".json is not supported") && !told.contains("--format"), "{told}");
}

fn data(file: &str) -> Option<PathBuf> {
    shared(&format!("tracks/{file}"))
}

/// Encounters, pairs and tracks.
fn counts(room: &Room, arguments: &[&str]) -> [u64; 3] {
    let figures = room.json(&[&["near"], arguments].concat());
    ["encounters", "pairs", "tracks"].map(|field| figures[field].as_u64().unwrap())
}

/// A day over Switzerland. Flat maps have 442 pairs, in two ways. One that is true to scale at the mean latitude lacks
/// a pair 28 meters within the limit. One that is true at 47 degrees has a pair 5.8 meters beyond it, and 442 if it
/// also misses the two that are 1,000 feet apart in height at a fix, and farther before and behind it.
#[test]
fn the_exact_answer_for_aircraft_over_switzerland() {
    let Some(path) = data("adsb_switzerland.csv") else { return };
    let room = Room::new("near-switzerland");
    let arguments = [path.to_str().unwrap(), "--within", "5nm", "--vertical", "1000ft", "--max-gap", "1min"];
    assert_eq!(counts(&room, &arguments), [448, 443, 842]);
    room.good(&[&["near"], &arguments[..], &["--out", "met.csv"]].concat());
    let csv = String::from_utf8(room.read("met.csv")).unwrap();
    let has = |one: &str, other: &str| csv.lines().any(|line| line.contains(one) && line.contains(other));
    assert!(!has("3c6628", "478771"), "9,265.8 meters apart");
    assert!(csv.contains("4400b5,4d00f4,1533130820000,1533130820000,0,1533130820000,1854.106,1000\n"), "an instant");
    assert!(has("3c4b45", "4ca1b9"), "an instant");
    assert!(has("3c0ac8", "485875"), "9,231.8 meters apart");
    assert_eq!(csv.lines().count(), 449);
}

#[test]
fn encounters_in_other_real_files() {
    let room = Room::new("near-real");
    if let Some(path) = data("ucy_students003.txt") {
        let columns = ["--time", "1", "--id", "2", "--x", "3", "--y", "4", "--within"];
        let people = [&[path.to_str().unwrap()], &columns[..]].concat();
        assert_eq!(counts(&room, &[&people[..], &["1"]].concat()), [1_462, 1_352, 434]);
        assert_eq!(counts(&room, &[&people[..], &["1", "--for", "100"]].concat())[2], 434);
    }
    if let Some(path) = data("liverpool_bus_route14_outbound.csv") {
        let arguments = [path.to_str().unwrap(), "--within", "50m", "--max-gap", "5min"];
        assert_eq!(counts(&room, &arguments), [27, 5, 8]);
    }
    if let Some(path) = data("adsb_zurich_ground.csv") {
        // They taxi on ten different days or hours.
        assert_eq!(counts(&room, &[path.to_str().unwrap(), "--within", "100km"]), [0, 0, 10]);
    }
}

#[test]
fn the_picture_shows_tracks_encounters_and_labels() {
    let room = room("near-picture").with("alone.csv", "id,t,lon,lat\na,1,8,47\n").with("none.csv", "id,t,x,y\n");
    let picture = |arguments: &[&str]| {
        room.good(&[&["near", "--png", "met.png"], arguments].concat());
        image::load_from_memory(&room.read("met.png")).unwrap().into_rgb8()
    };
    let ships = picture(&["ships.csv", "--within", "50"]);
    let has = |color: [u8; 3]| ships.pixels().any(|pixel| pixel.0 == color);
    // Thin lines have no pixel that is theirs alone.
    let is_bluish = |pixel: &image::Rgb<u8>| pixel.0[2] > pixel.0[0].saturating_add(15);
    assert_eq!(ships.width().max(ships.height()), 1600);
    assert!(has([0xD5, 0x5E, 0x00]), "where they met");
    assert!(ships.pixels().any(is_bluish), "where they went");
    assert!(has([0xFF, 0xFF, 0xFF]), "labels");
    for file in ["alone.csv", "none.csv"] {
        assert!(picture(&[file, "--within", "50"]).width() >= 600);
    }
    room.bad(&["near", "ships.csv", "--within", "50", "--png", "met.svg"], &["met.svg", "it is written as .png"]);
    // The picture is not torn at the antimeridian.
    let date_line = "id,t,lon,lat\na,0,179,0\na,1,-179,1\n";
    let room = Room::new("near-date-line").with("f.csv", date_line);
    room.good(&["near", "f.csv", "--within", "1km", "--png", "met.png"]);
    let way = image::load_from_memory(&room.read("met.png")).unwrap().into_rgb8();
    let inked = (0..way.width()).filter(|&x| (0..way.height()).any(|y| is_bluish(way.get_pixel(x, y))));
    assert!(inked.count() > 100);
}
