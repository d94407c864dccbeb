import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { openLocal } from '#local/store/database.ts'

/** The device's database, opened by the first screen that needs it; landing pages never import this. */
export const local = openLocal()

// That the database was cleared away is noticed when it is opened the next time, so it is read at once. Closed on purpose, it stays closed.
local.on('close', () => void setTimeout(() => local.device.count().catch(() => undefined)))

/** The device's clock and chance, for everything of `local` that asks for them. */
export const stamp = deviceStamp
