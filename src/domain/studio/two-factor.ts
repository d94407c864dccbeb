/** What is recorded about a user's two-factor sign-in, and mailed to them. */
export type SecurityChange =
  | 'authenticator-added'
  | 'authenticator-removed'
  | 'passkey-added'
  | 'passkey-renamed'
  | 'passkey-removed'
  | 'recovery-codes-made'
  | 'recovery-code-used'
  | 'second-factor-reset'
  | 'codes-guessed'

/** The codes that a user gets at once; each works once. */
export const recoveryCodeCount = 10

/** The limit on a user's passkeys. */
export const maxPasskeys = 20

/** The limit on the length of a passkey's name. */
export const maxPasskeyNameLength = 60

// Crockford's base 32: without I, L, O and U, which can be misread or form words.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupLength = 5

/** Random bytes of one recovery code: 5 bits of each are used, 50 bits in all. */
export const recoveryCodeBytes = 2 * groupLength

/** Makes a recovery code, two groups of five characters, from ten random bytes. Throws on fewer. */
export const recoveryCodeFrom = (bytes: Uint8Array): string => {
  if (bytes.length < recoveryCodeBytes) throw new RangeError(`A recovery code takes ${recoveryCodeBytes} random bytes`)
  const characters = [...bytes.slice(0, recoveryCodeBytes)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return `${characters.slice(0, groupLength)}-${characters.slice(groupLength)}`
}

/** Normalizes a typed or pasted recovery code (any case, spaces, O for 0, I or L for 1); null if it cannot be one. */
export const normalizeRecoveryCode = (typed: string): string | null => {
  const characters = typed
    .toUpperCase()
    .replace(/[\s\p{P}\p{Cf}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  if (!/^[0-9A-HJKMNP-TV-Z]{10}$/.test(characters)) return null
  return `${characters.slice(0, groupLength)}-${characters.slice(groupLength)}`
}

/** Normalizes a typed or pasted code of an authenticator app, such as `123 456`; null if it is not six digits. */
export const normalizeAuthenticatorCode = (typed: string): string | null => {
  const digits = typed.replace(/[\s\p{P}\p{Cf}]/gu, '')
  return /^\d{6}$/.test(digits) ? digits : null
}
