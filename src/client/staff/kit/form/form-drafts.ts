import { ignoring } from '#domain/shared/ignoring.ts'

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
  store: (name: string, values: object): void => {
    void ignoring('if the storage is full, the values remain on the screen', () =>
      sessionStorage.setItem(prefix + name, JSON.stringify(values)),
    )
  },
  drop: (name: string): void => sessionStorage.removeItem(prefix + name),
  dropAll: (): void => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  },
} as const
