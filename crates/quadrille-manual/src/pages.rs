//! The pages of the repository.

use std::io;
use std::path::{Path, PathBuf};

/// All files below a folder with one of the endings, but for what tools have left there; in the order of their names.
pub fn all(folder: &Path, endings: &[&str]) -> io::Result<Vec<PathBuf>> {
    const LEFT_BY_TOOLS: [&str; 6] = ["target", ".git", "node_modules", "dist", "corpus", "shared"];
    let mut found = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !LEFT_BY_TOOLS.contains(&name.as_str()) && !name.starts_with(".venv") {
            found.extend(all(&path, endings)?);
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Those that may have figures in them: every Markdown page, and the sources whose documentation is published.
pub fn with_figures(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut pages = all(root, &[".md"])?;
    for sources in ["crates", "bindings"] {
        pages.extend(all(&root.join(sources), &[".rs"])?);
    }
    pages.retain(|page| !page.starts_with(root.join("crates/quadrille-manual")));
    Ok(pages)
}
