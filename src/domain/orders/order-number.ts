// Crockford's base 32: no I, L, O or U to misread or to spell something with.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 8

/** An order number, `FP-` and eight characters, from eight random bytes. Throws on fewer. */
export const orderNumberFrom = (bytes: Uint8Array): string => {
  if (bytes.length < length) throw new RangeError(`An order number takes ${length} random bytes`)
  return `FP-${[...bytes.slice(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('')}`
}

/**
 * An order number as a person types or pastes it (any case, spaces, a `#` before or a full stop after it, dash or prefix missing, O for 0,
 * I or L for 1); null when it cannot be one.
 */
export const normaliseOrderNumber = (typed: string): string | null => {
  const bare = typed.toUpperCase().replace(/[\s\p{P}\p{S}\p{Cf}]/gu, '')
  const code = bare.length === length + 2 && bare.startsWith('FP') ? bare.slice(2) : bare
  const read = code.replaceAll('O', '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(read) ? `FP-${read}` : null
}
