// The module as it is packed inside this file: base64 of deflated bytes.

import text from "made/packed";

export const packed = () => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
