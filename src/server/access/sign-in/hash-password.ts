import { hash } from '@node-rs/argon2'

/** Argon2id as the package has it by default (section 4); memory in KiB. A tenth of a second is what one guess costs. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What is kept of a password; what is typed is compared with it by `tryPassword` alone. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)
