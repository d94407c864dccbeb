const prefix = 'searched:'

/**
 * The names that were searched, shown again on going back. They are personal data, and history entries cannot be cleared: an entry holds
 * only an id, and the names are in this tab's session storage until "Finish on this device".
 */
export const searchedNames = {
  /** What was searched from the current entry of the history; undefined for nothing. */
  read: (): unknown => {
    const text = sessionStorage.getItem(prefix + window.history.state?.searchId)
    return text === null ? undefined : JSON.parse(text)
  },
  store: (names: object): void => {
    const searchId = crypto.randomUUID()
    try {
      sessionStorage.setItem(prefix + searchId, JSON.stringify(names))
      window.history.replaceState({ ...window.history.state, searchId }, '')
    } catch {
      // Where the tab can store nothing, going back shows an empty search.
    }
  },
  dropAll: (): void => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  },
} as const
