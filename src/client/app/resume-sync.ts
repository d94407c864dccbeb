// Where the browser does not tell, it may be there; where it is told to keep nothing, it refuses to look.
const databaseNames = async (): Promise<readonly (string | undefined)[]> => {
  if (!('indexedDB' in window)) return []
  if (!indexedDB.databases) return ['cart']
  const kept = await indexedDB.databases().catch(() => [])
  return kept.map(({ name }) => name)
}

/** Ends a visit that was finished here, or goes on sending what one left on the device; a first visitor's phone does not even fetch the code for it. */
export const resumeSync = async (): Promise<void> => {
  const names = await databaseNames()
  if (names.includes('staff')) (await import('../staff/kit/query/staff-sender.ts')).staffSender()
  if (!names.includes('cart')) return
  const { pendingLogout } = await import('#platform/session/pending-logout.ts')
  await pendingLogout.complete()
  const { startPageSync } = await import('#platform/sync/page-sync.ts')
  startPageSync()
}
