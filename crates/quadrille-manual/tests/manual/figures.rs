//! Figures in pages and in the documentation of sources are those of the results.

use std::fs;
use std::path::Path;

use quadrille_manual::figures::quotes::{self, Quotation, Renewed, renewed};
use quadrille_manual::figures::{Fault, Figure, Sources, with_tables};
use quadrille_manual::pages;

use super::{RENEW, is_current, root};

/// The lines in which two texts differ.
fn differences(old: &str, new: &str) -> Vec<String> {
    let lines = old.lines().zip(new.lines()).filter(|(a, b)| a != b);
    lines.map(|(a, b)| format!("stands: {a}\nshould: {b}")).collect()
}

const QUOTED: &str = "docs/figures.txt";

/// Path, text and quotations.
type Page = (String, String, Vec<Quotation>);

/// Every page; and the paths of quotations that are of none.
fn quoted_pages() -> (Vec<Page>, Vec<String>) {
    let mut quoted = quotes::parse(&fs::read_to_string(root().join(QUOTED)).unwrap()).unwrap();
    let pages = pages::with_figures(&root()).unwrap().into_iter().map(|page| {
        let name = page.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        let quotations = quoted.remove(&name).unwrap_or_default();
        (name, fs::read_to_string(page).unwrap(), quotations)
    });
    (pages.collect(), quoted.into_keys().collect())
}

#[test]
fn figures_and_tables_of_all_pages_are_those_of_the_results() {
    let mut sources = Sources::new(&root().join("bench/results"));
    let (pages, no_pages) = quoted_pages();
    let (mut quotations, mut tables, mut wrong) = (0, 0, Vec::new());
    for (page, old, quoted) in pages {
        let (text, count) = with_tables(&old, &mut sources).unwrap_or_else(|fault| {
            wrong.push(format!("{page}: {fault}"));
            (old.clone(), 0)
        });
        let Renewed { text: new, stale, faults } = renewed(&text, &quoted, &mut sources);
        wrong.extend(faults.iter().map(|fault| format!("{page}: {fault}")));
        if !is_current(&root().join(&page), new.as_bytes()) {
            wrong.extend(differences(&old, &text).iter().chain(&stale).map(|lines| format!("{page}: {lines}")));
        }
        quotations += quoted.len();
        tables += count;
    }
    wrong.extend(no_pages.iter().map(|page| format!("{page}: is no page, but {QUOTED} quotes it")));
    assert!(wrong.is_empty(), "{}\n{RENEW}", wrong.join("\n\n"));
    assert!(quotations > 60 && tables > 15, "only {quotations} quotations and {tables} tables were found");
}

/// Does a line of a table hold a number with digits behind the point, alone in its cell or with a unit?
fn has_figure(line: &str) -> bool {
    line.split('|').any(|cell| {
        let number = cell.trim().trim_matches('*').split(' ').next().unwrap_or_default();
        number.contains('.') && number.replace(',', "").parse::<f64>().is_ok()
    })
}

#[test]
fn no_table_of_figures_is_written_by_hand() {
    for (page, text, quoted) in quoted_pages().0.into_iter().filter(|(page, ..)| page.ends_with(".md")) {
        let braced = quotes::braced(&text, &quoted);
        let (mut is_made, mut was_in_table) = (false, false);
        let mut by_hand = Vec::new();
        for (line, braced) in text.lines().zip(braced.lines()) {
            is_made |= line.starts_with("<!-- lines ");
            is_made &= !was_in_table || line.starts_with('|');
            was_in_table = is_made && line.starts_with('|');
            if line.starts_with('|') && !is_made && line == braced && has_figure(line) {
                by_hand.push(line);
            }
        }
        assert!(by_hand.len() < 2, "{page}: {}\nname their sources in {QUOTED}", by_hand.join("\n"));
    }
}

const FRAMES: &str = "\
# date 2026-01-02, clock Cpu, a processor (family 25)
# versions: fast 1.2.3 slow 4.5.6
task,scene,n,contender,side,median_ns,bytes_per_box,unit
join,even,2000,ours,quadrille,2.0,16.5,box
join,even,2000,other,quadrille,1234.5,20,box
join,even,2000,slow,rival,9,1,box
join,even,2000,fast,rival,5,1,box
join,heaps,2000,ours,quadrille,4.0,18,box
join,heaps,2000,fast,rival,40,1,box
";

const PATHS: &str = "\
# date 2026-01-02, a processor (family 23)
task,map,contender,mean_us
queries,\"maze, width 1\",\"quadrille, cutting\",12.5
queries,\"maze, width 1\",plain,25
";

