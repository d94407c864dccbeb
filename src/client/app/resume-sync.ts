import { databaseNames } from '#platform/landing.ts'

/**
 * Completes a pending logout, then resumes sending the changes stored on this device. A new device has neither, and
 * does not load the code for them.
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
