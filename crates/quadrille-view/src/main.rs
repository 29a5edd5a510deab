//! The viewer in a window: `quadrille-view [VIEW] [--map FILE] [--tracks FILE]... [--boxes FILE] [--report FILE] [--seconds N]`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    quadrille_view::window::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
