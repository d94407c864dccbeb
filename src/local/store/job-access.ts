import type { LocalDatabase, ShutDoors } from './database.ts'
import { sessionCount } from './session-count.ts'

/** The events whose doors are shut to this device. */
export const shutDoors = async (db: LocalDatabase): Promise<ShutDoors[]> => {
  const fact = await db.device.get('shut')
  return fact?.key === 'shut' ? fact.value : []
}

/** An event's doors where they are shut; undefined where they are open. */
export const shutDoorsOf = async (db: LocalDatabase, jobId: number): Promise<ShutDoors | undefined> =>
  (await shutDoors(db)).find((one) => one.jobId === jobId)

/** Writes down all that are shut, in place of what was known. */
export const noteShutDoors = async (db: LocalDatabase, value: ShutDoors[]): Promise<void> => {
  await (value.length > 0 ? db.device.put({ key: 'shut', value }) : db.device.delete('shut'))
}

/** Writes down how an event's doors stand; null where they are open. */
export const noteDoors = (db: LocalDatabase, jobId: number, doors: Omit<ShutDoors, 'jobId'> | null): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    const others = (await shutDoors(db)).filter((one) => one.jobId !== jobId)
    await noteShutDoors(db, doors ? [...others, { jobId, ...doors }] : others)
  })

/** The server turned a visit away from an event: its doors go before anything else. Nothing where that visit was finished meanwhile. */
export const noteTurnedAway = (db: LocalDatabase, jobId: number, session: number): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    if ((await sessionCount(db)) === session) await noteDoors(db, jobId, { refusal: null, stale: true })
  })

/** The customer has helped, or wants to try: doors whose codes were refused are worth a try again. */
export const hopeForDoors = (db: LocalDatabase, jobId: number): Promise<void> =>
  db.transaction('rw', db.device, async () => {
    const shut = await shutDoorsOf(db, jobId)
    if (shut) await noteDoors(db, jobId, { ...shut, refusal: null })
  })
