import { randomId } from '#local/outbox/device-stamp.ts'

const keyFor = (studioId: number) => `stripe visit of studio ${studioId}`

/**
 * Begins a visit to the provider's page: what it is to bring back. Whoever comes back with anything else did not begin here, and their
 * code may be for somebody else's account.
 */
export const createOauthState = (studioId: number): string => {
  const state = `${studioId}.${randomId()}`
  sessionStorage.setItem(keyFor(studioId), state)
  return state
}

/** Whether somebody came back from the visit that began in this tab; each comes back once. */
export const consumeOauthState = (studioId: number, state: string | null): boolean => {
  const began = sessionStorage.getItem(keyFor(studioId))
  sessionStorage.removeItem(keyFor(studioId))
  return began !== null && began === state
}
