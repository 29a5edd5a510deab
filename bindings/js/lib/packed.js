// Modules as they are packed inside of files: base64 of deflated bytes.

export const unpacked = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

async function compiled(text) {
  const stream = new Blob([unpacked(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** A function that starts a module, once, and returns its classes. */
export function loader(text, start, classes) {
  let loaded;
  return () => {
    loaded ??= compiled(text).then((module) => {
      start(module);
      return classes;
    });
    return loaded;
  };
}
