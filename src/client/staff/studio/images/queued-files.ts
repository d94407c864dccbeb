import { atom, getDefaultStore } from 'jotai'
import type { Upload as TusUpload } from 'tus-js-client'
import type { Upload } from '#contract/studio/uploads.ts'
import type { MatchMethod } from '#domain/subjects/match-images.ts'

/** Destination of uploaded files: a job, and the images' owner or the method that matches them. */
export type UploadTarget = {
  studioId: number
  jobId: number
  matchBy?: MatchMethod | null
  subjectId?: number
  groupId?: number
}

/**
 * A file in the queue: `waiting` for its turn or the network, `sending`, `paused` by the user, `checking` (sent, and processed by the
 * server), `done`, `refused` by the server, or `failed` and worth a retry.
 */
export type QueuedFile = {
  id: string
  target: UploadTarget
  fileName: string
  size: number
  sent: number
  state: 'waiting' | 'sending' | 'paused' | 'checking' | 'done' | 'refused' | 'failed'
  reason: string | null
}

/** Content of a queued file, and its upload. */
export type UploadEntry = {
  file: File
  fingerprint: string
  /** The server's record of the upload; null until it is created. */
  upload: Pick<Upload, 'id' | 'key'> | null
  /** The running transfer, if any. */
  sending: TusUpload | null
}

/** The upload queue of this tab, independent of the current screen. */
export const uploadQueueAtom = atom<readonly QueuedFile[]>([])
const store = getDefaultStore()
export const queuedFiles = (): readonly QueuedFile[] => store.get(uploadQueueAtom)
export const setQueuedFiles = (files: readonly QueuedFile[]): void => store.set(uploadQueueAtom, files)

/** Upload entries by the id of the queued file. */
export const uploadEntries = new Map<string, UploadEntry>()

/** Changes a queued file. */
export const changeFile = (id: string, changes: Partial<QueuedFile>): void =>
  setQueuedFiles(queuedFiles().map((file) => (file.id === id ? { ...file, ...changes } : file)))

const stateByUploadState: Record<Upload['state'], QueuedFile['state']> = {
  receiving: 'waiting',
  received: 'checking',
  processed: 'done',
  refused: 'refused',
  abandoned: 'failed',
}

/** Applies the server's state of a file. A file that is being sent or paused keeps its local state until it is fully received. */
export const applyServerState = (id: string, upload: Upload): void => {
  const entry = uploadEntries.get(id)
  const file = queuedFiles().find((queuedFile) => queuedFile.id === id)
  if (!entry || !file) return
  entry.upload = upload
  const state = stateByUploadState[upload.state]
  const isStillSending = state === 'waiting' && (file.state === 'sending' || file.state === 'paused')
  changeFile(id, { sent: upload.receivedBytes, state: isStillSending ? file.state : state, reason: upload.refusal })
}

/** Resets a file whose upload the server has deleted, so that the upload is created again. */
export const resetUpload = (id: string): void => {
  const entry = uploadEntries.get(id)
  if (entry) entry.upload = null
  changeFile(id, { state: 'waiting', sent: 0 })
}
