import type { Ask } from '../../local/ask.ts'
import { dropCatalogue } from '../../local/finish.ts'
import { deviceLocks } from '../../local/locks.ts'
import { recover } from '../../local/visits.ts'
import { local, stamp } from './local.ts'

/** Takes a visit up again that the server does not know any more; answers whether it worked. */
export const recoverVisit = async (ask: Ask): Promise<boolean> => {
  const recovered = await recover(local, ask, { locks: deviceLocks, stamp, sessionChanged: dropCatalogue })
  return recovered.kind === 'recovered'
}
