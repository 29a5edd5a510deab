//! When and where a bench ran, and beside which versions.

/// Today in UTC as year-month-day.
pub fn date() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// The processor and its cores.
pub fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field =
        |name: &str| info.lines().find_map(|line| Some(line.strip_prefix(name)?.split_once(": ")?.1.to_owned()));
    let model = field("model name").unwrap_or_else(|| "unknown CPU".into());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model} (family {}), {cores} cores", field("cpu family").unwrap_or_default())
}

/// Name and version of each package on which a manifest depends directly.
pub fn versions(manifest: &str) -> Vec<String> {
    let packages = include_str!("../../Cargo.lock").split("[[package]]").filter_map(|package| {
        let field = |name: &str| {
            let value = |line: &'static str| line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"');
            package.lines().find_map(value)
        };
        let (name, version) = (field("name")?, field("version")?);
        let is_direct = manifest.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" =")));
        is_direct.then(|| format!("{name} {version}"))
    });
    packages.collect()
}
