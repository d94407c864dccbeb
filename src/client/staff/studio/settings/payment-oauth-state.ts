import { randomId } from '#local/outbox/device-stamp.ts'

const storageKey = (studioId: number) => `payment connection of studio ${studioId}`

/**
 * Creates and stores the OAuth `state` for the provider's page. A redirect with any other `state` did not start in this tab, and its code
 * may belong to another account.
 */
export const createOauthState = (studioId: number): string => {
  const state = `${studioId}.${randomId()}`
  sessionStorage.setItem(storageKey(studioId), state)
  return state
}

/** Whether the redirect started in this tab. Each `state` is valid once. */
export const consumeOauthState = (studioId: number, state: string | null): boolean => {
  const storedState = sessionStorage.getItem(storageKey(studioId))
  sessionStorage.removeItem(storageKey(studioId))
  return storedState !== null && storedState === state
}
