import { is } from 'superstruct'
import { pathOf } from '#contract/shapes/call.ts'
import { listShootSubjects, type ShootSubject } from '#contract/studio/shoots.ts'
import { toPage } from '#domain/shared/paging.ts'
import type { JobKey, StaffDatabase, StoredResponse } from './staff-database.ts'

/**
 * Milliseconds after which a stored response is deleted, so that children's names do not stay on a tablet after their
 * shoot.
 */
const storedForMs = 7 * 24 * 60 * 60 * 1000

/** Stores the response of a call, in place of an earlier one. */
export const storeResponse = async (
  db: StaffDatabase,
  answer: { address: string; studioId: number; data: unknown; now: number },
): Promise<void> => {
  const { now, ...stored } = answer
  await db.answers.put({ ...stored, storedAt: now })
}

/** The stored response of a call; undefined if there is none. */
export const loadStoredResponse = async (db: StaffDatabase, address: string): Promise<unknown> =>
  (await db.answers.get(address))?.data

export const storedRosterUrl = (job: JobKey): string => pathOf(listShootSubjects, job, {})

/**
 * Updates subjects in the stored roster of their job with the server's current data. Does nothing if no roster is stored.
 */
export const updateStoredRoster = (db: StaffDatabase, job: JobKey, subjects: readonly ShootSubject[]): Promise<void> =>
  db.transaction('rw', db.answers, async () => {
    const stored = await db.answers.get(storedRosterUrl(job))
    if (!stored || !is(stored.data, listShootSubjects.answer)) return
    const byId = new Map(toPage<ShootSubject>(stored.data).resultItems.map((subject) => [subject.subjectId, subject]))
    for (const subject of subjects) byId.set(subject.subjectId, subject)
    await db.answers.put({ ...stored, data: [...byId.values()] })
  })

/**
 * Returns a predicate: whether the response's studio has no unsent requests. Rejected requests do not count, because staff
 * need a connection to resolve them.
 */
const createDeletableFilter = async (db: StaffDatabase) => {
  const rows = await db.requests.where('state').anyOf('new', 'sent').toArray()
  const lanesWithUnsent = new Set(rows.map(({ lane }) => lane))
  return ({ studioId }: StoredResponse): boolean => !lanesWithUnsent.has(`studio ${studioId}`)
}

/** Deletes expired responses, except those of studios with unsent requests. */
export const purgeStoredResponses = async (db: StaffDatabase, now: number): Promise<void> => {
  await db.answers
    .where('storedAt')
    .below(now - storedForMs)
    .filter(await createDeletableFilter(db))
    .delete()
}

/** Deletes all stored responses at sign-out, except those of studios with requests that are not sent yet. */
export const deleteStoredResponses = async (db: StaffDatabase): Promise<void> => {
  await db.answers.filter(await createDeletableFilter(db)).delete()
}
