import { doubt, serverIsWell } from '../transport/poison-mutations.ts'
import { openShutDoors, recover } from './recover-session.ts'

/** What a sender does when the server knows the visit no more, or stumbles. Hardly anybody needs it, so a page fetches it when somebody does. */
export const rescue = { recover, openShutDoors, doubt, serverIsWell } as const

export type Rescue = typeof rescue
