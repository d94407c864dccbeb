import { hash } from '@node-rs/argon2'

/** Argon2id with the package's defaults (section 4); memory in KiB. One guess costs a tenth of a second. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes a password for storage; only `verifyPassword` compares one with it. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)
