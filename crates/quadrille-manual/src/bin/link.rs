//! Links the book and the documentation of the crates to each other where `docs/build` has put both, then checks that
//! no link is dead.
//!
//! Neither has a public address yet, so the sources contain names only: a page of the manual says `FrameTree`, a doc
//! comment says `docs/structures/frame-tree.md`. Here the names become links.
//!
//! `cargo run -p quadrille-manual --bin link -- FOLDER`, with the book in FOLDER/docs and the crates in FOLDER/api.

#![allow(clippy::print_stdout, reason = "a tool that reports")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Component, Path, PathBuf};

use quadrille_manual::pages;

type Outcome<T> = Result<T, Box<dyn Error>>;
/// The pages of types and traits by name, several if crates or modules share it; those of the library first.
type Items = BTreeMap<String, Vec<PathBuf>>;

/// Fewer links than this mean that names were not seen: about half of what there was when this was written.
const LEAST: [usize; 2] = [120, 20];

fn main() -> Outcome<()> {
    let folder =
        std::env::args().nth(1).ok_or("which folder? It holds the book in docs and the documentation in api")?;
    let root = Path::new(&folder).canonicalize()?;
    let (book, api) = (html(&root.join("docs"))?, api_pages(&root)?);
    let items = items(&root)?;
    let into_api = link(&root, &book, |name| item(&items, name))?;
    let into_book = link(&root, &api, |name| Some(chapter(&root, name)?.display().to_string()))?;
    let dead: Vec<String> =
        book.iter().chain(&api).map(|page| dead_links(&root, page)).collect::<Outcome<Vec<_>>>()?.concat();
    println!("{into_api} links from the book to the crates, {into_book} back, {} dead", dead.len());
    if !dead.is_empty() {
        return Err(format!("dead links:\n{}", dead.join("\n")).into());
    }
    if into_api < LEAST[0] || into_book < LEAST[1] {
        return Err(format!("at least {LEAST:?} links were expected").into());
    }
    Ok(())
}

/// All pages below a folder. mdBook's page about missing pages is left out: it is written for a server's root.
fn html(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = pages::all(folder, &[".html"])?;
    found.retain(|page| !page.ends_with("404.html"));
    Ok(found)
}

fn crates(root: &Path) -> Outcome<Vec<PathBuf>> {
    let folders = fs::read_dir(root.join("api"))?.map(|entry| Ok(entry?.path())).collect::<Outcome<Vec<_>>>()?;
    let mut crates: Vec<PathBuf> = folders.into_iter().filter(|folder| folder.join("all.html").exists()).collect();
    crates.sort();
    Ok(crates)
}

fn api_pages(root: &Path) -> Outcome<Vec<PathBuf>> {
    Ok(crates(root)?.iter().map(|folder| html(folder)).collect::<Outcome<Vec<_>>>()?.concat())
}

fn items(root: &Path) -> Outcome<Items> {
    let mut items = Items::new();
    for folder in crates(root)? {
        let is_library = folder.ends_with("quadrille");
        let all = fs::read_to_string(folder.join("all.html"))?;
        for (address, name) in
            all.split("<a href=\"").skip(1).filter_map(|rest| rest.split_once('<')?.0.split_once("\">"))
        {
            let is_type = ["struct.", "enum.", "trait.", "type."].iter().any(|kind| address.contains(kind));
            // Elsewhere, what lies in modules has everyday names, such as `Query`.
            if is_type && !address.contains("..") && (is_library || !address.contains('/')) {
                let name = name.rsplit("::").next().unwrap_or(name);
                items.entry(name.to_owned()).or_default().push(folder.join(address));
            }
        }
    }
    Ok(items)
}

/// The page, and place in it, of `Type`, `Type<…>` or `Type::member`. If crates share a name, the library wins; other
/// shared names have no link.
fn item(items: &Items, name: &str) -> Option<String> {
    let name = name.split("&lt;").next()?;
    let (ty, member) = name.split_once("::").map_or((name, None), |(ty, member)| (ty, Some(member)));
    let pages = items.get(ty)?;
    let of_library: Vec<&PathBuf> =
        pages.iter().filter(|page| page.components().any(|part| part.as_os_str() == "quadrille")).collect();
    let page = match (of_library.len(), pages.len()) {
        (1, _) => of_library[0],
        (_, 1) => &pages[0],
        _ => return None,
    };
    let Some(member) = member else { return Some(page.display().to_string()) };
    let text = fs::read_to_string(page).ok()?;
    let kinds = ["method", "tymethod", "variant", "associatedconstant", "structfield"];
    let place =
        kinds.iter().map(|kind| format!("{kind}.{member}")).find(|place| text.contains(&format!("id=\"{place}\"")))?;
    Some(format!("{}#{place}", page.display()))
}

/// The page of the book for `docs/….md`, with the heading if one follows after `#`.
fn chapter(root: &Path, name: &str) -> Option<PathBuf> {
    let (page, heading) = name.strip_prefix("docs/")?.split_once(".md")?;
    Some(root.join("docs").join(format!("{page}.html{heading}")))
}

/// Makes links of the code spans that have an address, unless they are links already; counts them.
fn link(root: &Path, pages: &[PathBuf], address: impl Fn(&str) -> Option<String>) -> Outcome<usize> {
    let mut count = 0;
    for page in pages {
        let text = fs::read_to_string(page)?;
        let mut parts = text.split("<code>");
        let mut done = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_linked = done.rfind("<a ") > done.rfind("</a>");
            let span = part
                .split_once("</code>")
                .filter(|_| !is_linked)
                .and_then(|(name, rest)| Some((name, address(name)?, rest)));
            if let Some((name, address, rest)) = span {
                let address = relative(root, page, &address)?;
                done += &format!("<a href=\"{address}\"><code>{name}</code></a>{rest}");
                count += 1;
            } else {
                done = done + "<code>" + part;
            }
        }
        fs::write(page, done)?;
    }
    Ok(count)
}

/// An address below the root as a page below it names it.
fn relative(root: &Path, page: &Path, address: &str) -> Outcome<String> {
    let up = page.strip_prefix(root)?.components().count() - 1;
    Ok("../".repeat(up) + &Path::new(address).strip_prefix(root)?.display().to_string())
}

/// Links of a page to files that do not exist, or to headings of the book that do not.
fn dead_links(root: &Path, page: &Path) -> Outcome<Vec<String>> {
    let text = fs::read_to_string(page)?;
    let mut dead = Vec::new();
    for mark in [" href=\"", " src=\""] {
        for (link, _) in text.split(mark).skip(1).filter_map(|rest| rest.split_once('"')) {
            if !link.contains(':') && !leads_somewhere(root, page, link) {
                dead.push(format!("{}: {link}", page.strip_prefix(root)?.display()));
            }
        }
    }
    Ok(dead)
}

fn leads_somewhere(root: &Path, page: &Path, link: &str) -> bool {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let file = if file.is_empty() { page.to_owned() } else { plain(&page.with_file_name("").join(file)) };
    // The page of a trait loads a list of other crates that implement it, which rustdoc writes only if there are any.
    if file.starts_with(root.join("api/trait.impl")) {
        return true;
    }
    let is_chapter = file.starts_with(root.join("docs")) && !heading.is_empty();
    file.exists()
        && (!is_chapter || fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("id=\"{heading}\""))))
}

/// Without `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
        plain
    })
}
