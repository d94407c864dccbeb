import { openShutDoors, recover } from './new-visit.ts'
import { doubt, serverIsWell } from './stumbles.ts'

/** What a sender does when the server knows the visit no more, or stumbles. Hardly anybody needs it, so a page fetches it when somebody does. */
export const rescue = { recover, openShutDoors, doubt, serverIsWell } as const

export type Rescue = typeof rescue
