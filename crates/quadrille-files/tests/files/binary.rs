//! Binary files, written here as their formats say, and read back.

use std::io::Cursor;

use quadrille::Aabb;
use quadrille_files::{Choice, Error, Shapes, Source};
use quadrille_shapes::Part;

fn read(bytes: &[u8], keep: &[&str]) -> Result<Shapes, Error> {
    let keep = keep.iter().map(|name| (*name).to_owned()).collect();
    Shapes::from_source(Source::from_reader("f", Cursor::new(bytes.to_vec()))?, &Choice { keep, ..Choice::default() })
}

/// The header of a shapefile's main file or index that goes on for this many bytes.
fn shape_header(bytes: usize) -> Vec<u8> {
    let words = u32::try_from((100 + bytes) / 2).unwrap();
    [&[0, 0, 0x27, 0x0A][..], &[0; 20], &words.to_be_bytes(), &1_000_u32.to_le_bytes(), &[0; 68]].concat()
}

/// A record of a shapefile.
fn record(number: u32, content: &[u8]) -> Vec<u8> {
    let words = u32::try_from(content.len() / 2).unwrap();
    [&number.to_be_bytes()[..], &words.to_be_bytes(), content].concat()
}

/// A shapefile's main file.
fn main_file(records: &[Vec<u8>]) -> Vec<u8> {
    let records = records.concat();
    [shape_header(records.len()), records].concat()
}

/// A shapefile's index: where records are.
fn index_file(places: &[usize]) -> Vec<u8> {
    let places = places.iter().flat_map(|place| [u32::try_from(place / 2).unwrap().to_be_bytes(), [0; 4]]);
    let places = places.collect::<Vec<_>>().concat();
    [shape_header(places.len()), places].concat()
}

/// A shapefile's main file of a polygon, nothing, and a point.
fn shapefile() -> Vec<u8> {
    let content = |kind: u32, numbers: &[f64], more: usize| {
        let numbers = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        [kind.to_le_bytes().to_vec(), numbers, vec![0xAB; more]].concat()
    };
    let contents = [content(5, &[0.0, 1.0, 2.0, 3.0], 60), content(0, &[], 0), content(11, &[7.0, 8.0], 16)];
    main_file(&(1..).zip(contents).map(|(number, content)| record(number, &content)).collect::<Vec<_>>())
}

#[test]
fn a_shapefile_has_a_box_a_shape() {
    let shapes = read(&shapefile(), &[]).unwrap();
    assert_eq!(shapes.boxes, [Aabb::new([0.0, 1.0], [2.0, 3.0]), Aabb::from_point([7.0, 8.0])]);
    assert_eq!((shapes.skipped, shapes.row(0), shapes.row(1)), (1, 0, 2));
    assert!(read(&shapefile(), &["name"]).unwrap_err().to_string().contains(".dbf"));
}

/// The table beside a shapefile: names and widths of columns of text, and rows as long as all of them.
fn dbf(columns: &[(&str, u8, u8)], rows: &[&[u8]]) -> Vec<u8> {
    let width: u16 = 1 + columns.iter().map(|(.., width)| u16::from(*width)).sum::<u16>();
    let header = u16::try_from(33 + 32 * columns.len()).unwrap();
    let mut bytes = [&[3, 124, 1, 1][..], &u32::try_from(rows.len()).unwrap().to_le_bytes()].concat();
    bytes.extend([header.to_le_bytes(), width.to_le_bytes()].concat());
    bytes.resize(32, 0);
    for (name, kind, width) in columns {
        let start = bytes.len();
        bytes.extend(name.as_bytes());
        bytes.resize(start + 11, 0);
        bytes.extend([*kind, 0, 0, 0, 0, *width]);
        bytes.resize(start + 32, 0);
    }
    bytes.push(b'\r');
    rows.iter().for_each(|row| bytes.extend(*row));
    bytes
}