/// Nobody wrote down the machine.
const OLD: &str = "# date 2026-01-02\ntask,ns\njoin,7\n";

/// Results in a folder of the test's own.
fn sources(test: &str) -> Sources {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("figures").join(test);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.csv"), FRAMES).unwrap();
    fs::write(folder.join("paths.csv"), PATHS).unwrap();
    fs::write(folder.join("old.csv"), OLD).unwrap();
    Sources::new(&folder)
}

fn figure(text: &str, sources: &mut Sources) -> Result<f64, Fault> {
    Figure::parse(text)?.of(&[], sources)
}

#[test]
fn a_figure_is_what_its_source_says() {
    let mut sources = sources("source");
    for (text, value) in [
        ("a.csv: join; even; 2000; ours", 2.0),
        ("a.csv bytes_per_box: join; even; 2000; ours", 16.5),
        ("ms a.csv: join; heaps; 2000; fast", 0.08),
        ("ms paths.csv: queries; maze, width 1; plain", 0.025),
        ("MB a.csv bytes_per_box: join; even; 2000; ours", 0.033),
        ("a.csv: join; even; 2000; best rival", 5.0),
        ("a.csv: join; even; 2000; best but ours", 5.0),
        ("a.csv: join; even; 2000; best but fast", 2.0),
        ("most a.csv: join; *; 2000; best but ours / join; *; 2000; ours", 10.0),
        ("a.csv: join; even; 2000; best rival / join; even; 2000; ours", 2.5),
        ("least a.csv: join; *; 2000; best rival / join; *; 2000; ours", 2.5),
        ("most a.csv: join; *; 2000; best rival / join; *; 2000; ours", 10.0),
        ("most a.csv: join; *; *; ours", 4.0),
        ("most a.csv: join; even|heaps; 2000; fast / join; even|heaps; 2000; ours", 10.0),
        ("paths.csv: queries; maze, width 1; plain / queries; maze, width 1; quadrille, cutting", 2.0),
        ("paths.csv: queries; maze, width 1; best rival", 25.0),
    ] {
        assert_eq!(figure(text, &mut sources), Ok(value), "{text}");
    }
}

#[test]
fn a_figure_without_a_source_is_a_fault() {
    let mut sources = sources("fault");
    for text in [
        "a.csv",
        "b.csv: join",
        "a.csv: join; even; 2000; nobody",
        "a.csv: join; *; 2000; ours",
        "a.csv colour: join; even; 2000; ours",
        "a.csv side: join; even; 2000; ours",
        "a.csv: join; heaps; 2000; slow / join; heaps; 2000; ours",
    ] {
        assert!(figure(text, &mut sources).is_err(), "{text}");
    }
}

/// A page whose quotations are these, renewed.
fn with_quoted(test: &str, page: &str, quoted: &str) -> Renewed {
    let all = quotes::parse(&format!("# page\n\n{quoted}")).unwrap();
    renewed(page, &all["page"], &mut sources(test))
}

#[test]
fn figures_in_sentences_keep_their_digits() {
    let page = "//! It takes 1.0\n//! ns, or 9,\n//! from 1 to 3.0 times, by 2.0.1, 2026-01-02,\n//! a machine. <!-- another comment -->";
    let quoted = "takes {} ns, or {},\n    a.csv: join; even; 2000; other\n    a.csv: join; even; 2000; other\n\
                  from {} to {} times\n    range a.csv: join; *; 2000; best rival / join; *; 2000; ours\n\
                  by {}, {}. <\n    version a.csv fast\n    made a.csv\n";
    let new = with_quoted("sentences", page, quoted);
    let text = "//! It takes 1,234.5\n//! ns, or 1,235,\n//! from 3 to 10.0 times, by 1.2.3, \
                2026-01-02, CPU time, a processor (family 25). <!-- another comment -->";
    assert_eq!((&*new.text, new.stale.len(), new.faults), (text, 6, vec![]));
    assert_eq!(new.stale[0], "`takes {} ns, or {},`: 1.0 should be 1,234.5");
    let broken = text.replace("CPU time,", "CPU time,\n//!");
    let again = with_quoted("sentences", &broken, quoted);
    assert_eq!((again.text, again.stale, again.faults), (broken, vec![], vec![]), "once is enough");
}

