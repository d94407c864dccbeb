import { encodeQR } from 'qr'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** Escapes text for HTML, attributes included. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** A text, such as a URL, as a QR code in SVG, with the quiet zone of four modules that scanners need. */
export const qrCodeSvg = (text: string): string =>
  // Without crisp edges, seams show between squares that fall between two pixels.
  encodeQR(text, 'svg', { ecc: 'medium', border: 4 }).replace('<svg ', '<svg shape-rendering="crispEdges" ')