#[test]
fn columns_of_a_shapefile_are_in_the_table_beside_it() {
    let room = tempfile::tempdir().unwrap();
    let (shp, table) = (room.path().join("a.shp"), room.path().join("a.dbf"));
    std::fs::write(&shp, shapefile()).unwrap();
    let read = |keep: &[&str]| {
        let keep = keep.iter().map(|name| (*name).to_owned()).collect();
        Shapes::read(&shp, &Choice { keep, ..Choice::default() })
    };
    let error = read(&["NAME"]).unwrap_err().to_string();
    assert!(error.contains("a.dbf"), "{error}");
    let columns = [("NAME", b'C', 6), ("COUNT", b'N', 4), ("NOTE", b'M', 1)];
    // The second row belongs to the shape without a box, the third is Latin-1.
    let rows: [&[u8]; 3] = [b" Ab cd  0071", b" nobody****2", b" Z\xFCri  ****3"];
    std::fs::write(&table, dbf(&columns, &rows)).unwrap();
    let shapes = read(&["count", "NAME"]).unwrap();
    let texts = |number| [shapes.kept[0].get(number), shapes.kept[1].get(number)];
    assert_eq!((shapes.boxes.len(), texts(0), texts(1)), (2, ["007", "Ab cd"], ["", "Züri"]));
    for (asked, words) in [
        ("NOME", "a.shp: no column \"NOME\" among \"geometry,NAME,COUNT,NOTE\""),
        ("NOTE", "a.dbf: column \"NOTE\" is of type 'M'"),
    ] {
        let error = read(&[asked]).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    std::fs::write(&table, dbf(&columns, &rows[..2])).unwrap();
    assert!(read(&["NAME"]).unwrap_err().to_string().contains("2 rows, fewer than shapes"));
    // Cut anywhere, it is refused.
    let all = dbf(&columns, &rows);
    for end in 0..all.len() {
        std::fs::write(&table, &all[..end]).unwrap();
        let error = read(&["NAME"]).unwrap_err().to_string();
        assert!(error.contains("a.dbf: ") && error.contains("unexpected end of file"), "{error}");
    }
}

#[test]
fn a_shape_whose_row_was_deleted_is_no_row() {
    let room = tempfile::tempdir().unwrap();
    let at = |x: f64| [&1_u32.to_le_bytes()[..], &x.to_le_bytes(), &x.to_le_bytes()].concat();
    let records: Vec<_> = (1..=4_u8).map(|number| record(number.into(), &at(number.into()))).collect();
    std::fs::write(room.path().join("a.shp"), main_file(&records)).unwrap();
    let rows: [&[u8]; 4] = [b"*a", b" b", b"*c", b" d"];
    std::fs::write(room.path().join("a.dbf"), dbf(&[("NAME", b'C', 1)], &rows)).unwrap();
    for keep in [vec!["NAME".to_owned()], Vec::new()] {
        let shapes = Shapes::read(&room.path().join("a.shp"), &Choice { keep, ..Choice::default() }).unwrap();
        assert_eq!(shapes.boxes, [2.0, 4.0].map(|x| Aabb::from_point([x, x])));
        assert_eq!(([0, 1].map(|number| shapes.row(number)), shapes.skipped), ([0, 1], 0));
        assert!(shapes.kept.iter().all(|names| [0, 1].map(|number| names.get(number)) == ["b", "d"]));
    }
}

#[test]
fn what_encodes_a_table_is_in_a_text_beside_it() {
    let room = tempfile::tempdir().unwrap();
    let file = |ending| room.path().join("a").with_extension(ending);
    std::fs::write(file("shp"), shapefile()).unwrap();
    let columns = [("\u{c4}", b'C', 2), ("CODE", b'C', 2)];
    let rows: [&[u8]; 3] = [b" \xC3\xA4a ", b"     ", b" z \xFD\xFF"];
    std::fs::write(file("dbf"), dbf(&columns, &rows)).unwrap();
    let read = |column: &str| {
        let choice = Choice { keep: vec![column.into()], ..Choice::default() };
        Shapes::read(&file("shp"), &choice).map(|shapes| [0, 1].map(|number| shapes.kept[0].get(number).to_owned()))
    };
    let texts = |[one, other]: [&str; 2]| [one.to_owned(), other.to_owned()];
    let told = |column: &str| read(column).unwrap_err().to_string();
    assert_eq!(read("\u{c4}"), Ok(texts(["ä", "z"])), "without a word");
    for (label, name, text, code) in [
        ("UTF-8", "Ä", "ä", Some("ýÿ")),
        ("utf8\r\n", "Ä", "ä", Some("ýÿ")),
        ("65001", "Ä", "ä", Some("ýÿ")),
        ("", "Ä", "ä", Some("ýÿ")),
        ("ISO-8859-1", "Ã„", "Ã¤", Some("ýÿ")),
        ("1252", "Ã„", "Ã¤", Some("ýÿ")),
        ("ANSI 1252", "Ã„", "Ã¤", Some("ýÿ")),
        ("88591", "Ã„", "Ã¤", Some("ýÿ")),
        ("ISO 8859-1", "Ã„", "Ã¤", Some("ýÿ")),
        ("8859_15", "Ã\u{84}", "Ã€", Some("ýÿ")),
        ("1250", "Ă„", "Ă¤", Some("ý˙")),
        ("866", "├Д", "├д", Some("¤\u{a0}")),
        // No text of this encoding, so the name is as it was.
        ("932", "Ä", "ﾃ､", None),
    ] {
        std::fs::write(file("cpg"), label).unwrap();
        assert_eq!(read(name), Ok(texts([text, "z"])), "{label}");
        match code {
            Some(code) => assert_eq!(read("CODE"), Ok(texts(["a", code])), "{label}"),
            None => assert!(told("CODE").contains("CODE is not in the encoding that the .cpg"), "{label}"),
        }
    }
    // Texts of ASCII are the same in all of them.
    for label in ["OEM 850", "System", "UTF-16", "LDID/87"] {
        std::fs::write(file("cpg"), label).unwrap();
        let refused = told("CODE");
        assert!(refused.contains("shape 2 (from 0): CODE is in") && refused.contains(label), "{refused}");
        std::fs::write(file("dbf"), dbf(&columns, &[rows[0], rows[1], rows[1]])).unwrap();
        assert_eq!(read("CODE"), Ok(texts(["a", ""])), "{label}");
        std::fs::write(file("dbf"), dbf(&columns, &rows)).unwrap();
    }
    // Without it, the header tells of texts that are not UTF-8.
    std::fs::remove_file(file("cpg")).unwrap();
    for (driver, code) in [(0xC9, "эя"), (0x65, "¤\u{a0}"), (0x57, "ýÿ"), (0, "ýÿ")] {
        let mut table = dbf(&columns, &rows);
        table[29] = driver;
        std::fs::write(file("dbf"), table).unwrap();
        assert_eq!((read("Ä"), read("CODE")), (Ok(texts(["ä", "z"])), Ok(texts(["a", code]))), "{driver}");
    }
}

#[test]
fn a_date_of_zeros_is_none() {
    let at = |x: f64| [&1_u32.to_le_bytes()[..], &x.to_le_bytes(), &x.to_le_bytes()].concat();
    let room = tempfile::tempdir().unwrap();
    std::fs::write(room.path().join("a.shp"), main_file(&[record(1, &at(0.0)), record(2, &at(1.0))])).unwrap();
    let columns = [("DAY", b'D', 8), ("CODE", b'C', 8)];
    let rows: [&[u8]; 2] = [b" 0000000000000000", b" 2024073000000001"];
    std::fs::write(room.path().join("a.dbf"), dbf(&columns, &rows)).unwrap();
    let choice = Choice { keep: vec!["DAY".into(), "CODE".into()], ..Choice::default() };
    let shapes = Shapes::read(&room.path().join("a.shp"), &choice).unwrap();
    let texts = |number| [shapes.kept[0].get(number), shapes.kept[1].get(number)];
    assert_eq!([texts(0), texts(1)], [["", "00000000"], ["20240730", "00000001"]]);
}

/// The content of a record of a polygon with rings.
fn polygon(rings: &[&[[f64; 2]]]) -> Vec<u8> {
    let points = rings.concat();
    let all = points.iter().fold(Aabb::EMPTY, |all, at| all.union(&Aabb::from_point(*at)));
    let mut content = 5_u32.to_le_bytes().to_vec();
    all.min.iter().chain(&all.max).for_each(|number| content.extend(number.to_le_bytes()));
    let mut starts: Vec<usize> = vec![rings.len(), points.len(), 0];
    rings[1..].iter().zip(rings).for_each(|(_, ring)| starts.push(starts.last().unwrap() + ring.len()));
    starts.iter().for_each(|number| content.extend(u32::try_from(*number).unwrap().to_le_bytes()));
    points.iter().flatten().for_each(|number| content.extend(number.to_le_bytes()));
    content
}

#[test]
fn what_is_not_on_the_earth_is_refused_or_left_out_in_all_formats() {
    let ring = [[8.0, 80.0], [9.0, 80.0], [9.0, 91.0], [8.0, 91.0], [8.0, 80.0]];
    let json = r#"{"type":"LineString","coordinates":[[8,80],[9,91]]}"#;
    for bytes in [
        main_file(&[record(1, &polygon(&[&ring]))]),
        flatgeobuf(&[("a", &[[8.0, 91.0]])], 4326),
        json.into(),
        b"wkt\nPOINT(8 91)\n".to_vec(),
        b"west,south,east,north\n8,80,9,91\n".to_vec(),
        b"lon,lat\n8,91\n".to_vec(),
        b"cx,cy,radius\n8,89,2\n".to_vec(),
    ] {
        for has_geometries in [false, true] {
            let read = |is_on_globe, skips_invalid| {
                let source = Source::from_reader("f", Cursor::new(bytes.clone())).unwrap();
                let choice = Choice { is_on_globe, skips_invalid, has_geometries, ..Choice::default() };
                Shapes::from_source(source, &choice)
            };
            let error = read(true, false).unwrap_err().to_string();
            assert!(error.starts_with("f: ") && error.contains(" latitude 91 is beyond a pole"), "{error}");
            let [all, left] = [read(false, false), read(true, true)].map(Result::unwrap);
            assert_eq!([all.boxes.len(), left.boxes.len(), left.invalid as usize], [1, 0, 1]);
        }
    }
}

#[test]
fn on_the_globe_shapes_across_the_antimeridian_are_narrow_in_all_formats() {
    let ring = |west: f64, east: f64| [[west, 0.0], [east, 0.0], [east, 9.0], [west, 9.0], [west, 0.0]];
    let cut = record(1, &polygon(&[&ring(170.0, 180.0), &ring(-180.0, -175.0)]));
    let uncut = record(2, &polygon(&[&ring(170.0, -175.0)]));
    let shapes = main_file(&[cut, uncut]);
    let text =
        |west: f64, east: f64| ring(west, east).iter().map(|[x, y]| format!("[{x},{y}]")).collect::<Vec<_>>().join(",");
    let json = format!(
        r#"{{"type":"MultiPolygon","coordinates":[[[{}]],[[{}]]]}}{{"type":"Polygon","coordinates":[[{}]]}}"#,
        text(170.0, 180.0),
        text(-180.0, -175.0),
        text(170.0, -175.0)
    );
    let wkt = "wkt\n\"MULTIPOINT((170 0),(-175 9))\"\n\"LINESTRING(170 0,-175 9)\"\n".to_owned();
    let corners = "west,south,east,north\n170,0,-175,9\n170,0,185,9\n".to_owned();
    for bytes in [shapes.clone(), json.into_bytes(), wkt.into_bytes(), corners.clone().into_bytes()] {
        let read = |is_on_globe| {
            let source = Source::from_reader("f", Cursor::new(bytes.clone())).unwrap();
            Shapes::from_source(source, &Choice { is_on_globe, ..Choice::default() })
        };
        assert_eq!(read(true).unwrap().boxes, [Aabb::new([170.0, 0.0], [185.0, 9.0]); 2]);
        // On the plane, nothing goes around anything, and the west is not east of the east.
        match read(false) {
            Ok(shapes) => assert!(shapes.boxes[0].max[0] - shapes.boxes[0].min[0] > 340.0),
            Err(error) => assert!(bytes.starts_with(b"west") && error.to_string().contains("line 2"), "{error}"),
        }
    }
    for end in 100..shapes.len() {
        let source = Source::from_reader("f", Cursor::new(shapes[..end].to_vec())).unwrap();
        assert!(Shapes::from_source(source, &Choice { is_on_globe: true, ..Choice::default() }).is_err(), "{end}");
    }
}

#[test]
fn a_shapefile_cut_anywhere_is_refused() {
    let all = shapefile();
    for end in 4..=all.len() {
        assert_eq!(read(&all[..end], &[]).is_ok(), end == all.len(), "{end}");
    }
}

/// A square from a corner on, clockwise.
fn square(x: f64, y: f64, side: f64) -> [[f64; 2]; 5] {
    [[x, y], [x, y + side], [x + side, y + side], [x + side, y], [x, y]]
}

/// The least x of each row's shape and its name, or the message.
fn rows_of(shapes: &[u8], index: Option<&[u8]>, rows: &[&[u8]]) -> Result<Vec<(f64, String)>, String> {
    let room = tempfile::tempdir().unwrap();
    let file = |ending| room.path().join("a").with_extension(ending);
    std::fs::write(file("shp"), shapes).unwrap();
    index.iter().for_each(|index| std::fs::write(file("shx"), index).unwrap());
    std::fs::write(file("dbf"), dbf(&[("NAME", b'C', 3)], rows)).unwrap();
    let choice = Choice { keep: vec!["NAME".into()], has_geometries: true, ..Choice::default() };
    let shapes = Shapes::read(&file("shp"), &choice).map_err(|error| error.to_string())?;
    let names = (0..).map(|number| shapes.kept[0].get(number).to_owned());
    Ok(shapes.boxes.iter().map(|bounds| bounds.min[0]).zip(names).collect())
}

#[test]
fn the_index_says_which_record_is_that_of_a_row() {
    let at = |x: f64| polygon(&[&square(x, 0.0, 3.0)]);
    let (old, two, new) = (record(1, &at(0.0)), record(2, &at(50.0)), record(1, &at(100.0)));
    let place = |before: &[&Vec<u8>]| 100 + before.iter().map(|record| record.len()).sum::<usize>();
    let rows: [&[u8]; 2] = [b" one", b" two"];
    let expected = |x: f64| Ok(vec![(x, "one".to_owned()), (50.0, "two".to_owned())]);
    // A shape that has grown is at the end of the file.
    let edited = main_file(&[old.clone(), two.clone(), new.clone()]);
    let index = index_file(&[place(&[&old, &two]), place(&[&old])]);
    assert_eq!(rows_of(&edited, Some(&index), &rows), expected(100.0));
    assert!(rows_of(&edited, None, &rows).unwrap_err().contains("it is record 1 instead of 3; the .shx file"));
    // Records in another order than rows.
    let swapped = main_file(&[two.clone(), old.clone()]);
    assert_eq!(rows_of(&swapped, Some(&index_file(&[place(&[&two]), 100])), &rows), expected(0.0));
    assert!(rows_of(&swapped, None, &rows).unwrap_err().contains("it is record 2 instead of 1"));
    // A file that was cut, with its whole index.
    let cut = rows_of(&swapped[..swapped.len() - 4], Some(&index_file(&[place(&[&two]), 100])), &rows).unwrap_err();
    assert!(cut.contains("a.shp: shape 0 (from 0): the file ends before its record at byte 236 does"), "{cut}");
    // An index of another file.
    let wrong = rows_of(&swapped, Some(&index_file(&[place(&[&two]), place(&[&two])])), &rows).unwrap_err();
    assert!(wrong.contains("shape 1 (from 0): its index (.shx): at byte 236 is record 1 instead of 2"), "{wrong}");
    // Records with something between them, and numbers from 0.
    for first in [0, 1] {
        let (one, two) = (record(first, &at(0.0)), record(first + 1, &at(50.0)));
        let gap = main_file(&[one.clone(), vec![0x27, 0x76, 0, 2], two.clone()]);
        assert_eq!(rows_of(&gap, Some(&index_file(&[100, place(&[&one]) + 4])), &rows), expected(0.0));
        assert!(rows_of(&gap, None, &rows).is_err());
        let all = main_file(&[one, two]);
        for more in 0..20 {
            let longer = [&all[..], &vec![0; more]].concat();
            assert_eq!(rows_of(&longer, Some(&index_file(&[100, place(&[&old])])), &rows), expected(0.0));
            match rows_of(&longer, None, &rows) {
                Err(what) => assert!(more >= 8 && what.contains("it goes on after byte 372"), "{what}"),
                good => assert_eq!((good, more < 8), (expected(0.0), true)),
            }
        }
    }
}

#[test]
fn a_damaged_index_is_refused_or_changes_nothing() {
    let shapes = [0.0, 50.0].map(|x| polygon(&[&square(x, 0.0, 3.0)]));
    let main = main_file(&[record(1, &shapes[0]), record(2, &shapes[1])]);
    let index = index_file(&[100, 100 + 8 + shapes[0].len()]);
    let rows: [&[u8]; 2] = [b" one", b" two"];
    let good = rows_of(&main, Some(&index), &rows).unwrap();
    let mut refused = 0;
    for at in 0..index.len() {
        for change in [0x01, 0x04, 0x80, 0xFF] {
            let mut damaged = index.clone();
            damaged[at] ^= change;
            match rows_of(&main, Some(&damaged), &rows) {
                Err(what) => refused += usize::from(what.contains(".shp")),
                // A shorter index has fewer rows.
                Ok(rows) => assert!(rows == good || at == 27 && good.starts_with(&rows), "{at} {rows:?}"),
            }
        }
        let cut = rows_of(&main, Some(&index[..at]), &rows).unwrap_err();
        assert!(cut.contains("its index (.shx): unexpected end of file"), "{cut}");
    }
    assert!(refused > 40, "{refused}");
}

#[test]
fn a_hole_that_sticks_out_a_little_is_a_hole() {
    let reversed = |ring: [[f64; 2]; 5]| ring.into_iter().rev().collect::<Vec<_>>();
    let lake = reversed(square(3.0, 3.0, 3.0));
    let out = |by: f64| lake.iter().map(|[x, y]| [if *x == 3.0 { -by } else { *x }, *y]).collect::<Vec<_>>();
    // An island in the lake, around its middle, and a neighbor.
    let (island, beside) = (square(4.0, 4.0, 1.0), square(-9.0, 0.0, 9.0));
    for hole in [lake.clone(), out(0.0), out(1e-9), out(0.5)] {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            let rings: [&[[f64; 2]]; 4] = [&square(0.0, 0.0, 9.0), &hole, &island, &beside];
            let rings = order.map(|number| rings[number]);
            let bytes = main_file(&[record(1, &polygon(&rings))]);
            let choice = Choice { has_geometries: true, ..Choice::default() };
            let source = Source::from_reader("f", Cursor::new(bytes)).unwrap();
            let all = Shapes::from_source(source, &choice).unwrap().geometries.unwrap();
            let parts: Vec<_> =
                all.parts(0).map(|(part, ring)| (part, ring.iter().fold(0.0, |all: f64, at| all.max(at[0])))).collect();
            let shell = parts.iter().position(|part| *part == (Part::Shell, 9.0)).unwrap();
            assert_eq!(parts[shell + 1], (Part::Hole, 6.0), "{parts:?}");
            assert_eq!(parts.iter().filter(|(part, _)| *part == Part::Shell).count(), 3);
        }
    }
}

