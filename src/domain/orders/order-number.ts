// Crockford's base 32: without I, L, O and U, which can be misread or form words.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 8

/** Makes an order number, `FP-` and eight characters, from eight random bytes. Throws on fewer. */
export const orderNumberFrom = (bytes: Uint8Array): string => {
  if (bytes.length < length) throw new RangeError(`An order number takes ${length} random bytes`)
  return `FP-${[...bytes.slice(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('')}`
}

/**
 * Normalises a typed or pasted order number (any case; spaces, a leading `#` or trailing full stop; missing dash or
 * prefix; O for 0, I or L for 1); null if it cannot be one.
 */
export const normaliseOrderNumber = (typed: string): string | null => {
  const cleaned = typed.toUpperCase().replace(/[\s\p{P}\p{S}\p{Cf}]/gu, '')
  const code = cleaned.length === length + 2 && cleaned.startsWith('FP') ? cleaned.slice(2) : cleaned
  const corrected = code.replaceAll('O', '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(corrected) ? `FP-${corrected}` : null
}
