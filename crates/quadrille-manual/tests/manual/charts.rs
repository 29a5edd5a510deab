//! The charts that pages show are drawn from their results.

use std::collections::BTreeSet;
use std::fs;

use quadrille_manual::charts::chart;
use quadrille_manual::figures::Sources;
use quadrille_manual::pages;

use super::{RENEW, is_current, root};

#[test]
fn charts_that_pages_show_are_those_of_the_results() {
    let folder = root().join("bench/results");
    let mut sources = Sources::new(&folder);
    let mut shown = BTreeSet::new();
    for page in pages::all(&root().join("docs"), &[".md"]).unwrap() {
        let text = fs::read_to_string(page).unwrap();
        let names = text.split("bench/results/").skip(1).filter_map(|rest| rest.split(')').next());
        shown.extend(names.filter(|name| name.ends_with(".svg")).map(str::to_owned));
    }
    assert!(shown.len() >= 3, "only {shown:?}: the test does not see them");
    let is_stale = |name: &&String| !is_current(&folder.join(name), chart(name, &mut sources).unwrap().as_bytes());
    let stale: Vec<&String> = shown.iter().filter(is_stale).collect();
    assert!(stale.is_empty(), "{stale:?}: {RENEW}");
}
