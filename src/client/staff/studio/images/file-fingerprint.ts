/** Bytes hashed from the start of a file, to distinguish files of the same name, size and date. */
const headBytes = 16_384

/** Two 32-bit FNV-1a hashes. They identify files and are not cryptographic; `crypto.subtle` would need https. */
const mixed = (bytes: Uint8Array): string => {
  let one = 0x811c9dc5
  let other = 0x01000193
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ byte, 0x85ebca6b)
  }
  return [one, other].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Identifies a file that is chosen again, on any device, by its name, size, date and first bytes. */
export const fingerprintOf = async (file: File): Promise<string> => {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  const named = new TextEncoder().encode(`${file.name}|${file.size}|${file.lastModified}`)
  return `${mixed(named)}${mixed(head)}`
}
