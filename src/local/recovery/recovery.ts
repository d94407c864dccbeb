import { bisectAfterServerError, confirmServerHealthy } from '../transport/poison-mutations.ts'
import { recoverSession, restoreLostAccess } from './recover-session.ts'

/**
 * What the sender does after the server lost the session, or failed with a server error. Rarely needed, so a page loads
 * it on demand.
 */
export const recovery = { recoverSession, restoreLostAccess, bisectAfterServerError, confirmServerHealthy } as const

export type Recovery = typeof recovery
