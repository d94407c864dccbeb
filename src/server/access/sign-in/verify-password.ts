import { verify } from '@node-rs/argon2'
import type { Deps } from '#server/deps.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { enabledAccounts } from './token-pair.ts'

/** A hash of nothing anybody knows, of the same cost as ours: so that an unknown user takes as long as a wrong password. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$0123456789abcdefghijkg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Whether the password is the one that was hashed; false, and as slow, where there is none. */
const isPassword = async (password: string, kept: string | null | undefined): Promise<boolean> => {
  const right = await verify(kept ?? nobody, password)
  return right && kept != null
}

type PasswordAttempt = { readonly email: string; readonly password: string; readonly address: string }

/**
 * Who signs in with this e-mail address and password; undefined for a wrong one of either, after the same time. The one place where a
 * password is compared, so that each try counts against its account by whatever call it comes (section 4, guessing). Not inside a
 * transaction, nor inside another guard: both would wait for the address's own line.
 */
export const verifyPassword = (deps: Deps, { email, password, address }: PasswordAttempt) =>
  bruteForceGuard(deps, { kind: 'sign-in', targets: [email], address }, async () => {
    const account = await enabledAccounts(deps.db).where('email', '=', email).executeTakeFirst()
    return (await isPassword(password, account?.password_hash)) ? account : undefined
  })
