const prefix = 'draft:'

/**
 * Unsaved form values, stored in this tab's session storage so that they survive an expired session. Closing the tab or signing out
 * deletes them.
 */
export const formDrafts = {
  /** Returns the stored values; undefined if there are none. */
  read: (name: string): unknown => {
    const text = sessionStorage.getItem(prefix + name)
    if (text === null) return undefined
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  },
  keep: (name: string, typed: object): void => {
    try {
      sessionStorage.setItem(prefix + name, JSON.stringify(typed))
    } catch {
      // The storage is full: the values stay on the screen.
    }
  },
  drop: (name: string): void => sessionStorage.removeItem(prefix + name),
  dropAll: (): void => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  },
} as const
