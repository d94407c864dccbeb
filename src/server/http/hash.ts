import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal: how secrets and personal data are stored where only equality is checked. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A UUID that is always the same for the same text, so that what the server creates is named by its cause. */
export const uuidFrom = (text: string): string => {
  const hex = hashOf(text)
  // Version 8 of RFC 9562: made by a rule of our own.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
