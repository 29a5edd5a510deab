//! Binary files, written here as their formats say, and read back.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::io::Cursor;

use quadrille::Aabb;
use quadrille_files::{Choice, Error, Shapes, Source};

fn read(bytes: &[u8], keep: &[&str]) -> Result<Shapes, Error> {
    let keep = keep.iter().map(|name| (*name).to_owned()).collect();
    Shapes::from_source(Source::from_reader("f", Cursor::new(bytes.to_vec()))?, &Choice { keep, ..Choice::default() })
}

/// A shapefile's main file of a polygon, nothing, and a point.
fn shapefile() -> Vec<u8> {
    let mut bytes = [&[0, 0, 0x27, 0x0A][..], &[0; 96]].concat();
    let mut record = |kind: u32, numbers: &[f64], more: usize| {
        let length = u32::try_from(4 + 8 * numbers.len() + more).unwrap() / 2;
        bytes.extend([1_u32.to_be_bytes(), length.to_be_bytes(), kind.to_le_bytes()].concat());
        numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(vec![0xAB; more]);
    };
    record(5, &[0.0, 1.0, 2.0, 3.0], 60);
    record(0, &[], 0);
    record(11, &[7.0, 8.0], 16);
    bytes
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
    // The second row belongs to the shape without a box, the third is Latin-1 and was deleted.
    let rows: [&[u8]; 3] = [b" Ab cd  0071", b" nobody****2", b"*Z\xFCri  ****3"];
    std::fs::write(&table, dbf(&columns, &rows)).unwrap();
    let shapes = read(&["count", "NAME"]).unwrap();
    let texts = |number| [shapes.kept[0].get(number), shapes.kept[1].get(number)];
    assert_eq!((shapes.boxes.len(), texts(0), texts(1)), (2, ["007", "Ab cd"], ["", "Züri"]));
    for (asked, words) in [("NOME", "\"NOME\" among \"NAME,COUNT,NOTE\""), ("NOTE", "type 'M'")] {
        let error = read(&[asked]).unwrap_err().to_string();
        assert!(error.contains("a.dbf") && error.contains(words), "{error}");
    }
    std::fs::write(&table, dbf(&columns, &rows[..2])).unwrap();
    assert!(read(&["NAME"]).unwrap_err().to_string().contains("2 rows, fewer than shapes"));
    // Cut anywhere, it is refused.
    let all = dbf(&columns, &rows);
    for end in 0..all.len() {
        std::fs::write(&table, &all[..end]).unwrap();
        assert!(read(&["NAME"]).is_err(), "{end}");
    }
}

/// A record of a polygon with rings.
fn polygon(rings: &[&[[f64; 2]]]) -> Vec<u8> {
    let points = rings.concat();
    let all = points.iter().fold(Aabb::EMPTY, |all, at| all.union(&Aabb::from_point(*at)));
    let mut content = 5_u32.to_le_bytes().to_vec();
    all.min.iter().chain(&all.max).for_each(|number| content.extend(number.to_le_bytes()));
    let mut starts: Vec<usize> = vec![rings.len(), points.len(), 0];
    rings[1..].iter().zip(rings).for_each(|(_, ring)| starts.push(starts.last().unwrap() + ring.len()));
    starts.iter().for_each(|number| content.extend(u32::try_from(*number).unwrap().to_le_bytes()));
    points.iter().flatten().for_each(|number| content.extend(number.to_le_bytes()));
    let length = u32::try_from(content.len() / 2).unwrap();
    [&1_u32.to_be_bytes(), &length.to_be_bytes(), content.as_slice()].concat()
}

#[test]
fn on_the_globe_shapes_across_the_antimeridian_are_narrow_in_all_formats() {
    let ring = |west: f64, east: f64| [[west, 0.0], [east, 0.0], [east, 9.0], [west, 9.0], [west, 0.0]];
    let header = [&[0, 0, 0x27, 0x0A][..], &[0; 96]].concat();
    let cut = polygon(&[&ring(170.0, 180.0), &ring(-180.0, -175.0)]);
    let uncut = polygon(&[&ring(170.0, -175.0)]);
    let shapes = [header.clone(), cut.clone(), uncut].concat();
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
    for end in header.len() + 1..header.len() + cut.len() {
        let source = Source::from_reader("f", Cursor::new(shapes[..end].to_vec())).unwrap();
        assert!(Shapes::from_source(source, &Choice { is_on_globe: true, ..Choice::default() }).is_err(), "{end}");
    }
}

#[test]
fn a_shapefile_cut_anywhere_is_refused() {
    let all = shapefile();
    let ends = [100, 100 + 8 + 36 + 60, 100 + 8 + 36 + 60 + 12, all.len()];
    for end in 4..=all.len() {
        assert_eq!(read(&all[..end], &[]).is_ok(), ends.contains(&end), "{end}");
    }
}

