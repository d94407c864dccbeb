import type { LastOpenedJob, LocalDatabase, StoredAccessCode } from './store/database.ts'
import { allowAccessRetry } from './store/job-access.ts'

type NewAccessCode = Omit<StoredAccessCode, 'subjectId'> & { subjectId?: number | null }
type SubjectToConfirm = { jobId: number; subjectId: number; proof?: string | null | undefined }

/** Stores a code that opened a job, to be sent again after the server lost the session, and resumes carts that were paused for one. */
export const saveAccessCode = (db: LocalDatabase, opened: NewAccessCode): Promise<void> =>
  db.transaction('rw', [db.codes, db.sending, db.device], async () => {
    await db.codes.put({ ...opened, subjectId: opened.subjectId ?? null })
    await allowAccessRetry(db, opened.jobId)
    await db.sending.where('jobId').equals(opened.jobId).modify({ paused: null, nextAt: 0 })
  })

/** Returns what a code opened on this device before; null for a new code. */
export const findOpenedCode = async (
  db: LocalDatabase,
  { studioSlug, code }: Pick<StoredAccessCode, 'studioSlug' | 'code'>,
): Promise<{ jobId: number; subjectId: number | null } | null> => {
  const stored = await db.codes.filter((one) => one.code === code && one.studioSlug === studioSlug).first()
  return stored ? { jobId: stored.jobId, subjectId: stored.subjectId } : null
}

/** The studio of a job that a code opened on this device; undefined where no code is stored. */
export const storedStudioId = async (db: LocalDatabase, jobId: number): Promise<number | undefined> =>
  (await db.codes.where({ jobId }).first())?.studioId

/** Stores a confirmed subject with the search's proof; without one where the subject's own code opened it. */
export const saveConfirmedSubject = (
  db: LocalDatabase,
  { jobId, subjectId, proof = null }: SubjectToConfirm,
): Promise<void> =>
  db.transaction('rw', db.subjects, async () => {
    const known = await db.subjects.get([jobId, subjectId])
    await db.subjects.put({ jobId, subjectId, proof: proof ?? known?.proof ?? null })
  })

/** Stores the job opened last, for the link back to it. */
export const saveLastOpenedJob = async (db: LocalDatabase, job: LastOpenedJob) => {
  await db.device.put({ key: 'visit', value: job })
}
