import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal, for secrets and personal data that are only compared. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Derives a UUID from a text. A retry with the same text gets the same UUID. */
export const uuidFrom = (text: string): string => {
  const hex = hashOf(text)
  // Version 8 of RFC 9562: a custom UUID.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