/// A FlatGeobuf file of named lines and points, with a column of each type that the writer has; `crs` is a code of
/// EPSG.
fn flatgeobuf(features: &[(&str, &[[f64; 2]])], crs: i32) -> Vec<u8> {
    use flatgeobuf::geozero::{self, ColumnValue, GeomProcessor, PropertyProcessor};
    use flatgeobuf::{ColumnType, FgbCrs, FgbWriter, FgbWriterOptions, GeometryType, GeozeroGeometry};

    struct Line<'a>(&'a [[f64; 2]]);

    impl GeozeroGeometry for Line<'_> {
        fn process_geom<P: GeomProcessor>(&self, to: &mut P) -> geozero::error::Result<()> {
            if let [[x, y]] = self.0 {
                to.point_begin(0)?;
                to.xy(*x, *y, 0)?;
                return to.point_end(0);
            }
            to.linestring_begin(true, self.0.len(), 0)?;
            self.0.iter().enumerate().try_for_each(|(at, [x, y])| to.xy(*x, *y, at))?;
            to.linestring_end(true, 0)
        }
    }

    let options = FgbWriterOptions {
        crs: FgbCrs { code: crs, ..FgbCrs::default() },
        write_index: false,
        detect_type: false,
        promote_to_multi: false,
        ..FgbWriterOptions::default()
    };
    let mut writer = FgbWriter::create_with_options("f", GeometryType::Unknown, options).unwrap();
    writer.add_column("name", ColumnType::String, |_, _| {});
    writer.add_column("whole", ColumnType::ULong, |_, _| {});
    writer.add_column("small", ColumnType::Byte, |_, _| {});
    writer.add_column("float", ColumnType::Float, |_, _| {});
    writer.add_column("is", ColumnType::Bool, |_, _| {});
    writer.add_column("when", ColumnType::DateTime, |_, _| {});
    for (name, line) in features {
        let written = writer.add_feature_geom(Line(line), |feature| {
            let values = [
                ColumnValue::String(name),
                ColumnValue::ULong(u64::MAX),
                ColumnValue::Byte(-1),
                ColumnValue::Float(0.1),
                ColumnValue::Bool(true),
                ColumnValue::DateTime("2024-05-01T12:00:00Z"),
            ];
            for (column, value) in values.iter().enumerate() {
                feature.property(column, "", value).unwrap();
            }
        });
        written.unwrap();
    }
    let mut bytes = Vec::new();
    writer.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn flatgeobuf_has_a_box_a_feature() {
    let bytes = flatgeobuf(&[("a", &[[0.0, 1.0], [2.0, 3.0]]), ("b", &[[7.0, 8.0]])], 25832);
    let names = ["name", "whole", "small", "float", "is", "when"];
    let shapes = read(&bytes, &names).unwrap();
    assert_eq!(shapes.boxes, [Aabb::new([0.0, 1.0], [2.0, 3.0]), Aabb::from_point([7.0, 8.0])]);
    let texts: Vec<_> = shapes.kept.iter().map(|texts| texts.get(1)).collect();
    assert_eq!(texts, ["b", "18446744073709551615", "-1", "0.1", "true", "2024-05-01T12:00:00Z"]);
    assert_eq!(shapes.system.unwrap().to_string(), "EPSG:25832");
    assert!(read(&bytes, &["nome"]).unwrap_err().to_string().contains("\"nome\" among \"geometry,name,whole"));
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end], &names).is_err(), "{end}");
    }
    for more in [&[0][..], &bytes] {
        let refused = read(&[&bytes, more].concat(), &names).unwrap_err().to_string();
        assert!(refused.contains("feature 2 (from 0): the file goes on, though its header"), "{refused}");
    }
}

