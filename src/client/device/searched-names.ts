const prefix = 'searched:'

/**
 * The names that were searched, for going back to them. They are personal: the history, which cannot be cleared, holds only an id of each;
 * the names are stored for this tab until somebody finishes on the device.
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
