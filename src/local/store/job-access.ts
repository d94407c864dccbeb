import type { LocalDatabase, LostAccess } from './database.ts'
import { sessionCount } from './session-count.ts'

/** The events whose doors are shut to this device. */
export const jobsWithoutAccess = async (db: LocalDatabase): Promise<LostAccess[]> => {
  const fact = await db.device.get('shut')
  return fact?.key === 'shut' ? fact.value : []
}

/** An event's doors where they are shut; undefined where they are open. */
export const lostAccessOf = async (db: LocalDatabase, jobId: number): Promise<LostAccess | undefined> =>
  (await jobsWithoutAccess(db)).find((one) => one.jobId === jobId)

/** Writes down all that are shut, in place of what was known. */
export const saveLostAccess = async (db: LocalDatabase, value: LostAccess[]): Promise<void> => {
  await (value.length > 0 ? db.device.put({ key: 'shut', value }) : db.device.delete('shut'))
}

/** Writes down how an event's doors stand; null where they are open. */
export const saveJobAccess = (
  db: LocalDatabase,
  jobId: number,
  doors: Omit<LostAccess, 'jobId'> | null,
): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    const others = (await jobsWithoutAccess(db)).filter((one) => one.jobId !== jobId)
    await saveLostAccess(db, doors ? [...others, { jobId, ...doors }] : others)
  })

/** The server turned a visit away from an event: its doors go before anything else. Nothing where that visit was finished meanwhile. */
export const markAccessLost = (db: LocalDatabase, jobId: number, session: number): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    if ((await sessionCount(db)) === session) await saveJobAccess(db, jobId, { refusal: null, stale: true })
  })

/** The customer has helped, or wants to try: doors whose codes were refused are worth a try again. */
export const allowAccessRetry = (db: LocalDatabase, jobId: number): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    const shut = await lostAccessOf(db, jobId)
    if (shut) await saveJobAccess(db, jobId, { ...shut, refusal: null })
  })
