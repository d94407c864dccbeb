import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { openLocalDatabase } from '#local/store/database.ts'

/** The device's database, opened by the first screen that needs it; landing pages never import this. */
export const database = openLocalDatabase()

// That the database was cleared away is noticed when it is opened the next time, so it is read at once. Closed on purpose, it stays closed.
database.on('close', () => void setTimeout(() => database.device.count().catch(() => undefined)))

/** The device's clock and chance, for everything of `local` that asks for them. */
export const stamp = deviceStamp