#[test]
fn a_quotation_that_does_not_fit_is_a_fault() {
    let source = "\n    a.csv: join; even; 2000; ours\n";
    for (page, quoted, fault) in [
        ("in two ms", format!("in {{}} ms{source}"), "fits in 0 places"),
        ("in 2 ms, in 3 ms", format!("in {{}} ms{source}"), "fits in 2 places"),
        ("in 2 ms", "in {} ms\n".into(), "1 figures, 0 sources"),
        ("in 2 ms", format!("in 2 ms{source}"), "0 figures, 1 sources"),
        ("in 2 to 2 ms", format!("in {{}} to {{}} ms{source}"), "2 figures, 1 sources"),
        ("in 2 ms", "in {} ms\n    a.csv: join; nowhere; 2000; ours\n".into(), "no line has these keys"),
        ("on 2026-01-02 here", "on {} here\n    made b.csv\n".into(), "b.csv"),
        ("in 1 to 1 ms", format!("in {{}} to 1{source}to {{}} ms{source}"), "`in {} to 1`: fits in 0 places"),
        ("in <!--= a.csv: join; even; 2000; ours -->2<!--/--> ms", String::new(), "quote its figure"),
        (
            "in 2 or 12.5 ms",
            format!("in {{}}{source}or {{}} ms\n    paths.csv: *; *; quadrille, cutting\n"),
            "two machines",
        ),
        (
            "in 2, 7 or 12.5 ms",
            format!(
                "in {{}}{source}, {{}} or\n    old.csv: join\nor {{}} ms\n    paths.csv: *; *; quadrille, cutting\n"
            ),
            "two machines",
        ),
    ] {
        let faults = with_quoted("wrong", page, &quoted).faults;
        assert!(faults.iter().any(|found| found.contains(fault)), "{page}: {faults:?}");
    }
    let new = with_quoted("begin", "12.5 ms, in 1 ms", &format!("{{}} ms, in 1{source}"));
    assert_eq!((&*new.text, new.faults), ("2.0 ms, in 1 ms", vec![]), "a figure is a whole number");
    let new = with_quoted("twice", "in 12 ms", &format!("in {{}}{source}{{}} ms{source}"));
    assert_eq!((&*new.text, new.faults), ("in 2 ms", vec![]), "quoted twice, written once");
    assert!(quotes::parse("in {} ms\n").is_err() && quotes::parse("# page\n    a.csv: join\n").is_err());
}

#[test]
fn two_sentences_or_rows_may_have_figures_of_two_machines() {
    let source = "\n    a.csv: join; even; 2000; ours\n";
    let other = "\n    paths.csv: *; *; quadrille, cutting\n";
    for (page, quoted) in [
        ("in 2 ms. Or 12.5 ms", format!("in {{}}{source}Or {{}} ms{other}")),
        ("| a 2 |\n| b 12.5 |", format!("a {{}}{source}b {{}}{other}")),
    ] {
        assert_eq!(with_quoted("machines", page, &quoted).faults, [""; 0], "{page}");
    }
}

#[test]
fn a_table_has_a_line_for_each_scene() {
    let page = "<!-- lines a.csv by scene, n\nours = join; @; @; ours\nfast (slow) = {join; @; @; fast} ({join; @; @; slow})\n\
                fast = join; @; @; fast\n× = join; @; @; best rival / join; @; @; ours\nbold\n-->\n\nAfter.\n";
    let (new, _) = with_tables(page, &mut sources("lines")).unwrap();
    for line in [
        "| scene | boxes | ours | fast (slow) | fast | × |\n|---|--:|--:|--:|--:|--:|\n",
        "| even | 2,000 | **2.0** | 5 (9) | 5 | 2.50 |\n",
        "| heaps | 2,000 | **4.0** | – | 40 | 10.0 |\n\nAfter.\n",
    ] {
        assert!(new.contains(line), "{line} in {new}");
    }
    assert_eq!(with_tables(&new, &mut sources("lines")).unwrap().0, new, "once is enough");
}

#[test]
fn a_table_has_only_the_lines_that_are_asked_for() {
    let page = "<!-- lines a.csv by scene (heaps|nowhere)\nours = join; @; 2000; ours\n-->";
    let (new, _) = with_tables(page, &mut sources("only")).unwrap();
    assert!(new.contains("| heaps | 4.0 |") && !new.contains("even"), "{}", new);
}

#[test]
fn a_table_that_cannot_be_made_is_a_fault() {
    for page in [
        "<!-- lines no.csv by scene\nours = join; @; 2000; ours\n-->",
        "<!-- lines never closed",
        "<!-- lines a.csv by scene\nours = join; @; 2000; ours\nbytes = colour: join; @; 2000; ours\n-->",
    ] {
        assert!(with_tables(page, &mut sources("ends")).is_err(), "{page}");
    }
}
