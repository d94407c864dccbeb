import { hash, verify } from '@node-rs/argon2'
import type { Deps } from '#server/deps.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { enabledAccounts } from '../tokens/token-pair.ts'

/** Argon2id with the package's defaults (section 4); memory in KiB. One guess costs a tenth of a second. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes a password for storage; only `verifyPassword` compares one with it. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** A hash of the same cost that matches no password, so that an unknown user takes as long as a wrong password. */
const unmatchableHash =
  '$argon2id$v=19$m=19456,t=2,p=1$0123456789abcdefghijkg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Whether the password matches the hash; without a hash it is false after the same time. */
const isPassword = async (password: string, storedHash: string | null | undefined): Promise<boolean> => {
  const isMatch = await verify(storedHash ?? unmatchableHash, password)
  return isMatch && storedHash != null
}

type PasswordAttempt = { readonly email: string; readonly password: string; readonly address: string }

/**
 * Finds the user with this e-mail address and password; undefined, after the same time, if either is wrong. Passwords
 * are compared only here, so that every attempt counts against its account, whichever call makes it (section 4,
 * guessing). Do not call it inside a transaction or another guard, which would stay open while this call waits.
 */
export const verifyPassword = (deps: Deps, { email, password, address }: PasswordAttempt) =>
  bruteForceGuard(deps, { kind: 'sign-in', targets: [email], address }, async () => {
    const account = await enabledAccounts(deps.db).where('email', '=', email).executeTakeFirst()
    return (await isPassword(password, account?.password_hash)) ? account : undefined
  })
