//! No link between the pages of this repository is dead: files and headings that Markdown names exist, chapters are in
//! the book, and the pages and headings that comments and documentation of the sources name exist too. `docs/build`
//! makes links of those names. Lines that pages quote from sources are in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use quadrille_manual::pages;

use super::root;

fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    pages::all(&root().join(folder), endings).unwrap()
}

/// Lines outside fenced code, with their numbers from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// A line without its code spans.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// The text between two marks, each time.
fn between<'a>(line: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    line.split(open).skip(1).filter_map(move |rest| rest.split_once(close).map(|(inside, _)| inside))
}

fn links(line: &str) -> Vec<String> {
    let line = without_code(line);
    let targets = between(&line, "](", ')').chain(between(&line, "src=\"", '"'));
    targets.filter(|target| !target.contains("://")).map(str::to_owned).collect()
}

/// The names by which headings are linked to.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|(_, line)| line.starts_with('#'));
    let slug = |heading: &str| -> String {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(|(_, line)| slug(line.trim_start_matches('#').trim())).collect()
}

/// Without `..`, so that paths can be compared.
fn resolved(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut done, part| {
        if part == Component::ParentDir {
            done.pop();
        } else {
            done.push(part);
        }
        done
    })
}

/// Why a link in a file leads nowhere, if it does.
fn fault(file: &Path, link: &str) -> Option<String> {
    let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = if target.is_empty() { file.to_owned() } else { resolved(&file.parent()?.join(target)) };
    if !path.exists() {
        return Some(format!("{link}: there is no such file"));
    }
    let is_page = path.extension().is_some_and(|ending| ending == "md");
    let is_dead = is_page && !anchor.is_empty() && !anchors(&fs::read_to_string(&path).unwrap()).contains(anchor);
    is_dead.then(|| format!("{link}: there is no such heading"))
}

#[test]
fn links_of_all_pages_lead_somewhere() {
    let mut dead = Vec::new();
    let mut count = 0;
    for file in files(".", &[".md"]) {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in prose(&text) {
            for link in links(line) {
                count += 1;
                let place = format!("{}:{number}", file.strip_prefix(root()).unwrap().display());
                dead.extend(fault(&file, &link).map(|fault| format!("{place}: {fault}")));
            }
        }
    }
    assert!(count > 100, "only {count} links were found: the test does not see them");
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn every_page_is_a_chapter_of_the_book() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let chapters: BTreeSet<PathBuf> = summary.lines().flat_map(links).map(|link| resolved(&docs.join(link))).collect();
    let mut pages = files("docs", &[".md"]);
    pages.retain(|page| !page.ends_with("SUMMARY.md"));
    assert_eq!(pages.into_iter().collect::<BTreeSet<_>>(), chapters);
}

#[test]
fn pages_headings_and_pictures_that_sources_name_exist() {
    let mut dead = Vec::new();
    let mut count = 0;
    for file in files(".", &[".rs", ".toml", ".py", ".js"]) {
        let text = fs::read_to_string(&file).unwrap_or_default();
        for rest in text.split("docs/").skip(1) {
            let end = rest.find(|c: char| !c.is_alphanumeric() && !"-_/.#".contains(c)).unwrap_or(rest.len());
            let name = rest[..end].trim_end_matches('.');
            if name.contains(".md") || name.ends_with(".png") {
                count += 1;
                let fault = fault(&root().join("docs/SUMMARY.md"), name);
                dead.extend(fault.map(|fault| format!("{}: docs/{fault}", file.display())));
            }
        }
    }
    assert!(count > 40, "only {count} names were found: the test does not see them");
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn every_structure_names_its_page() {
    let mut pages = files("docs/structures", &[".md"]);
    pages.retain(|page| !["overview.md", "from-n-squared.md"].iter().any(|other| page.ends_with(other)));
    assert_eq!(pages.len(), 9, "seven structures, Periodic and RegionQuadtree");
    let sources: Vec<String> =
        files("crates/quadrille/src", &[".rs"]).into_iter().map(|source| fs::read_to_string(source).unwrap()).collect();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let definition = format!("pub struct {}<", text.lines().next().unwrap().trim_start_matches("# "));
        let name = format!("`docs/{}`", page.strip_prefix(root().join("docs")).unwrap().display());
        let source = sources.iter().find(|source| source.contains(&definition));
        assert!(
            source.is_some_and(|source| source.contains(&name)),
            "the documentation of {definition}…> does not name {name}"
        );
    }
}

/// The source that a page quotes in the code block after a line: the last one that it links to.
fn quoted(page: &Path, before: &str) -> Option<PathBuf> {
    let source = links(before).into_iter().rfind(|link| link.ends_with(".rs"))?;
    Some(resolved(&page.parent()?.join(source)))
}

/// Lines without indentation and without those that are empty.
fn bare(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn lines_that_pages_quote_stand_in_their_source() {
    const FENCE: &str = "```rust,ignore\n";
    let mut count = 0;
    for page in files("docs", &[".md"]) {
        let text = fs::read_to_string(&page).unwrap();
        for (at, _) in text.match_indices(FENCE) {
            let paragraph = text[..at].trim_end().rsplit("\n\n").next().unwrap().replace('\n', " ");
            let source = quoted(&page, &paragraph);
            let source = source.unwrap_or_else(|| panic!("{}: {paragraph}: no source is named", page.display()));
            let quote = text[at + FENCE.len()..].split("```").next().unwrap();
            let whole = fs::read_to_string(&source).unwrap();
            let (quote, whole) = (bare(quote), bare(&whole));
            let stands = whole.windows(quote.len()).any(|lines| lines == quote);
            assert!(stands, "{}: not in {}: {quote:#?}", page.display(), source.display());
            count += 1;
        }
    }
    assert!(count >= 6, "only {count} quotes were found: the test does not see them");
}
