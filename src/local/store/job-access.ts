import type { LocalDatabase, LostAccess } from './database.ts'
import { sessionCount } from './session-count.ts'

/** The jobs to which this device lost access. */
export const jobsWithoutAccess = async (db: LocalDatabase): Promise<LostAccess[]> => {
  const fact = await db.device.get('shut')
  return fact?.key === 'shut' ? fact.value : []
}

/** The lost access to a job; undefined where the device has access. */
export const lostAccessOf = async (db: LocalDatabase, jobId: number): Promise<LostAccess | undefined> =>
  (await jobsWithoutAccess(db)).find((one) => one.jobId === jobId)

/** Replaces the list of jobs without access. */
export const saveLostAccess = async (db: LocalDatabase, value: LostAccess[]): Promise<void> => {
  await (value.length > 0 ? db.device.put({ key: 'shut', value }) : db.device.delete('shut'))
}

/** Stores the access to a job; null where the device has access. */
export const saveJobAccess = (
  db: LocalDatabase,
  jobId: number,
  access: Omit<LostAccess, 'jobId'> | null,
): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    const others = (await jobsWithoutAccess(db)).filter((one) => one.jobId !== jobId)
    await saveLostAccess(db, access ? [...others, { jobId, ...access }] : others)
  })

/** Marks the access to a job as lost after a 403. Does nothing where the session that got it has ended since. */
export const markAccessLost = (db: LocalDatabase, jobId: number, session: number): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    if ((await sessionCount(db)) === session) await saveJobAccess(db, jobId, { refusal: null, stale: true })
  })

/** Lets the stored codes be sent again after the customer entered another code, or asked for a retry. */
export const allowAccessRetry = (db: LocalDatabase, jobId: number): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    const lost = await lostAccessOf(db, jobId)
    if (lost) await saveJobAccess(db, jobId, { ...lost, refusal: null })
  })
