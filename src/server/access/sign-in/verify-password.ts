import { verify } from '@node-rs/argon2'
import type { Deps } from '#server/deps.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { enabledAccounts } from './token-pair.ts'

/** A hash that matches no password, at the same cost as ours, so that an unknown user takes as long as a wrong password. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$0123456789abcdefghijkg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Whether the password matches the hash; false, and just as slow, without a hash. */
const isPassword = async (password: string, kept: string | null | undefined): Promise<boolean> => {
  const right = await verify(kept ?? nobody, password)
  return right && kept != null
}

type PasswordAttempt = { readonly email: string; readonly password: string; readonly address: string }

/**
 * The user with this e-mail address and password; undefined where either is wrong, after the same time. Passwords are compared nowhere
 * else, so that every attempt counts against its account, whichever call makes it (section 4, guessing). Not inside a transaction, nor
 * inside another guard: both would wait for the address's own queue.
 */
export const verifyPassword = (deps: Deps, { email, password, address }: PasswordAttempt) =>
  bruteForceGuard(deps, { kind: 'sign-in', targets: [email], address }, async () => {
    const account = await enabledAccounts(deps.db).where('email', '=', email).executeTakeFirst()
    return (await isPassword(password, account?.password_hash)) ? account : undefined
  })
