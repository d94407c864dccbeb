import { type DetailedError, Upload as TusUpload } from 'tus-js-client'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { session } from '#client/staff/kit/session/current-session.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { postUploads, uploadBytesPath } from '#contract/studio/uploads.ts'
import { online, reportReachable } from '#platform/online.ts'
import { fingerprintOf } from './file-fingerprint.ts'
import {
  changeFile,
  type QueuedFile,
  queuedFiles,
  resetUpload,
  setQueuedFiles,
  type UploadEntry,
  type UploadTarget,
  uploadEntries,
} from './queued-files.ts'
import { createAllUploads, readAllUploadStates } from './upload-requests.ts'

/** Limit of parallel uploads, so that each has enough of a slow connection's bandwidth. */
const maxConcurrent = 3
/** Bytes per request, small enough to be sent over a slow connection before the timeout. An interrupted request loses one part. */
const partBytes = 4 * 1024 * 1024
const statusPollMs = 1500
const retryDelaysMs = [0, 1000, 3000, 5000, 10_000]

let isPaused = false
let pollTimer: ReturnType<typeof setTimeout> | undefined
let createTimer: ReturnType<typeof setTimeout> | undefined

const checkingFiles = (): QueuedFile[] => queuedFiles().filter(({ state }) => state === 'checking')

/** Polls the server while files are being checked. */
const scheduleStatusPoll = (): void => {
  if (pollTimer !== undefined || checkingFiles().length === 0) return
  pollTimer = setTimeout(async () => {
    pollTimer = undefined
    const polledFiles = checkingFiles()
    await readAllUploadStates(polledFiles)
    if (checkingFiles().length < polledFiles.length) void queryClient.invalidateQueries()
    if (polledFiles.some(({ id }) => uploadEntries.get(id)?.upload === null)) await resumeSending()
    scheduleStatusPoll()
  }, statusPollMs)
}

const statusOf = (error: Error | DetailedError): number | 'unreachable' =>
  'originalResponse' in error && error.originalResponse ? error.originalResponse.getStatus() : 'unreachable'

/** Delay in milliseconds from the response's `Retry-After`, at least five seconds. */
const retryDelayMs = (error: Error | DetailedError): number => {
  const header = 'originalResponse' in error ? error.originalResponse?.getHeader('Retry-After') : undefined
  return Math.max(5, Number(header) || 0) * 1000
}

const onFailure = (id: string, error: Error | DetailedError): void => {
  const status = statusOf(error)
  const entry = uploadEntries.get(id)
  if (entry) entry.sending = null
  if (status === 'unreachable' || status >= 500 || [408, 409, 423, 429].includes(status)) {
    if (status === 'unreachable') reportReachable(false)
    changeFile(id, { state: 'waiting' })
    setTimeout(sendNext, retryDelayMs(error))
  } else if (status === 410) {
    resetUpload(id)
    void createAllUploads([id]).then(sendNext)
  } else {
    changeFile(id, {
      state: 'failed',
      reason: status === 404 ? 'This job no longer exists' : 'This file could not be sent',
    })
    sendNext()
  }
}

const send = (file: QueuedFile, entry: UploadEntry): void => {
  const { studioId, jobId } = file.target
  const path = pathOf({ ...postUploads, path: uploadBytesPath }, { studioId, jobId, key: entry.upload?.key }, {})
  changeFile(file.id, { state: 'sending', reason: null })
  entry.sending = new TusUpload(entry.file, {
    uploadUrl: path,
    chunkSize: partBytes,
    retryDelays: retryDelaysMs,
    storeFingerprintForResuming: false,
    onBeforeRequest: async (request) => {
      const token = await session.token()
      if (token) request.setHeader('Authorization', `Bearer ${token}`)
    },
    onShouldRetry: (error) => {
      const status = statusOf(error)
      return online.current() && (status === 'unreachable' || status >= 500 || [401, 408, 409, 423].includes(status))
    },
    onProgress: (sent) => changeFile(file.id, { sent }),
    onError: (error) => onFailure(file.id, error),
    onSuccess: () => {
      entry.sending = null
      reportReachable(true)
      changeFile(file.id, { state: 'checking', sent: file.size })
      scheduleStatusPoll()
      sendNext()
    },
  })
  entry.sending.start()
}

