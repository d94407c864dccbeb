import { ignoring } from '#domain/shared/ignoring.ts'

const prefix = 'searched:'

/**
 * The searched names, restored on Back. They are personal data and history entries cannot be cleared, so an entry holds
 * only an id, and the names are in session storage until "Finish on this device".
 */
export const searchedNames = {
  /** The search of the current history entry; undefined if none. */
  read: (): unknown => {
    const text = sessionStorage.getItem(prefix + window.history.state?.searchId)
    return text === null ? undefined : JSON.parse(text)
  },
  store: (names: object): void => {
    const searchId = crypto.randomUUID()
    void ignoring('Back shows an empty search', () => {
      sessionStorage.setItem(prefix + searchId, JSON.stringify(names))
      window.history.replaceState({ ...window.history.state, searchId }, '')
    })
  },
  dropAll: (): void => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  },
} as const