const CURVES: &[u8] = include_bytes!("../fixtures/curves.fgb");
const SURFACES: &[u8] = include_bytes!("../fixtures/surfaces.fgb");

/// With the shapes themselves.
fn read_shapes(bytes: &[u8], skips_invalid: bool) -> Result<Shapes, Error> {
    let choice = Choice { has_geometries: true, skips_invalid, keep: vec!["n".into()], ..Choice::default() };
    Shapes::from_source(Source::from_reader("f", Cursor::new(bytes.to_vec()))?, &choice)
}

#[test]
fn curves_in_flatgeobuf_are_refused_by_name_and_shift_no_row() {
    for is_kept in [false, true] {
        let refused = if is_kept { read_shapes(CURVES, false) } else { read(CURVES, &[]) }.unwrap_err().to_string();
        assert_eq!(
            refused,
            "f: feature 0 (from 0): geometry is a CircularString, which is not read: make curves straight first"
        );
    }
    let shapes = read_shapes(CURVES, true).unwrap();
    assert_eq!((shapes.invalid, shapes.boxes.len(), shapes.row(0), shapes.row(1)), (6, 2, 6, 7));
    assert_eq!((shapes.kept[0].get(0), shapes.kept[0].get(1)), ("6", "7"));
    let all = shapes.geometries.unwrap();
    assert_eq!((all.bounds(0), all.bounds(1)), (shapes.boxes[0], shapes.boxes[1]));
    assert_eq!(shapes.boxes[1], Aabb::new([100.0, 100.0], [103.0, 103.0]));
}

