// Modules as they are packed inside of files: base64 of deflated bytes.

export const unpacked = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export async function compiled(text) {
  const stream = new Blob([unpacked(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