#[test]
fn flatgeobuf_has_a_box_a_feature() {
    use flatgeobuf::geozero::{self, ColumnValue, GeomProcessor, PropertyProcessor};
    use flatgeobuf::{ColumnType, FgbWriter, GeometryType, GeozeroGeometry};

    struct Line(Vec<[f64; 2]>);

    impl GeozeroGeometry for Line {
        fn process_geom<P: GeomProcessor>(&self, to: &mut P) -> geozero::error::Result<()> {
            to.linestring_begin(true, self.0.len(), 0)?;
            self.0.iter().enumerate().try_for_each(|(at, [x, y])| to.xy(*x, *y, at))?;
            to.linestring_end(true, 0)
        }
    }

    let mut writer = FgbWriter::create("f", GeometryType::LineString).unwrap();
    writer.add_column("name", ColumnType::String, |_, _| {});
    for (name, line) in [("a", Line(vec![[0.0, 1.0], [2.0, 3.0]])), ("b", Line(vec![[7.0, 8.0], [7.0, 8.0]]))] {
        let named = writer.add_feature_geom(line, |feature| {
            feature.property(0, "name", &ColumnValue::String(name)).unwrap();
        });
        named.unwrap();
    }
    let mut bytes = Vec::new();
    writer.write(&mut bytes).unwrap();
    let shapes = read(&bytes, &["name"]).unwrap();
    let found: Vec<_> = (0..2).map(|number| (shapes.kept[0].get(number), shapes.boxes[number as usize])).collect();
    assert_eq!(found.len(), 2);
    assert!(found.contains(&("a", Aabb::new([0.0, 1.0], [2.0, 3.0]))), "{found:?}");
    assert!(found.contains(&("b", Aabb::from_point([7.0, 8.0]))), "{found:?}");
    assert!(read(&bytes, &["nome"]).unwrap_err().to_string().contains("\"nome\" among \"name\""));
    assert!(read(&bytes[..bytes.len() - 9], &[]).is_err());
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

    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
    use parquet::file::metadata::KeyValue;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    /// Columns of numbers and of bytes; `None` is a null.
    enum Cells {
        Numbers(Vec<f64>),
        Bytes(Vec<Option<Vec<u8>>>),
    }

    fn write(schema: &str, geo: Option<&str>, columns: &[Cells]) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let entry = geo.map(|geo| vec![KeyValue::new("geo".to_owned(), geo.to_owned())]);
        let properties = Arc::new(WriterProperties::builder().set_key_value_metadata(entry).build());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for cells in columns {
            let mut column = group.next_column().unwrap().unwrap();
            match cells {
                Cells::Numbers(numbers) => {
                    column.typed::<DoubleType>().write_batch(numbers, None, None).unwrap();
                }
                Cells::Bytes(cells) => {
                    let values: Vec<_> = cells.iter().flatten().map(|bytes| ByteArray::from(bytes.clone())).collect();
                    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                    column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).unwrap();
                }
            }
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.into_inner().unwrap()
    }

    #[test]
    fn columns_of_coordinates_are_found_by_name() {
        let schema = "message m { required double lon; required double lat; optional binary name (STRING); }";
        let names = Cells::Bytes(vec![Some(b"a".to_vec()), None]);
        let bytes = write(schema, None, &[Cells::Numbers(vec![1.0, 3.0]), Cells::Numbers(vec![2.0, 4.0]), names]);
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
        let bytes = write(schema, Some(geo), &[Cells::Bytes(vec![None, Some(point)])]);
        let shapes = read(&bytes, &[]).unwrap();
        assert_eq!(
            (shapes.boxes.as_slice(), shapes.row(0), shapes.skipped),
            (&[Aabb::from_point([7.0, 8.0])][..], 1, 1)
        );
    }

    #[test]
    fn the_covering_boxes_are_taken_where_there_are_any() {
        let schema = "message m { optional binary shape; required group bbox { required double xmin; required double ymin; \
                      required double xmax; required double ymax; } }";
        let geo = r#"{"primary_column":"shape","columns":{"shape":{"encoding":"WKB","covering":{"bbox":{"xmin":["bbox","xmin"],
            "ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}"#;
        let numbers = [0.0, 1.0, 2.0, 3.0].map(|number| Cells::Numbers(vec![number]));
        let columns: Vec<_> = std::iter::once(Cells::Bytes(vec![None])).chain(numbers).collect();
        let shapes = read(&write(schema, Some(geo), &columns), &[]).unwrap();
        assert_eq!(shapes.boxes, [Aabb::new([0.0, 1.0], [2.0, 3.0])]);
        assert_eq!(shapes.taken, "corners from bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax");
    }
}
