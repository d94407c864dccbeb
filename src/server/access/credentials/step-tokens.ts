import { createHmac } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { create, nullable, StructError, string, type } from 'superstruct'
import { Id, Uuid } from '#contract/shapes/primitives.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/** Minutes until the token of each step expires. Setting up takes longer: the user may have to install an app. */
const lifeMinutes = {
  'second-factor': 5,
  'set-up': 15,
  manage: 15,
  'authenticator-key': 15,
  'passkey-registration': 5,
  'passkey-sign-in': 5,
} as const

export type StepPurpose = keyof typeof lifeMinutes

/** `value` is what the step must remember, such as its challenge. It is signed, not encrypted. */
type StepDraft = { readonly userId: number | null; readonly value: string }

/** A step of a sign-in or of a set-up, according to its token. */
export type Step = StepDraft & {
  readonly id: string
  readonly purpose: StepPurpose
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const Claims = type({ jti: Uuid, user: nullable(Id), value: string() })

type Signing = Pick<Deps, 'clock' | 'settings' | 'newId'>

/** Each purpose has its own key, so that no token works for another step, or as an access token. */
const keyOf = ({ settings }: Pick<Deps, 'settings'>, purpose: StepPurpose): Uint8Array =>
  createHmac('sha256', settings.secret)
    .update(JSON.stringify(['step', purpose]))
    .digest()

/** Signs the token of a step; `expiration` is its end, ISO 8601. */
export const signStepToken = async (
  deps: Signing,
  purpose: StepPurpose,
  { userId, value }: StepDraft,
): Promise<{ token: string; expiration: string }> => {
  const issued = deps.clock().getTime() / 1000
  const expires = Math.floor(issued) + lifeMinutes[purpose] * 60
  const token = await new SignJWT({ user: userId, value })
    .setProtectedHeader({ alg: 'HS256' })
    .setJti(deps.newId())
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(keyOf(deps, purpose))
  return { token, expiration: new Date(expires * 1000).toISOString() }
}

/** The step of a valid token for this purpose; undefined for any other token. */
export const readStepToken = async (
  deps: Pick<Deps, 'clock' | 'settings'>,
  purpose: StepPurpose,
  token: string,
): Promise<Step | undefined> => {
  try {
    const options = { algorithms: ['HS256'], currentDate: deps.clock(), requiredClaims: ['exp', 'iat', 'jti'] }
    const { payload } = await jwtVerify(token, keyOf(deps, purpose), options)
    const { jti: id, user: userId, value } = create(payload, Claims)
    const { iat = 0, exp = 0 } = payload
    return { id, purpose, userId, value, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof StructError) return undefined
    throw error
  }
}

/** Marks a step as done; false if it was done before. */
export const spendStep = async (
  tx: Transaction,
  { id, expiresAt }: Pick<Step, 'id' | 'expiresAt'>,
): Promise<boolean> => {
  const spent = await tx
    .insertInto('spent_tokens')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}

/** Deletes the ids of expired tokens. */
export const purgeSpentTokens = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await db.deleteFrom('spent_tokens').where('expires_at', '<', clock()).execute()
}
