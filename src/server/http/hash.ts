import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal: how secrets and personal words are kept where only equality is asked. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
