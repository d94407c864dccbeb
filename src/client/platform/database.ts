import { ignoring } from '#domain/shared/ignoring.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { openLocalDatabase } from '#local/store/database.ts'

/** The device's database, opened by the first screen that imports it; landing pages never do. */
export const database = openLocalDatabase()

// A deleted database is only noticed on the next access, so access it at once.
database.on(
  'close',
  () => void setTimeout(() => ignoring('a database closed on purpose stays closed', () => database.device.count())),
)

/** The device's clock and id generator, for functions of `local`. */
export const stamp = deviceStamp
