import type { LastOpenedJob, LocalDatabase, StoredAccessCode } from './store/database.ts'
import { allowAccessRetry } from './store/job-access.ts'

type NewAccessCode = Omit<StoredAccessCode, 'subjectId'> & { subjectId?: number | null }
type SubjectToConfirm = { jobId: number; subjectId: number; proof?: string | null | undefined }

/** Keeps a code that opened a job, to be given again when the server forgets this device; carts that waited for one go on. */
export const saveAccessCode = (db: LocalDatabase, opened: NewAccessCode): Promise<void> =>
  db.transaction('rw', [db.codes, db.sending, db.device], async () => {
    await db.codes.put({ ...opened, subjectId: opened.subjectId ?? null })
    await allowAccessRetry(db, opened.jobId)
    await db.sending.where('jobId').equals(opened.jobId).modify({ paused: null, nextAt: 0 })
  })

/** What a code opened on this device before; null for one that is new here. */
export const findOpenedCode = async (
  db: LocalDatabase,
  { studioSlug, code }: Pick<StoredAccessCode, 'studioSlug' | 'code'>,
): Promise<{ jobId: number; subjectId: number | null } | null> => {
  const found = await db.codes.filter((one) => one.code === code && one.studioSlug === studioSlug).first()
  return found ? { jobId: found.jobId, subjectId: found.subjectId } : null
}

/** The studio of a job that a code opened on this device; undefined where no code is stored. */
export const storedStudioId = async (db: LocalDatabase, jobId: number): Promise<number | undefined> =>
  (await db.codes.where({ jobId }).first())?.studioId

/** Keeps that the customer confirmed this person, with the search's proof, that it found them; none where their own code opened them. */
export const saveConfirmedSubject = (
  db: LocalDatabase,
  { jobId, subjectId, proof = null }: SubjectToConfirm,
): Promise<void> =>
  db.transaction('rw', db.subjects, async () => {
    const known = await db.subjects.get([jobId, subjectId])
    await db.subjects.put({ jobId, subjectId, proof: proof ?? known?.proof ?? null })
  })

/** Where this device last was, for the way back in. */
export const saveLastOpenedJob = async (db: LocalDatabase, visit: LastOpenedJob) => {
  await db.device.put({ key: 'visit', value: visit })
}
