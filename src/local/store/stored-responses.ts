import { is } from 'superstruct'
import { pathOf } from '#contract/shapes/call.ts'
import { listShootSubjects, type ShootSubject } from '#contract/studio/shoots.ts'
import { toPage } from '#domain/shared/paging.ts'
import type { JobKey, StaffDatabase, StoredResponse } from './staff-database.ts'

/** Milliseconds after which a stored answer is deleted: the children of a shoot that is over do not stay on the tablet. */
const storedForMs = 7 * 24 * 60 * 60 * 1000

/** Stores what a call answered, in place of what it answered before. */
export const storeResponse = async (
  db: StaffDatabase,
  answer: { address: string; studioId: number; data: unknown; now: number },
): Promise<void> => {
  const { now, ...stored } = answer
  await db.answers.put({ ...stored, storedAt: now })
}

/** What a call answered last on this device; undefined where nothing is stored. */
export const loadStoredResponse = async (db: StaffDatabase, address: string): Promise<unknown> =>
  (await db.answers.get(address))?.data

export const rosterUrl = (job: JobKey): string => pathOf(listShootSubjects, job, {})

/** Puts people as the server knows them now into the stored list of their shoot; nothing where no list is stored. */
export const updateStoredRoster = (db: StaffDatabase, job: JobKey, people: readonly ShootSubject[]): Promise<void> =>
  db.transaction('rw', db.answers, async () => {
    const stored = await db.answers.get(rosterUrl(job))
    if (!stored || !is(stored.data, listShootSubjects.answer)) return
    const byId = new Map(toPage<ShootSubject>(stored.data).resultItems.map((one) => [one.subjectId, one]))
    for (const person of people) byId.set(person.subjectId, person)
    await db.answers.put({ ...stored, data: [...byId.values()] })
  })

/** Whether nothing of the answer's studio waits to be sent; what was refused waits for staff, who are online then. */
const notWaitedFor = async (db: StaffDatabase) => {
  const rows = await db.requests.where('state').anyOf('new', 'sent').toArray()
  const waiting = new Set(rows.map(({ lane }) => lane))
  return ({ studioId }: StoredResponse): boolean => !waiting.has(`studio ${studioId}`)
}

/** Deletes what is stored for too long, but for studios with requests that still wait. */
export const purgeStoredResponses = async (db: StaffDatabase, now: number): Promise<void> => {
  await db.answers
    .where('storedAt')
    .below(now - storedForMs)
    .filter(await notWaitedFor(db))
    .delete()
}

/** Deletes everything that is stored, but for studios with requests that still wait: at sign-out. */
export const dropStoredAnswers = async (db: StaffDatabase): Promise<void> => {
  await db.answers.filter(await notWaitedFor(db)).delete()
}
