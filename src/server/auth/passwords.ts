import { hash, verify } from '@node-rs/argon2'

/** Argon2id as the package has it by default (section 4); memory in KiB. A tenth of a second is what one guess costs. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What is kept of a password. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** A hash of nothing anybody knows, of the same cost: so that an unknown user takes as long as a wrong password. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$0123456789abcdefghijkg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Whether the password is the one that was hashed; false, and as slow, where there is none. */
export const isPassword = async (password: string, kept: string | null | undefined): Promise<boolean> => {
  const right = await verify(kept ?? nobody, password)
  return right && kept != null
}
