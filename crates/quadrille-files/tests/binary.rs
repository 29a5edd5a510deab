//! Binary files, written here as their formats say, and read back.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::io::Cursor;

use quadrille::Aabb;
use quadrille_files::{Choice, Error, Shapes, Source};

fn read(bytes: &[u8], keep: &[&str]) -> Result<Shapes, Error> {
    let keep = keep.iter().map(|name| (*name).to_owned()).collect();
    Shapes::from_source(Source::from_reader("f", Cursor::new(bytes.to_vec()))?, &Choice { columns: Vec::new(), keep })
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