#[test]
fn triangles_and_surfaces_in_flatgeobuf_are_polygons() {
    let shapes = read_shapes(SURFACES, false).unwrap();
    let all = shapes.geometries.unwrap();
    let parts = |number| all.parts(number).map(|(part, points)| (part, points.len())).collect::<Vec<_>>();
    assert_eq!(parts(0), [(Part::Shell, 4)]);
    assert_eq!(parts(1), [(Part::Shell, 4); 2]);
    assert_eq!(parts(2), [(Part::Shell, 5); 2]);
    assert_eq!((0..5).map(|number| all.bounds(number)).collect::<Vec<_>>(), shapes.boxes);
}

#[test]
fn files_that_say_so_are_not_read_as_degrees() {
    let on_globe = |bytes: Vec<u8>, columns: &[&str]| {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        let source = Source::from_reader("f", Cursor::new(bytes)).unwrap();
        Shapes::from_source(source, &Choice { is_on_globe: true, columns, ..Choice::default() })
    };
    let error = on_globe(flatgeobuf(&[("a", &[[1.0, 2.0]])], 25832), &[]).unwrap_err().to_string();
    assert!(error.contains("EPSG:25832, not in degrees"), "{error}");
    assert!(on_globe(flatgeobuf(&[("a", &[[1.0, 2.0]])], 4326), &[]).is_ok());
    // Columns that the user names are taken as named.
    assert!(on_globe(flatgeobuf(&[("a", &[[1.0, 2.0]])], 25832), &["float", "small"]).is_ok());
    let room = tempfile::tempdir().unwrap();
    let shp = room.path().join("a.shp");
    std::fs::write(&shp, shapefile()).unwrap();
    let choice = Choice { is_on_globe: true, ..Choice::default() };
    assert!(Shapes::read(&shp, &choice).is_ok());
    std::fs::write(room.path().join("a.prj"), "PROJCS[\"Web\",GEOGCS[\"WGS\",UNIT[\"Degree\",1]]]").unwrap();
    assert!(Shapes::read(&shp, &choice).unwrap_err().to_string().contains("in Web, not in degrees"));
    assert_eq!(Shapes::read(&shp, &Choice::default()).unwrap().system.unwrap().to_string(), "Web");
}

/// The most address space that this process has had, in bytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

