//! Where pictures and films are saved: in the working directory, or by the browser as downloads.

use std::io::{self, Write};

#[cfg(not(target_arch = "wasm32"))]
type Place = io::BufWriter<std::fs::File>;
#[cfg(target_arch = "wasm32")]
type Place = Vec<u8>;

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Saved {
    name: String,
    place: Place,
}

impl Write for Saved {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.place.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.place.flush()
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Saved {
    /// The first of `quadrille-1.png`, `quadrille-2.png`, … that is not there.
    pub(crate) fn create(extension: &str) -> io::Result<Self> {
        let names = (1..10_000).map(|number| format!("quadrille-{number}.{extension}"));
        // Another viewer may save here, too: a name is free if its file could be made.
        let mut made = names.map(|name| (std::fs::File::create_new(&name), name));
        let is_free =
            |made: &io::Result<_>| !matches!(made, Err(error) if error.kind() == io::ErrorKind::AlreadyExists);
        let (file, name) = made
            .find(|(made, _)| is_free(made))
            .ok_or_else(|| io::Error::other("there are ten thousand pictures here already"))?;
        Ok(Self { place: io::BufWriter::new(file?), name })
    }

    /// Finishes the file and returns its name.
    pub(crate) fn finish(mut self) -> io::Result<String> {
        self.place.flush()?;
        Ok(self.name)
    }
}

#[cfg(target_arch = "wasm32")]
impl Saved {
    /// `quadrille.png`; a browser that has one already gives it a number.
    pub(crate) fn create(extension: &str) -> io::Result<Self> {
        Ok(Self { name: format!("quadrille.{extension}"), place: Vec::new() })
    }

    /// Finishes the file, hands it to the browser, and returns the suggested name.
    pub(crate) fn finish(self) -> io::Result<String> {
        self.hand_over().map_err(|error| io::Error::other(format!("{error:?}")))?;
        Ok(self.name)
    }

    /// A browser saves the target of a clicked link that has a download name.
    fn hand_over(&self) -> Result<(), wasm_bindgen::JsValue> {
        use wasm_bindgen::JsCast;

        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(self.place.as_slice()));
        let address = web_sys::Url::create_object_url_with_blob(&web_sys::Blob::new_with_u8_array_sequence(&parts)?)?;
        let document = web_sys::window().and_then(|window| window.document()).ok_or("there is no page")?;
        let link: web_sys::HtmlAnchorElement = document.create_element("a")?.unchecked_into();
        link.set_href(&address);
        link.set_download(&self.name);
        link.click();
        web_sys::Url::revoke_object_url(&address)
    }
}