/** Starts as many uploads as the limit allows, in the order of the queue. */
const sendNext = (): void => {
  if (isPaused) return
  const sendingCount = queuedFiles().filter(({ state }) => state === 'sending').length
  const waitingFiles = queuedFiles().filter(({ id, state }) => state === 'waiting' && uploadEntries.get(id)?.upload)
  for (const file of waitingFiles.slice(0, Math.max(0, maxConcurrent - sendingCount))) {
    const entry = uploadEntries.get(file.id)
    if (entry) send(file, entry)
  }
  scheduleStatusPoll()
}

/** Ids of waiting files whose uploads have not been created on the server. */
const idsWithoutUpload = (): string[] =>
  queuedFiles().flatMap(({ id, state }) => (state === 'waiting' && !uploadEntries.get(id)?.upload ? id : []))

/** Creates the missing uploads on the server, then sends the waiting files. */
const resumeSending = async (): Promise<void> => {
  await createAllUploads(idsWithoutUpload())
  sendNext()
  // The server is busy or limits requests: try again later. Without a network, `online` resumes the uploads.
  if (idsWithoutUpload().length > 0 && online.current()) {
    clearTimeout(createTimer)
    createTimer = setTimeout(() => void resumeSending(), 5000)
  }
}

online.subscribe(() => {
  if (online.current()) void resumeSending()
})

// Asks before the tab is closed. The server keeps the parts that were already sent.
window.addEventListener('beforeunload', (event) => {
  if (queuedFiles().some(({ state }) => state === 'sending' || state === 'waiting')) event.preventDefault()
})

/** Id of a queued file. The same file for another subject or group is a separate entry. */
const queueIdOf = ({ studioId, jobId, subjectId, groupId }: UploadTarget, fingerprint: string): string =>
  JSON.stringify([studioId, jobId, subjectId ?? null, groupId ?? null, fingerprint])

/** Whether a file that is chosen again gets a new upload: its image may have been deleted or replaced since. */
const canBeUploadedAgain = ({ state }: QueuedFile): boolean => ['done', 'refused', 'failed'].includes(state)

/** Adds files to the queue. Files that are queued or on the server are not added twice. */
export const enqueueFiles = async (files: readonly File[], target: UploadTarget): Promise<void> => {
  const newFiles: QueuedFile[] = []
  for (const file of files) {
    const fingerprint = await fingerprintOf(file)
    const id = queueIdOf(target, fingerprint)
    const queuedBefore = queuedFiles().find((queuedFile) => queuedFile.id === id)
    if (queuedBefore && !canBeUploadedAgain(queuedBefore)) continue
    uploadEntries.set(id, { file, fingerprint, upload: null, sending: null })
    const queuedFile: QueuedFile = {
      id,
      target,
      fileName: file.name,
      size: file.size,
      sent: 0,
      state: 'waiting',
      reason: null,
    }
    if (queuedBefore) changeFile(id, queuedFile)
    else newFiles.push(queuedFile)
  }
  setQueuedFiles([...queuedFiles(), ...newFiles])
  await resumeSending()
}

/** Pauses one file, or all. Parts that were sent are not lost. */
export const pauseUploads = (id?: string): void => {
  if (id === undefined) isPaused = true
  for (const file of queuedFiles()) {
    if ((id !== undefined && file.id !== id) || (file.state !== 'sending' && file.state !== 'waiting')) continue
    const entry = uploadEntries.get(file.id)
    void entry?.sending?.abort()
    if (entry) entry.sending = null
    changeFile(file.id, { state: 'paused' })
  }
  if (id !== undefined) sendNext()
}

/** Resumes one file, or all. Failed files are retried. */
export const resumeUploads = (id?: string): void => {
  isPaused = false
  for (const file of queuedFiles()) {
    const canResume = file.state === 'paused' || file.state === 'failed'
    if (canResume && (id === undefined || file.id === id)) changeFile(file.id, { state: 'waiting', reason: null })
  }
  void resumeSending()
}

/** Removes files from the list. */
export const removeUploads = (shouldRemove: (file: QueuedFile) => boolean): void => {
  for (const file of queuedFiles()) if (shouldRemove(file)) uploadEntries.delete(file.id)
  setQueuedFiles(queuedFiles().filter((file) => !shouldRemove(file)))
}
