import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal: how secrets and personal words are kept where only equality is asked. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A UUID that is always the same for the same text: what the server makes is named by what it was made for. */
export const uuidFrom = (text: string): string => {
  const hex = hashOf(text)
  // Version 8 of RFC 9562: made by a rule of our own.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
