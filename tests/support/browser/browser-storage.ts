import type { BrowserContext, Page } from 'playwright/test'

/** Everything a browser stores for a site, in all its kinds of storage. */
export type BrowserStorage = {
  /** Rows by database and table; empty tables are left out. */
  rows: Record<string, unknown[]>
  /** Paths by cache; empty caches are left out. */
  cached: Record<string, string[]>
  stored: Record<string, string>
  cookies: string[]
}

/** Reads IndexedDB, Cache Storage, localStorage, sessionStorage and the cookies. */
export const readBrowserStorage = async (context: BrowserContext, page: Page): Promise<BrowserStorage> => {
  const inPage = await page.evaluate(async () => {
    const opened = (name: string): Promise<IDBDatabase> =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
    const all = (db: IDBDatabase, table: string): Promise<unknown[]> =>
      new Promise((resolve, reject) => {
        const reading = db.transaction(table).objectStore(table).getAll()
        reading.onsuccess = () => resolve(reading.result)
        reading.onerror = () => reject(reading.error)
      })
    const rows: Record<string, unknown[]> = {}
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await opened(name)
      for (const table of db.objectStoreNames) {
        const found = await all(db, table)
        if (found.length > 0) rows[`${name}/${table}`] = found
      }
      db.close()
    }
    const cached: Record<string, string[]> = {}
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys()
      if (requests.length > 0) cached[name] = requests.map(({ url }) => new URL(url).pathname + new URL(url).search)
    }
    return { rows, cached, stored: { ...localStorage, ...sessionStorage } as Record<string, string> }
  })
  return { ...inPage, cookies: (await context.cookies()).map(({ name }) => name) }
}

/** The paths of the cached images, by the grant in their URL. */
export const imagePathsByGrant = ({ cached }: BrowserStorage): Map<string, string[]> => {
  const photos = Object.values(cached)
    .flat()
    .filter((path) => path.startsWith('/photos/'))
  return Map.groupBy(photos, (path) => path.split('/')[2] ?? '')
}
