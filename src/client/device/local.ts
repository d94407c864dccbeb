import { openLocal } from '../../local/database.ts'
import { deviceStamp } from '../../local/stamp.ts'

/** The device's database, opened by the first screen that needs it; landing pages never import this. */
export const local = openLocal()

/** The device's clock and chance, for everything of `local` that asks for them. */
export const stamp = deviceStamp
