//! A file that a bench has written: lines of a table with comma-separated columns, and above them, behind `#`, what was
//! measured on what.

use super::Fault;

/// One line of the file.
pub type Row = csv::StringRecord;

/// A file of results.
#[derive(Debug)]
pub struct Results {
    /// Date, clock and machine.
    pub made: String,
    versions: String,
    /// Names of the columns.
    pub columns: Row,
    /// Its lines, in their order.
    pub rows: Vec<Row>,
}

impl Results {
    /// Reads a file.
    pub fn parse(name: &str, text: &str) -> Result<Self, Fault> {
        let about = |what: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(what));
            line.unwrap_or_default().trim().to_owned()
        };
        let made = about("date ").replace("clock Cpu", "CPU time").replace("clock Wall", "wall time");
        let mut table = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let fault = |error: csv::Error| format!("{name}: {error}");
        let columns = table.headers().map_err(fault)?.clone();
        let rows = table.into_records().collect::<Result<_, _>>().map_err(fault)?;
        Ok(Self { made, versions: about("versions:"), columns, rows })
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Result<usize, Fault> {
        let place = self.columns.iter().position(|column| column == name);
        place.ok_or_else(|| format!("there is no column {name}"))
    }

    /// The column of times.
    pub fn times(&self) -> Result<usize, Fault> {
        const TIMES: [&str; 6] = ["median_ns", "mean_us", "ns_per_box", "ns", "cpu_ms", "cpu_s"];
        TIMES.iter().find_map(|name| self.column(name).ok()).ok_or_else(|| "there is no column of times".into())
    }

    /// The version of a package.
    pub fn version(&self, package: &str) -> Result<String, Fault> {
        let words: Vec<&str> = self.versions.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let version = words.windows(2).find(|pair| pair[0] == package).map(|pair| pair[1].to_owned());
        version.ok_or_else(|| format!("no version of {package} is recorded"))
    }

    /// Is the row one of quadrille's own?
    pub fn is_ours(&self, row: &Row) -> bool {
        match self.column("side") {
            Ok(side) => &row[side] == "quadrille",
            Err(_) => self.column("contender").is_ok_and(|at| row[at].starts_with("quadrille")),
        }
    }
}