/// Damages a file in every place: bytes are changed, and lengths forged as 32 bits of either order, or seven bits a
/// byte. Each is read or refused, without a panic, and without memory that the file does not fill.
fn damage(bytes: &[u8], keep: &[&str]) {
    const FORGED: [&[u8]; 5] = [
        &[0xF0, 0xFF, 0xFF, 0xFF],
        &[0xFF, 0xFF, 0xFF, 0x7F],
        &[0x7F, 0xFF, 0xFF, 0xFF],
        &[0xFF, 0xFF, 0xFF, 0xFF, 0x07],
        &[0xFB, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
    ];
    let before = peak();
    let try_read = |damaged: &[u8]| {
        if let Err(error) = read(damaged, keep) {
            let message = error.to_string();
            assert!(message.starts_with("f: ") && !message.contains('\n') && message.len() < 1_000, "{message:?}");
        }
    };
    for at in 0..bytes.len() {
        let mut damaged = bytes.to_vec();
        for change in [0xFF, 0x01, 0x80, bytes[at]] {
            damaged[at] = bytes[at] ^ change;
            try_read(&damaged);
        }
        for forged in FORGED.iter().filter(|forged| at + forged.len() <= bytes.len()) {
            let mut damaged = bytes.to_vec();
            damaged[at..at + forged.len()].copy_from_slice(forged);
            try_read(&damaged);
        }
    }
    if let (Some(before), Some(after)) = (before, peak()) {
        assert!(after - before < 1 << 30, "{} bytes for a file of {}", after - before, bytes.len());
    }
}

#[test]
fn damaged_flatgeobuf_is_read_or_refused() {
    damage(&flatgeobuf(&[("a", &[[0.0, 1.0], [2.0, 3.0]]), ("b", &[[7.0, 8.0]])], 4326), &["name", "whole", "is"]);
}

#[test]
fn damaged_flatgeobuf_of_another_program_is_read_or_refused() {
    for bytes in [CURVES, SURFACES] {
        let mut refused = 0;
        for at in 0..bytes.len() {
            for change in [0x01, 0x80, 0xFF] {
                let mut damaged = bytes.to_vec();
                damaged[at] ^= change;
                match read_shapes(&damaged, true) {
                    Ok(shapes) => assert_eq!(shapes.boxes.len(), shapes.geometries.unwrap().len()),
                    Err(error) => {
                        let message = error.to_string();
                        assert!(message.starts_with("f: ") && !message.contains("gave up"), "{at} {message}");
                        refused += 1;
                    }
                }
            }
        }
        assert!(refused > 300, "{refused}");
    }
}

#[test]
fn damaged_shapefiles_are_read_or_refused() {
    damage(&shapefile(), &[]);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_named_and_how_to_read_it() {
    let error = read(b"PAR1....PAR1", &[]).unwrap_err().to_string();
    assert!(error.starts_with("f: this is Parquet") && error.contains("--features parquet"), "{error}");
}

#[cfg(feature = "parquet")]
mod parquet_files {
    use std::sync::Arc;

    use parquet::data_type::{
        BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
        Int64Type, Int96, Int96Type,
    };
    use parquet::file::metadata::KeyValue;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
    use parquet::schema::parser::parse_message_type;

    use super::*;

    /// Writes the next column of a group.
    type Cells = Box<dyn FnOnce(&mut SerializedColumnWriter<'_>)>;

    /// Values of a required column.
    fn values<T: DataType>(values: Vec<T::T>) -> Cells {
        Box::new(move |column| {
            column.typed::<T>().write_batch(&values, None, None).unwrap();
        })
    }

    fn numbers(numbers: Vec<f64>) -> Cells {
        values::<DoubleType>(numbers)
    }

    /// Values of an optional column; `None` is a null.
    fn optional(cells: &[Option<Vec<u8>>]) -> Cells {
        let values: Vec<_> = cells.iter().flatten().map(|bytes| ByteArray::from(bytes.clone())).collect();
        let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
        Box::new(move |column| {
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).unwrap();
        })
    }

    fn fixed(bytes: &[u8]) -> Cells {
        values::<FixedLenByteArrayType>(vec![ByteArray::from(bytes.to_vec()).into()])
    }

    fn write(schema: &str, geo: Option<&str>, columns: Vec<Cells>) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let entry = geo.map(|geo| vec![KeyValue::new("geo".to_owned(), geo.to_owned())]);
        let properties = Arc::new(WriterProperties::builder().set_key_value_metadata(entry).build());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for cells in columns {
            let mut column = group.next_column().unwrap().unwrap();
            cells(&mut column);
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.into_inner().unwrap()
    }

    /// A column of one value beside a point: its text where it is kept, or the message.
    fn kept(kind: &str, value: Cells) -> String {
        let schema = format!("message m {{ required double x; required double y; required {kind}; }}");
        let bytes = write(&schema, None, vec![numbers(vec![1.0]), numbers(vec![2.0]), value]);
        read(&bytes, &["v"]).map_or_else(|error| error.to_string(), |shapes| shapes.kept[0].get(0).to_owned())
    }

    #[test]
    fn values_are_what_the_schema_says() {
        let int96 = |nanoseconds: u64, day: u32| {
            let mut value = Int96::new();
            value.set_data(nanoseconds as u32, (nanoseconds >> 32) as u32, day);
            values::<Int96Type>(vec![value])
        };
        let bytes = |bytes: &[u8]| values::<ByteArrayType>(vec![bytes.to_vec().into()]);
        let (int, long) = (|value| values::<Int32Type>(vec![value]), |value| values::<Int64Type>(vec![value]));
        let float = |value| values::<FloatType>(vec![value]);
        let noon = 1_714_564_800_i64;
        let uuid: Vec<u8> = (0..16).map(|byte| byte * 17).collect();
        let longest = [&[0x7f][..], &[0xff; 31]].concat();
        let digits = "57896044618658097711785492504343953926634992332820282019728792003956564819967";
        for (kind, value, text) in [
            ("int32 v", int(-7), "-7"),
            ("int32 v (INTEGER(8,true))", int(-7), "-7"),
            ("int32 v (INTEGER(32,false))", int(-294_967_296), "4000000000"),
            ("int32 v (UINT_32)", int(-1), "4294967295"),
            ("int64 v (INTEGER(64,false))", long(-1), "18446744073709551615"),
            ("int64 v", long(i64::MIN), "-9223372036854775808"),
            ("int32 v (DECIMAL(6,2))", int(150), "1.50"),
            ("int64 v (DECIMAL(18,3))", long(-5), "-0.005"),
            ("int64 v (DECIMAL(18,2))", long(0), "0.00"),
            ("int64 v (DECIMAL(18,0))", long(7), "7"),
            ("int64 v (DECIMAL(18,0))", long(-7), "-7"),
            ("int64 v (DECIMAL(18,3))", long(i64::MIN), "-9223372036854775.808"),
            ("int64 v (DECIMAL(18,0))", long(i64::MAX), "9223372036854775807"),
            ("binary v (DECIMAL(30,6))", bytes(&[0xff, 0x38]), "-0.000200"),
            ("binary v (DECIMAL(3,1))", bytes(&[0x80]), "-12.8"),
            ("binary v (DECIMAL(3,1))", bytes(&[]), "0.0"),
            ("binary v (DECIMAL(77,0))", bytes(&longest), digits),
            ("binary v (DECIMAL(77,77))", bytes(&longest), &format!("0.{digits}")),
            ("fixed_len_byte_array(13) v (DECIMAL(30,6))", fixed(&[&[0; 11][..], &[0x30, 0x39]].concat()), "0.012345"),
            ("int32 v (DATE)", int(19_844), "2024-05-01"),
            ("int32 v (DATE)", int(-1), "1969-12-31"),
            ("int32 v (TIME(MILLIS,false))", int(43_200_250), "12:00:00.25"),
            ("int64 v (TIME(NANOS,true))", long(1), "00:00:00.000000001"),
            ("int64 v (TIMESTAMP(MILLIS,true))", long(noon * 1_000), "2024-05-01T12:00:00Z"),
            ("int64 v (TIMESTAMP(MICROS,false))", long(noon * 1_000_000 + 1), "2024-05-01T12:00:00.000001"),
            ("int64 v (TIMESTAMP(NANOS,true))", long(-1), "1969-12-31T23:59:59.999999999Z"),
            ("int64 v (TIMESTAMP(NANOS,true))", long(noon * 1_000_000_000 + 1), "2024-05-01T12:00:00.000000001Z"),
            ("int64 v (TIMESTAMP_MILLIS)", long(0), "1970-01-01T00:00:00Z"),
            ("int96 v", int96(43_200_000_000_000, 2_460_432), "2024-05-01T12:00:00"),
            ("boolean v", values::<BoolType>(vec![true]), "true"),
            ("fixed_len_byte_array(16) v (UUID)", fixed(&uuid), "00112233-4455-6677-8899-aabbccddeeff"),
            ("fixed_len_byte_array(2) v (FLOAT16)", fixed(&[0x66, 0x2e]), "0.099975586"),
            ("float v", float(0.1), "0.1"),
            ("double v", numbers(vec![0.1]), "0.1"),
            ("binary v (STRING)", bytes("Zürich".as_bytes()), "Zürich"),
            ("binary v (ENUM)", bytes(b"a"), "a"),
            ("binary v (JSON)", bytes(b"{}"), "{}"),
            ("binary v", bytes(b"text of old programs"), "text of old programs"),
            ("binary v", bytes(&[0xff, 0x00]), "ff00"),
            (
                "int32 v (DATE)",
                int(i32::MAX),
                "f: row 0 (from 0): v 2147483647 days since 1970 is not a date of the years -9999 to 9999",
            ),
            (
                "int32 v (TIME(MILLIS,false))",
                int(-1),
                "f: row 0 (from 0): v -1 of 1000 in a second is not a time of the day",
            ),
            (
                "int32 v (TIME(MILLIS,false))",
                int(86_400_000),
                "f: row 0 (from 0): v 86400000 of 1000 in a second is not a time of the day",
            ),
            (
                "int64 v (TIMESTAMP(MILLIS,true))",
                long(i64::MAX),
                "f: row 0 (from 0): v 9223372036854775807000000 nanoseconds since 1970 is not a time of the years -9999 to 9999",
            ),
            ("binary v (STRING)", bytes(&[0xff]), "f: row 0 (from 0): v is a text that is not UTF-8"),
            ("binary v (BSON)", bytes(&[5, 0, 0, 0, 0]), "f: column \"v\" is of type Bson, which is not read"),
            (
                "fixed_len_byte_array(12) v (INTERVAL)",
                fixed(&[0; 12]),
                "f: column \"v\" is of type INTERVAL, which is not read",
            ),
        ] {
            assert_eq!(kept(kind, value), text, "{kind}");
        }
    }

    #[test]
    fn coordinates_of_any_type_are_numbers_or_refused() {
        let point = |kind: &str, x: Cells, y: Cells| {
            let (kind, meaning) = kind.split_once('/').unwrap_or((kind, ""));
            let meaning = if meaning.is_empty() { String::new() } else { format!(" ({meaning})") };
            let schema = format!("message m {{ required {kind} x{meaning}; required {kind} y{meaning}; }}");
            read(&write(&schema, None, vec![x, y]), &[]).map(|shapes| shapes.boxes[0].min)
        };
        let (int, long) = (|value| values::<Int32Type>(vec![value]), |value| values::<Int64Type>(vec![value]));
        assert_eq!(point("int32/DECIMAL(6,2)", int(150), int(-25)), Ok([1.5, -0.25]));
        assert_eq!(point("int32/UINT_32", int(-1), int(1)), Ok([4_294_967_295.0, 1.0]));
        assert_eq!(point("int64/UINT_64", long(-1), long(1)), Ok([18_446_744_073_709_551_615.0, 1.0]));
        // To the nearest number of 64 bits, as if it were read from text.
        assert_eq!(point("int64/DECIMAL(18,17)", long(10_000_000_000_000_001), long(3)), Ok([0.1, 3e-17]));
        assert_eq!(point("fixed_len_byte_array(2)/FLOAT16", fixed(&[0, 0x3e]), fixed(&[0, 0xc0])), Ok([1.5, -2.0]));
        let refused = |kind, x, y| point(kind, x, y).unwrap_err().to_string();
        assert_eq!(refused("int32/DATE", int(0), int(0)), "f: row 0 (from 0): x \"1970-01-01\" is not a number");
        assert_eq!(
            refused("boolean", values::<BoolType>(vec![true]), values::<BoolType>(vec![true])),
            "f: row 0 (from 0): x \"true\" is not a number"
        );
        assert_eq!(
            refused("fixed_len_byte_array(3)", fixed(&[255, 0, 1]), fixed(&[0; 3])),
            "f: row 0 (from 0): x \"ff0001\" is not a number"
        );
    }

    #[test]
    fn points_are_read_from_geometries_where_boxes_are_rounded() {
        let point = [&[1, 1, 0, 0, 0][..], &0.1_f64.to_le_bytes(), &0.2_f64.to_le_bytes()].concat();
        let schema = |kind: &str| {
            format!(
                "message m {{ required binary shape; required group bbox {{ required {kind} xmin; required {kind} ymin; \
                     required {kind} xmax; required {kind} ymax; }} }}"
            )
        };
        let geo = |types: &str| {
            format!(
                r#"{{"primary_column":"shape","columns":{{"shape":{{"encoding":"WKB",{types}"covering":{{"bbox":{{"xmin":["bbox","xmin"],
            "ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}}}}}}"#
            )
        };
        let geometry = || values::<ByteArrayType>(vec![point.clone().into()]);
        let floats = || [0.0, 0.1, 1.0, 1.1].map(|number| values::<FloatType>(vec![number]));
        let doubles = || [0.0, 0.1, 1.0, 1.1].map(|number| numbers(vec![number]));
        let taken = |kind, types: &str, boxes: [Cells; 4]| {
            let columns = std::iter::once(geometry()).chain(boxes).collect();
            read(&write(&schema(kind), Some(&geo(types)), columns), &[]).unwrap().taken
        };
        for types in
            ["", r#""geometry_types":[],"#, r#""geometry_types":["Point"],"#, r#""geometry_types":["MultiPoint Z"],"#]
        {
            assert_eq!(taken("float", types, floats()), "bounding boxes of shape", "{types}");
            assert!(taken("double", types, doubles()).starts_with("bounding boxes from bbox.xmin"), "{types}");
        }
        assert!(
            taken("float", r#""geometry_types":["Polygon"],"#, floats()).starts_with("bounding boxes from bbox.xmin")
        );
    }

    #[test]
    fn damaged_parquet_is_read_or_refused() {
        let schema = "message m { required double x; required double y; optional binary name (STRING); required int64 id (UINT_64); \
                      required int32 price (DECIMAL(6,2)); }";
        let columns = || {
            vec![
                numbers(vec![1.0, 3.0, 3.0]),
                numbers(vec![2.0, 4.0, 4.0]),
                optional(&[Some(b"a".to_vec()), None, Some(b"bc".to_vec())]),
                values::<Int64Type>(vec![1, 2, 2]),
                values::<Int32Type>(vec![1, 2, 2]),
            ]
        };
        damage(&write(schema, None, columns()), &["name", "id", "price"]);
    }

    #[test]
    fn points_in_columns_of_their_own_are_read() {
        let schema = "message m { required group geometry { required double x; required double y; } }";
        let geo = r#"{"primary_column":"geometry","columns":{"geometry":{"encoding":"point","crs":{"type":"ProjectedCRS","name":"Local"}}}}"#;
        let columns = || vec![numbers(vec![1.0, f64::NAN, 3.0]), numbers(vec![2.0, f64::NAN, 4.0])];
        for geo in [None, Some(geo)] {
            let shapes = read(&write(schema, geo, columns()), &[]).unwrap();
            assert_eq!(
                (shapes.boxes.len(), shapes.skipped, shapes.taken.as_str()),
                (2, 1, "points from geometry.x, geometry.y")
            );
            assert_eq!(shapes.system.map(|system| system.to_string()), geo.map(|_| "Local".into()));
        }
    }

    #[test]
    fn columns_of_coordinates_are_found_by_name() {
        let schema = "message m { required double lon; required double lat; optional binary name (STRING); }";
        let names = optional(&[Some(b"a".to_vec()), None]);
        let bytes = write(schema, None, vec![numbers(vec![1.0, 3.0]), numbers(vec![2.0, 4.0]), names]);
        let shapes = read(&bytes, &["name"]).unwrap();
        assert_eq!(shapes.boxes, [Aabb::from_point([1.0, 2.0]), Aabb::from_point([3.0, 4.0])]);
        assert_eq!(
            (shapes.taken.as_str(), shapes.kept[0].get(0), shapes.kept[0].get(1)),
            ("points from lon, lat", "a", "")
        );
        assert!(read(&bytes, &["nome"]).unwrap_err().to_string().contains("\"nome\""));
        assert!(read(&bytes[..bytes.len() - 20], &[]).is_err());
    }

    #[test]
    fn geometries_are_read_where_there_are_no_boxes() {
        let point = [&[1, 1, 0, 0, 0][..], &7_f64.to_le_bytes(), &8_f64.to_le_bytes()].concat();
        let schema = "message m { optional binary shape; }";
        let geo = r#"{"version":"1.1.0","primary_column":"shape","columns":{"shape":{"encoding":"WKB"}}}"#;
        let bytes = write(schema, Some(geo), vec![optional(&[None, Some(point)])]);
        let shapes = read(&bytes, &[]).unwrap();
        assert_eq!(
            (shapes.boxes.as_slice(), shapes.row(0), shapes.skipped),
            (&[Aabb::from_point([7.0, 8.0])][..], 1, 1)
        );
    }

    #[test]
    fn edges_are_what_the_file_says() {
        let point = [&[1, 1, 0, 0, 0][..], &7_f64.to_le_bytes(), &8_f64.to_le_bytes()].concat();
        let system = |kind: &str, geo: Option<&str>| {
            let schema = format!("message m {{ optional binary shape{kind}; }}");
            let geo = geo.map(|said| {
                format!(r#"{{"primary_column":"shape","columns":{{"shape":{{"encoding":"WKB"{said}}}}}}}"#)
            });
            let bytes = write(&schema, geo.as_deref(), vec![optional(&[Some(point.clone())])]);
            let system = read(&bytes, &[]).unwrap().system;
            system.map(|system| (system.to_string(), system.is_degrees(), system.has_geodesic_edges()))
        };
        let named = |name: &str, has_geodesic_edges| Some((name.to_owned(), true, has_geodesic_edges));
        for (said, expected) in [
            ("", named("EPSG:4326", false)),
            (r#","edges":"planar""#, named("EPSG:4326", false)),
            (r#","edges":"spherical""#, named("EPSG:4326", true)),
            (r#","crs":null"#, None),
            (r#","crs":null,"edges":"spherical""#, named("a system without a name", true)),
        ] {
            assert_eq!(system("", Some(said)), expected, "{said}");
        }
        assert_eq!(system(" (GEOMETRY)", None), named("EPSG:4326", false));
        assert_eq!(system(" (GEOGRAPHY)", None), named("EPSG:4326", true));
    }

    #[test]
    fn systems_are_texts_of_any_kind() {
        let system = |crs: &str| {
            let point = [&[1, 1, 0, 0, 0][..], &7_f64.to_le_bytes(), &8_f64.to_le_bytes()].concat();
            let crs = format!("{crs:?}");
            let geo = format!(r#"{{"primary_column":"shape","columns":{{"shape":{{"encoding":"WKB","crs":{crs}}}}}}}"#);
            let bytes = write("message m { optional binary shape; }", Some(&geo), vec![optional(&[Some(point)])]);
            read(&bytes, &[]).unwrap().system.map(|system| (system.to_string(), system.is_degrees()))
        };
        let geographic = r#"GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],
            CS[ellipsoidal,2],AXIS["latitude",north],AXIS["longitude",east],ANGLEUNIT["degree",0.0174532925199433]]"#;
        let geographic = geographic.replace('\n', " ");
        let projected = format!(r#"PROJCRS["ETRS89 / UTM zone 32N",BASE{geographic},LENGTHUNIT["metre",1]]"#);
        for (crs, name, is_degrees) in [
            (geographic.as_str(), "WGS 84", true),
            (&projected, "ETRS89 / UTM zone 32N", false),
            ("EPSG:4326", "EPSG:4326", true),
            ("srid:4326", "EPSG:4326", true),
            ("srid:5070", "EPSG:5070", false),
            ("OGC:CRS84", "OGC:CRS84", true),
            (r#"{"type":"GeographicCRS","name":"X"}"#, "X", true),
            // What is elsewhere in the file.
            ("projjson:geo", "a system without a name", false),
            ("projjson:none", "projjson:none", false),
        ] {
            assert_eq!(system(crs), Some((name.to_owned(), is_degrees)), "{crs}");
        }
    }

    #[test]
    fn encodings_that_are_not_read_are_named() {
        let schema = "message m { required group geometry (LIST) { repeated group list { required group element {
            required double x; required double y; } } } required double lon; required double lat; required double z; }";
        let column = |numbers: Vec<f64>| -> Cells {
            Box::new(move |column| {
                column.typed::<DoubleType>().write_batch(&numbers, Some(&[1, 1]), Some(&[0, 1])).unwrap();
            })
        };
        let columns = || {
            let lines = [column(vec![0.0, 9.0]), column(vec![0.0, 9.0])];
            lines.into_iter().chain([1.0, 2.0, 3.0].map(|number| numbers(vec![number]))).collect()
        };
        let geo = r#"{"primary_column":"geometry","columns":{"geometry":{"encoding":"linestring"}}}"#;
        let bytes = write(schema, Some(geo), columns());
        let refused = read_shapes(&bytes, false).unwrap_err().to_string();
        assert!(
            refused.contains("its geometries are written as GeoArrow's \"linestring\", which is not read"),
            "{refused}"
        );
        let columns = vec!["lon".into(), "lat".into()];
        let source = Source::from_reader("f", Cursor::new(bytes)).unwrap();
        let chosen = Shapes::from_source(source, &Choice { columns, ..Choice::default() }).unwrap();
        assert_eq!(chosen.boxes, [Aabb::from_point([1.0, 2.0])]);
    }

    #[test]
    fn the_covering_boxes_are_taken_where_there_are_any() {
        let schema = "message m { optional binary shape; required group bbox { required double xmin; required double ymin; \
                      required double xmax; required double ymax; } }";
        let geo = r#"{"primary_column":"shape","columns":{"shape":{"encoding":"WKB","covering":{"bbox":{"xmin":["bbox","xmin"],
            "ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}"#;
        let corners = [0.0, 1.0, 2.0, 3.0].map(|number| numbers(vec![number]));
        let columns = std::iter::once(optional(&[None])).chain(corners).collect();
        let shapes = read(&write(schema, Some(geo), columns), &[]).unwrap();
        assert_eq!(shapes.boxes, [Aabb::new([0.0, 1.0], [2.0, 3.0])]);
        assert_eq!(shapes.taken, "bounding boxes from bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax");
        assert!(shapes.is_geometries);
    }
}
