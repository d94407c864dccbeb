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
  const pageStorage = await page.evaluate(async () => {
    const openDatabase = (name: string): Promise<IDBDatabase> =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const readAll = (db: IDBDatabase, table: string): Promise<unknown[]> =>
      new Promise((resolve, reject) => {
        const request = db.transaction(table).objectStore(table).getAll()
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const rows: Record<string, unknown[]> = {}
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await openDatabase(name)
      for (const table of db.objectStoreNames) {
        const tableRows = await readAll(db, table)
        if (tableRows.length > 0) rows[`${name}/${table}`] = tableRows
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
  return { ...pageStorage, cookies: (await context.cookies()).map(({ name }) => name) }
}

/** The paths of the cached images, by the grant in their URL. */
export const imagePathsByGrant = ({ cached }: BrowserStorage): Map<string, string[]> => {
  const imagePaths = Object.values(cached)
    .flat()
    .filter((path) => path.startsWith('/photos/'))
  return Map.groupBy(imagePaths, (path) => path.split('/')[2] ?? '')
}
