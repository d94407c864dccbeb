import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Deps } from '#server/deps.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

type Sealing = Pick<Deps, 'settings'>

const keyOf = ({ settings }: Sealing): Buffer =>
  Buffer.from(hkdfSync('sha256', settings.secret, '', 'sealed texts', 32))

/** Encrypts a text with the server's secret. Whoever has only the database cannot read it. */
export const sealText = (deps: Sealing & Pick<Deps, 'randomBytes'>, owner: string, text: string): string => {
  const nonce = Buffer.from(deps.randomBytes(nonceBytes))
  const cipher = createCipheriv(algorithm, keyOf(deps), nonce).setAAD(Buffer.from(owner))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')
}

/** Decrypts a sealed text; undefined if it was sealed for another owner or with another secret. */
export const openSealedText = (deps: Sealing, owner: string, sealed: string): string | undefined => {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, keyOf(deps), bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
