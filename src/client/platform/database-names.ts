/**
 * The names of the databases of this device. A browser that cannot list databases is assumed to have the cart's. If
 * storage is blocked, the promise is rejected.
 */
export const databaseNames = async (): Promise<readonly (string | undefined)[]> => {
  if (!('indexedDB' in window)) return []
  if (!indexedDB.databases) return ['cart']
  const databases = await indexedDB.databases().catch(() => [])
  return databases.map(({ name }) => name)
}
