const databaseName = 'cart'

// Where the browser does not tell, it may be there; where it is told to keep nothing, it refuses to look.
const hasDatabase = async (): Promise<boolean> => {
  if (!('indexedDB' in window)) return false
  if (!indexedDB.databases) return true
  const kept = await indexedDB.databases().catch(() => [])
  return kept.some(({ name }) => name === databaseName)
}

/** Ends a visit that was finished here, or goes on sending what one left on the device; a first visitor's phone does not even fetch the code for it. */
export const resumeSending = async (): Promise<void> => {
  if (!(await hasDatabase())) return
  const { farewell } = await import('./farewell.ts')
  await farewell.settle()
  const { startSending } = await import('./sending.ts')
  startSending()
}
