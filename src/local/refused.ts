import type { Stamp } from '../domain/mutation.ts'
import type { CartKey, LocalDatabase, OutboxRow } from './database.ts'
import { hopeForDoors } from './doors.ts'
import { inCartTransaction, newRow } from './outbox.ts'
import { saidSince } from './said-since.ts'
import { type DeviceFailed, surviving } from './surviving.ts'
import { goneBackground, withoutBackground } from './without-background.ts'

/** Mutations of a job that the server would not take, in the order they were made. */
export const refusedMutations = async (db: LocalDatabase, jobId: number): Promise<OutboxRow[]> => {
  const rows = await db.outbox.where('jobId').equals(jobId).sortBy('seq')
  return rows.filter((row) => row.state === 'refused')
}

/** Answers a problem only where the device fails. */
const inOneGo = (db: LocalDatabase, work: () => Promise<void>): Promise<DeviceFailed | undefined> =>
  surviving(db, () => inCartTransaction(db, work).then(() => undefined))

/** The customer lets it go, with all that was refused for the same line. */
export const dropRefused = (db: LocalDatabase, mutationId: string): Promise<DeviceFailed | undefined> =>
  inOneGo(db, async () => {
    const rows = await refusedTogether(db, mutationId)
    await db.outbox.bulkDelete(rows.map((row) => row.seq))
  })

/**
 * The customer wants it tried again: under new ids, since the server keeps its answer to the old ones, and after all else. What was
 * refused for its background goes without it: a line that is not in the cart can be given no other.
 */
export const retryRefused = (db: LocalDatabase, stamp: Stamp, mutationId: string): Promise<DeviceFailed | undefined> =>
  inOneGo(db, async () => {
    const rows = await refusedTogether(db, mutationId)
    await db.outbox.bulkDelete(rows.map((row) => row.seq))
    const key = rows.find((row) => row.mutationId === mutationId)
    if (!key) return
    const gone = rows.map(goneBackground).find((one) => one !== null) ?? null
    const said = await saidSince(
      db,
      key,
      rows.map(({ recorded }) => recorded),
    )
    const again = said.map(({ mutation, snapshot }) => {
      const bare = gone === null ? mutation : withoutBackground(mutation, gone)
      return newRow(key, { mutation: { ...bare, id: stamp.newId() }, snapshot })
    })
    await db.outbox.bulkAdd(again)
  })

/** The customer has helped (or wants to try): what was paused of the event is sent again, whichever way it was ordered. */
export const resumeCart = (db: LocalDatabase, key: CartKey): Promise<DeviceFailed | undefined> =>
  inOneGo(db, async () => {
    await hopeForDoors(db, key.jobId)
    await db.sending.where('jobId').equals(key.jobId).modify({ paused: null, nextAt: 0 })
  })

/** A line whose adding was refused takes its other changes along: alone they speak of nothing. */
const refusedTogether = async (db: LocalDatabase, mutationId: string): Promise<OutboxRow[]> => {
  const row = await db.outbox.where('mutationId').equals(mutationId).first()
  if (!row) return []
  if (row.lineId === null) return [row]
  return (await refusedMutations(db, row.jobId)).filter((one) => one.lineId === row.lineId)
}
