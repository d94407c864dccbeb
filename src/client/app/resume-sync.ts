// If the browser cannot list databases, assume that it exists; if storage is blocked, the call throws.
const databaseNames = async (): Promise<readonly (string | undefined)[]> => {
  if (!('indexedDB' in window)) return []
  if (!indexedDB.databases) return ['cart']
  const databases = await indexedDB.databases().catch(() => [])
  return databases.map(({ name }) => name)
}

/**
 * Ends a session that was finished here, or resumes sending stored changes. On a new device it does not even load the
 * code for it.
 */
export const resumeSync = async (): Promise<void> => {
  const names = await databaseNames()
  if (names.includes('staff')) (await import('../staff/kit/query/staff-sender.ts')).staffSender()
  if (!names.includes('cart')) return
  const { pendingLogout } = await import('#platform/session/pending-logout.ts')
  await pendingLogout.complete()
  const { startPageSync } = await import('#platform/sync/page-sync.ts')
  startPageSync()
}
