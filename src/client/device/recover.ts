import type { Ask } from '../../local/ask.ts'
import { recover } from '../../local/visits.ts'
import { local } from './local.ts'

/** Takes a visit up again that the server does not know any more; answers whether it worked. */
export const recoverVisit = async (ask: Ask): Promise<boolean> => (await recover(local, ask)).kind === 'recovered'
