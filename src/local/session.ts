import type { LocalDatabase } from './store/database.ts'
import { incrementSessionCount } from './store/device-entries.ts'
import { allowAccessRetry } from './store/job-access.ts'
import type { LastOpenedJob, StoredAccessCode } from './store/rows.ts'

type NewAccessCode = Omit<StoredAccessCode, 'subjectId'> & { subjectId?: number | null }
type SubjectToConfirm = { jobId: number; subjectId: number; proof?: string | null | undefined }

/**
 * Stores a code that opened a job, to be redeemed again after the server lost the session, and resumes the paused carts
 * of the job.
 */
export const saveAccessCode = (db: LocalDatabase, accessCode: NewAccessCode): Promise<void> =>
  db.transaction('rw', [db.codes, db.sending, db.device], async () => {
    await db.codes.put({ ...accessCode, subjectId: accessCode.subjectId ?? null })
    await allowAccessRetry(db, accessCode.jobId)
    await db.sending.where('jobId').equals(accessCode.jobId).modify({ paused: null, nextAt: 0 })
  })

/** Returns what a code, of one studio or of any, opened on this device before; null for a new code. */
export const findOpenedCode = async (
  db: LocalDatabase,
  { studioSlug, code }: { studioSlug?: string; code: string },
): Promise<Pick<StoredAccessCode, 'studioSlug' | 'jobId' | 'subjectId'> | null> => {
  const stored = await db.codes
    .filter((entry) => entry.code === code && (studioSlug ?? entry.studioSlug) === entry.studioSlug)
    .first()
  return stored ? { studioSlug: stored.studioSlug, jobId: stored.jobId, subjectId: stored.subjectId } : null
}

/** The studio of a job that a code opened on this device; undefined if no code is stored. */
export const storedStudioId = async (db: LocalDatabase, jobId: number): Promise<number | undefined> =>
  (await db.codes.where({ jobId }).first())?.studioId

/** Stores a confirmed subject with the search's proof; without one if the subject's own code opened it. */
export const saveConfirmedSubject = (
  db: LocalDatabase,
  { jobId, subjectId, proof = null }: SubjectToConfirm,
): Promise<void> =>
  db.transaction('rw', db.subjects, async () => {
    const existing = await db.subjects.get([jobId, subjectId])
    await db.subjects.put({ jobId, subjectId, proof: proof ?? existing?.proof ?? null })
  })

/** Stores the job opened last, for the link back to it. */
export const saveLastOpenedJob = async (db: LocalDatabase, job: LastOpenedJob) => {
  await db.device.put({ key: 'visit', value: job })
}

/**
 * Deletes grants that the worker stored between clearing the device and the end of the session on the server. Responses
 * still in flight belong to an earlier session and are ignored.
 */
export const purgeGrants = (db: LocalDatabase): Promise<void> =>
  db.transaction('rw', [db.grants, db.device], async () => {
    await db.grants.clear()
    await incrementSessionCount(db)
  })
