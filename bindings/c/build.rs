//! Writes `include/quadrille.h`, which C and C++ include, from the functions in `src/border`.

fn main() {
    for changed in ["src", "cbindgen.toml", "include/quadrille.h"] {
        println!("cargo:rerun-if-changed={changed}");
    }
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder of the package");
    let header = cbindgen::generate(folder).expect("the functions can be declared in C");
    header.write_to_file("include/quadrille.h");
}
