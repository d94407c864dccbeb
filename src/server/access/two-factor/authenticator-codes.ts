import { Secret, TOTP } from 'otpauth'
import { normalizeAuthenticatorCode } from '#domain/studio/two-factor.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { openSealedText, sealText } from './sealed-text.ts'

/** The length of a key in bytes, as RFC 4226 recommends. */
const keyBytes = 20
/** Steps that the clock of a phone may be behind or ahead. */
const drift = 1

/** A new key of an authenticator app, in base 32. */
export const newAuthenticatorKey = ({ randomBytes }: Pick<Deps, 'randomBytes'>): string =>
  new Secret({ buffer: Uint8Array.from(randomBytes(keyBytes)).buffer }).base32

/** The URI that an authenticator app reads from a QR code. */
export const authenticatorUri = (email: string, key: string): string =>
  new TOTP({ issuer: 'Fieldproof', label: email, secret: key }).toString()

/** The step of 30 seconds that a code belongs to; undefined for a wrong code. */
export const stepOfCode = (key: string, typedCode: string, now: Date): number | undefined => {
  const token = normalizeAuthenticatorCode(typedCode)
  if (token === null) return undefined
  const timestamp = now.getTime()
  const delta = new TOTP({ secret: key }).validate({ token, timestamp, window: drift })
  return delta === null ? undefined : TOTP.counter({ timestamp }) + delta
}

const ownerOf = (userId: number): string => `authenticator ${userId}`

type StoredKey = { readonly userId: number; readonly key: string; readonly usedStep: number }

/** Stores the key of a user's authenticator app in place of the previous one. The code of `usedStep` was used. */
export const storeAuthenticatorKey = async (
  tx: Transaction,
  deps: Deps,
  { userId, key, usedStep }: StoredKey,
): Promise<void> => {
  const columns = {
    sealed_secret: sealText(deps, ownerOf(userId), key),
    last_used_step: usedStep,
    created_at: deps.clock(),
  }
  await tx
    .insertInto('totp_secrets')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/** Uses the code of a user's authenticator app, once; false for a wrong code or one that was used before. */
export const spendAuthenticatorCode = async (
  tx: Transaction,
  deps: Deps,
  { userId, code }: { readonly userId: number; readonly code: string },
): Promise<boolean> => {
  const stored = await tx
    .selectFrom('totp_secrets')
    .select('sealed_secret')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!stored) return false
  const key = openSealedText(deps, ownerOf(userId), stored.sealed_secret)
  if (key === undefined) {
    deps.log.warn({ userId }, 'the key of an authenticator app was sealed with another secret; reset the second factor')
    return false
  }
  const step = stepOfCode(key, code, deps.clock())
  if (step === undefined) return false
  const used = await tx
    .updateTable('totp_secrets')
    .set({ last_used_step: step })
    .where('user_id', '=', userId)
    .where('last_used_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}
