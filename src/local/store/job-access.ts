import type { LocalDatabase } from './database.ts'
import { sessionCount } from './device-entries.ts'
import type { LostAccess } from './rows.ts'

/** The jobs to which this device lost access. */
export const jobsWithoutAccess = async (db: LocalDatabase): Promise<LostAccess[]> => {
  const entry = await db.device.get('shut')
  return entry?.key === 'shut' ? entry.value : []
}

/** The lost access to a job; undefined if the device has access. */
export const lostAccessOf = async (db: LocalDatabase, jobId: number): Promise<LostAccess | undefined> =>
  (await jobsWithoutAccess(db)).find((access) => access.jobId === jobId)

/** Replaces the list of jobs without access. */
export const saveLostAccess = async (db: LocalDatabase, value: LostAccess[]): Promise<void> => {
  await (value.length > 0 ? db.device.put({ key: 'shut', value }) : db.device.delete('shut'))
}

/** Stores that the device lost access to a job, or with null that it has access. */
export const saveJobAccess = (
  db: LocalDatabase,
  jobId: number,
  access: Omit<LostAccess, 'jobId'> | null,
): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    const others = (await jobsWithoutAccess(db)).filter((entry) => entry.jobId !== jobId)
    await saveLostAccess(db, access ? [...others, { jobId, ...access }] : others)
  })

/** Marks the access to a job as lost after a 403. Does nothing if the session that received it has ended since. */
export const markAccessLost = (db: LocalDatabase, jobId: number, session: number): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    if ((await sessionCount(db)) === session) await saveJobAccess(db, jobId, { rejection: null, stale: true })
  })

/** Lets the stored codes be sent again after the customer entered another code, or asked for a retry. */
export const allowAccessRetry = (db: LocalDatabase, jobId: number): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    const lostAccess = await lostAccessOf(db, jobId)
    if (lostAccess) await saveJobAccess(db, jobId, { ...lostAccess, rejection: null })
  })
