const prefix = 'draft:'

/**
 * What is typed into a form of staff's and not saved yet: kept for this tab, so that neither a lost network nor a session that ends on
 * the way takes it along. Gone with the tab, and when somebody signs out.
 */
export const formDrafts = {
  /** What was typed under a name before; undefined for nothing. */
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
      // A tab that may keep no more still has it on the screen.
    }
  },
  drop: (name: string): void => sessionStorage.removeItem(prefix + name),
  dropAll: (): void => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  },
} as const
