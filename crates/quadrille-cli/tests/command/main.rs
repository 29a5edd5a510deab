//! Runs the command as people do, and looks at what it prints, writes and refuses.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod art;
#[path = "../../examples/balloons.rs"]
#[expect(dead_code, reason = "the program around it")]
mod balloons;
mod bench;
mod beyond;
mod documents;
mod formats;
mod help;
#[cfg(target_os = "linux")]
mod hostile;
mod joins;
mod near;
mod pairs;
mod path;
mod printed;
mod real_data;
mod real_maps;
mod room;
mod shapes;
mod sim;
mod units;
mod view;

/// Files of the command whose functions [`units`] calls.
macro_rules! sources {
    ($($name:ident $file:literal)*) => {
        $(
            #[path = $file]
            #[allow(dead_code, reason = "what no unit test calls")]
            mod $name;
        )*
    };
}

sources! {
    failure "../../src/failure.rs"
    frame "../../src/near/frame.rs"
    names "../../src/names.rs"
    quads "../../src/art/quads.rs"
    quantity "../../src/quantity.rs"
    swatches "../../src/art/swatches.rs"
    text "../../src/text.rs"
}
