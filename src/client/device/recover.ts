import type { Ask, Failed } from '../../local/ask.ts'
import { dropCatalogue } from '../../local/drop-catalogue.ts'
import { deviceLocks } from '../../local/locks.ts'
import { finishRecovering, recover } from '../../local/visits.ts'
import { local, stamp } from './local.ts'

const parts = { locks: deviceLocks, stamp, sessionChanged: dropCatalogue }

/** Takes a visit up again that the server does not know any more; answers whether it worked. */
export const recoverVisit = async (ask: Ask): Promise<boolean> =>
  (await recover(local, ask, parts)).kind === 'recovered'

/** Opens what was left shut when the visit was taken up again; why that does not go right now, or null once nothing is shut any more. */
export const openDoors = async (ask: Ask): Promise<Failed | null> => {
  // A device that keeps nothing left nothing shut.
  const recovered = await finishRecovering(local, ask, parts).catch(console.warn)
  return recovered?.kind === 'later' ? recovered.answer : null
}
