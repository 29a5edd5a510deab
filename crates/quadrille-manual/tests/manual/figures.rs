//! Figures in pages and in the documentation of sources are those of the results.

use std::fs;

use quadrille_manual::figures::{Fault, Figure, Sources, renewed};
use quadrille_manual::pages;

use super::{RENEW, is_current, root};

/// The lines in which two texts differ.
fn differences(old: &str, new: &str) -> Vec<String> {
    let lines = old.lines().zip(new.lines()).filter(|(a, b)| a != b);
    lines.map(|(a, b)| format!("stands: {a}\nshould: {b}")).collect()
}

#[test]
fn figures_and_tables_of_all_pages_are_those_of_the_results() {
    let mut sources = Sources::new(&root().join("bench/results"));
    let (mut figures, mut tables, mut wrong) = (0, 0, Vec::new());
    for page in pages::with_figures(&root()).unwrap() {
        let old = fs::read_to_string(&page).unwrap();
        match renewed(&old, &mut sources) {
            Err(fault) => wrong.push(format!("{}: {fault}", page.display())),
            Ok(new) => {
                figures += new.figures;
                tables += new.tables;
                if !is_current(&page, new.text.as_bytes()) {
                    let page = page.display();
                    wrong.extend(differences(&old, &new.text).into_iter().map(|line| format!("{page}\n{line}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{RENEW}", wrong.join("\n\n"));
    assert!(figures > 60 && tables > 15, "only {figures} figures and {tables} tables were found");
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
    for page in
        pages::with_figures(&root()).unwrap().into_iter().filter(|page| page.extension().is_some_and(|e| e == "md"))
    {
        let text = fs::read_to_string(&page).unwrap();
        let mut is_made = false;
        let mut by_hand = Vec::new();
        for line in text.lines() {
            is_made |= line.starts_with("<!-- lines ") || line.starts_with("<!-- table ");
            is_made &= line != "<!-- end of table -->";
            if line.starts_with('|') && !is_made && !line.contains("<!--=") && has_figure(line) {
                by_hand.push(line);
            }
        }
        assert!(by_hand.len() < 2, "{}: {}\nname their source", page.display(), by_hand.join("\n"));
    }
}

const FRAMES: &str = "\
# date 2026-01-02, clock Cpu, a processor
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
task,map,contender,mean_us
queries,\"maze, width 1\",\"quadrille, cutting\",12.5
queries,\"maze, width 1\",plain,25
";

/// Results in a folder of the test's own.
fn sources(test: &str) -> Sources {
    let folder = std::env::temp_dir().join(format!("quadrille-figures-{}-{test}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.csv"), FRAMES).unwrap();
    fs::write(folder.join("paths.csv"), PATHS).unwrap();
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
        ("MB a.csv bytes_per_box: join; even; 2000; ours", 16.5e-6),
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

#[test]
fn figures_in_sentences_keep_their_digits() {
    let page = "It takes <!--= a.csv: join; even;\n2000; other -->1.0<!--/--> ns, or <!--= a.csv: join; even; 2000; other -->9<!--/-->, \
                by <!--= version a.csv fast -->?<!--/-->, <!--= made a.csv -->?<!--/-->. <!-- another comment -->";
    let new = renewed(page, &mut sources("sentences")).unwrap();
    assert_eq!((new.figures, new.tables), (4, 0));
    for part in ["-->1,234.5<!--/--> ns", "-->1,235<!--/-->,", "-->1.2.3<", "-->2026-01-02, CPU time, a processor<"] {
        assert!(new.text.contains(part), "{part} in {}", new.text);
    }
    assert_eq!(renewed(&new.text, &mut sources("sentences")).unwrap().text, new.text, "once is enough");
}

#[test]
fn a_table_names_the_best_of_each_side() {
    let page = "before\n<!-- table a.csv ours -->\nold\n<!-- end of table -->\nafter\n";
    let new = renewed(page, &mut sources("sides")).unwrap();
    assert!(
        new.text.contains("| join, even, 2,000 boxes | 2.00 | 1,235 (other) | 5.00 (fast) | 2.50 |"),
        "{}",
        new.text
    );
    assert!(new.text.starts_with("before\n") && new.text.ends_with("after\n") && !new.text.contains("old"));
    assert_eq!(renewed(&new.text, &mut sources("sides")).unwrap().text, new.text, "once is enough");
}

#[test]
fn a_table_has_a_line_for_each_scene() {
    let page = "<!-- lines a.csv by scene, n\nours = join; @; @; ours\nfast (slow) = {join; @; @; fast} ({join; @; @; slow})\n\
                fast = join; @; @; fast\n× = join; @; @; best rival / join; @; @; ours\nbold\n-->\n<!-- end of table -->";
    let new = renewed(page, &mut sources("lines")).unwrap();
    for line in [
        "| scene | boxes | ours | fast (slow) | fast | × |\n|---|--:|--:|--:|--:|--:|\n",
        "| even | 2,000 | **2.0** | 5 (9) | 5 | 2.50 |\n",
        "| heaps | 2,000 | **4.0** | – | 40 | 10.0 |\n",
    ] {
        assert!(new.text.contains(line), "{line} in {}", new.text);
    }
    assert_eq!(renewed(&new.text, &mut sources("lines")).unwrap().text, new.text, "once is enough");
}

#[test]
fn a_table_has_only_the_lines_that_are_asked_for() {
    let page = "<!-- lines a.csv by scene (heaps|nowhere)\nours = join; @; 2000; ours\n-->\n<!-- end of table -->";
    let new = renewed(page, &mut sources("only")).unwrap();
    assert!(new.text.contains("| heaps | 4.0 |") && !new.text.contains("even"), "{}", new.text);
}

#[test]
fn a_mark_in_the_wrong_place_is_a_fault() {
    for page in [
        "It takes <!--= a.csv: join; even; 2000; ours -->2",
        "It takes\n  <!--= a.csv: join; even; 2000; ours -->2<!--/-->",
        "<!-- table a.csv ours -->",
        "<!-- lines a.csv by scene\nours = join; @; 2000; ours\n-->",
        "<!-- table no.csv ours -->\n<!-- end of table -->",
        "<!-- never closed",
    ] {
        assert!(renewed(page, &mut sources("ends")).is_err(), "{page}");
    }
}
