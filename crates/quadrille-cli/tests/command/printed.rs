//! Commands that pages and `--help` print are read by the parser of the command, so that none names an option that is
//! gone.

use std::fs;
use std::path::{Path, PathBuf};

use quadrille_cli::command;

/// In a checkout, this runs the command.
const BY_CARGO: [&str; 2] = ["cargo run --release -- ", "cargo run --release --no-default-features -- "];
const PAGES: [&str; 5] = ["README.md", "CONTRIBUTING.md", "docs", "crates", "bindings"];

/// Markdown pages in a folder, except those that tools have left there.
fn pages(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return Vec::from_iter(path.extension().is_some_and(|ending| ending == "md").then(|| path.to_owned()));
    }
    let Ok(entries) = path.read_dir() else { return Vec::new() };
    let inside = entries.map(|entry| entry.unwrap().path());
    inside
        .filter(|path| !["target", "node_modules"].iter().any(|name| path.ends_with(name)))
        .flat_map(|path| pages(&path))
        .collect()
}

/// What a page prints.
enum Code {
    /// A line of a block, with its continuation lines.
    Line(String),
    /// Code between backticks in a sentence: often only part of a command.
    Mention(String),
}

fn code(page: &str) -> Vec<Code> {
    let page = page.replace("\\\n", " ");
    let mut found = Vec::new();
    for (at, part) in page.split("```").enumerate() {
        if at % 2 == 1 {
            found.extend(part.lines().map(|line| Code::Line(line.into())));
        } else {
            let spans = part.split("\n\n").flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2));
            found.extend(spans.map(|span| Code::Mention(span.split_whitespace().collect::<Vec<_>>().join(" "))));
        }
    }
    found
}

/// The words of a command as a shell divides them; it ends before a comment, a redirection or the like.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        let word = words.last_mut().unwrap();
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            // The number of a stream is part of what follows it.
            (None, '>') if ["1", "2"].contains(&word.as_str()) => {
                word.clear();
                break;
            }
            (None, '|' | '>' | ';' | '&') => break,
            (None, '#') if word.is_empty() => break,
            (None, letter) if letter.is_whitespace() => words.push(String::new()),
            (_, letter) => word.push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The commands in a line: those at its beginning and after a `|`, if the name of a subcommand follows.
fn commands(line: &str) -> Vec<Vec<String>> {
    let line = line.trim_start().trim_start_matches("$ ");
    let line = BY_CARGO.iter().fold(line.to_owned(), |line, start| line.replace(start, "quadrille "));
    let starts = line.starts_with("quadrille ").then_some(0);
    let piped = line.match_indices("| quadrille ").map(|(at, _)| at + 2);
    let found = starts.into_iter().chain(piped).map(|at| words(&line[at..]));
    found.filter(|words| words.get(1).is_some_and(|name| command().find_subcommand(name).is_some())).collect()
}

/// Does it show a form: `[FILE2]`, `FILE`, `…`?
fn is_form(words: &[String]) -> bool {
    let is_placeholder = |word: &String| {
        let letters = word.trim_matches(['[', ']']).trim_end_matches(char::is_numeric);
        word.contains(['[', '…']) || !letters.is_empty() && letters.chars().all(|letter| letter.is_ascii_uppercase())
    };
    words.iter().any(is_placeholder)
}

/// Why the parser rejects it.
fn fault(words: &[String]) -> Option<String> {
    // Help is not an error.
    command().try_get_matches_from(words).err().filter(clap::Error::use_stderr).map(|error| error.to_string())
}

/// An option in it that the command does not have.
fn unknown_option(words: &[String]) -> Option<String> {
    let mut command = command();
    // Adds `--help`.
    command.build();
    let known: Vec<&str> =
        command.find_subcommand(&words[1])?.get_arguments().filter_map(|argument| argument.get_long()).collect();
    let words = words.iter().map(|word| word.trim_matches(['[', ']'])).take_while(|word| *word != "--");
    let options = words.filter_map(|word| word.strip_prefix("--"));
    options
        .map(|option| option.split('=').next().unwrap_or(option))
        .find(|option| !known.contains(option))
        .map(|option| format!("there is no --{option}"))
}

/// How many commands there are in some code, and what is wrong with them. Of forms and mentions, only the names of
/// options are checked.
fn faults(place: &str, code: &[Code]) -> (usize, Vec<String>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for part in code {
        let (Code::Line(text) | Code::Mention(text)) = part;
        for words in commands(text) {
            let is_whole = matches!(part, Code::Line(_)) && !is_form(&words);
            let fault = if is_whole { fault(&words) } else { unknown_option(&words) };
            wrong.extend(fault.map(|fault| format!("{place}: {}: {fault}", words.join(" "))));
            count += 1;
        }
    }
    (count, wrong)
}

#[test]
fn commands_that_pages_print_are_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut count, mut wrong) = (0, Vec::new());
    for page in PAGES.iter().flat_map(|name| pages(&root.join(name))) {
        let (more, faults) = faults(&page.display().to_string(), &code(&fs::read_to_string(&page).unwrap()));
        count += more;
        wrong.extend(faults);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} commands were found");
}

#[test]
fn examples_of_the_help_are_taken() {
    for command in command().get_subcommands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default().replace("\\\n", " ");
        // Explanations follow two blanks.
        let examples = help.lines().filter_map(|line| line.trim_start().split("  ").next());
        let examples: Vec<Code> = examples.map(|line| Code::Line(line.into())).collect();
        let (_, faults) = faults(command.get_name(), &examples);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn what_the_command_does_not_take_is_found() {
    let page = "`quadrille\npairs a.csv --colour`, `quadrille near FILE --wide`\n\n```sh\nquadrille bench --scene nowhere # a comment\n\
                duckdb -c 'x' | quadrille pairs - --within 5 --out 'a b.csv' 2>/dev/null | head\n```\n";
    let (count, faults) = faults("page", &code(page));
    assert_eq!((count, faults.len()), (4, 3), "{faults:?}");
}
