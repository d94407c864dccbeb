import { type DetailedError, Upload as Sending } from 'tus-js-client'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { session } from '#client/staff/kit/session/current-session.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { maxUploadsPerRequest, postUploads, type Upload, uploadBytesPath } from '#contract/studio/uploads.ts'
import type { MatchMethod } from '#domain/subjects/match-images.ts'
import { online, reportReachable } from '#platform/online.ts'
import { createSignal } from '#platform/signal.ts'
import { fingerprintOf } from './file-fingerprint.ts'

/** Destination of files: a job, and their owner or how they are matched. */
export type UploadTarget = {
  studioId: number
  jobId: number
  matchBy?: MatchMethod | null
  subjectId?: number
  groupId?: number
}

/**
 * A file in the queue: `waiting` for its turn or the network, `sending`, `paused` by the user, `checking` (fully received), `done`,
 * `refused` for good, or `failed` and worth a retry.
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

/** Limit of parallel uploads, so that a slow connection is not split further. */
const maxConcurrent = 3
/** Bytes per request: small enough for the timeout of a slow connection. An interrupted request loses at most one part. */
const partBytes = 4 * 1024 * 1024
const statusPollMs = 1500
const retryDelaysMs = [0, 1000, 3000, 5000, 10_000]

type UploadEntry = { file: File; fingerprint: string; key: string | null; sending: Sending | null }

/** The upload queue of this tab, independent of the current screen. */
const files = createSignal<readonly QueuedFile[]>([])
const entries = new Map<string, UploadEntry>()
let isPaused = false
let looking: ReturnType<typeof setTimeout> | undefined

export const uploadQueue = files

const change = (id: string, changes: Partial<QueuedFile>): void =>
  files.set(files.current().map((one) => (one.id === id ? { ...one, ...changes } : one)))

const stateFrom: Record<Upload['state'], QueuedFile['state']> = {
  receiving: 'waiting',
  received: 'checking',
  processed: 'done',
  refused: 'refused',
  abandoned: 'failed',
}

/** Applies the server's state of a file, unless the file is being sent. */
const applyServerState = (id: string, upload: Upload): void => {
  const mine = entries.get(id)
  const before = files.current().find((one) => one.id === id)
  if (!mine || !before) return
  mine.key = upload.key
  const state = stateFrom[upload.state]
  const stays = state === 'waiting' && (before.state === 'sending' || before.state === 'paused')
  change(id, { sent: upload.receivedBytes, state: stays ? before.state : state, reason: upload.refusal })
}

/** Announces files to the server. Returns true once the server has registered them. */
const createUploads = async (ids: readonly string[]): Promise<boolean> => {
  const announced = ids.flatMap((id) => {
    const file = files.current().find((one) => one.id === id)
    const mine = entries.get(id)
    return file && mine ? [{ file, mine }] : []
  })
  const [first] = announced
  if (!first) return true
  const { studioId, jobId, ...whose } = first.file.target
  const body = {
    ...whose,
    files: announced.map(({ file, mine }) => ({
      fingerprint: mine.fingerprint,
      fileName: file.fileName,
      byteSize: file.size,
    })),
  }
  const answer = await authorizedRequest(postUploads, { params: { studioId, jobId }, body })
  if (answer.ok) for (const [n, upload] of answer.data.entries()) applyServerState(announced[n]?.file.id ?? '', upload)
  else if (answer.status !== 'unreachable' && answer.status < 500) {
    for (const { file } of announced) change(file.id, { state: 'failed', reason: answer.errors[0] ?? null })
  }
  return answer.ok
}

const inGroups = <Item>(list: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))

/** Key of the files that share a target and go into one request. */
const groupOf = ({ target }: QueuedFile): string => JSON.stringify(target)

const createAllUploads = async (ids: readonly string[]): Promise<void> => {
  const chosen = files.current().filter((one) => ids.includes(one.id))
  for (const some of Map.groupBy(chosen, groupOf).values()) {
    for (const part of inGroups(some, maxUploadsPerRequest)) await createUploads(part.map(({ id }) => id))
  }
}

/** Polls the server while files are being checked. */
const scheduleStatusPoll = (): void => {
  if (looking !== undefined || !files.current().some(({ state }) => state === 'checking')) return
  looking = setTimeout(async () => {
    looking = undefined
    const before = files.current().filter(({ state }) => state === 'checking')
    await createAllUploads(before.map(({ id }) => id))
    const after = files.current().filter(({ state }) => state === 'checking')
    if (after.length < before.length) void queryClient.invalidateQueries()
    scheduleStatusPoll()
  }, statusPollMs)
}

const statusOf = (error: Error | DetailedError): number | 'unreachable' =>
  'originalResponse' in error && error.originalResponse ? error.originalResponse.getStatus() : 'unreachable'

const onFailure = (id: string, error: Error | DetailedError): void => {
  const status = statusOf(error)
  const mine = entries.get(id)
  if (mine) mine.sending = null
  if (status === 'unreachable') {
    reportReachable(false)
    change(id, { state: 'waiting' })
    setTimeout(sendNext, 5000)
  } else if (status >= 500 || status === 409 || status === 423 || status === 408) {
    change(id, { state: 'waiting' })
    setTimeout(sendNext, 5000)
  } else if (status === 410 && mine) {
    // The server has deleted the upload: the next attempt creates a new one.
    mine.key = null
    change(id, { state: 'waiting', sent: 0 })
    void createAllUploads([id]).then(sendNext)
  } else {
    change(id, {
      state: 'failed',
      reason: status === 404 ? 'This job is not there any more' : 'This file could not be sent',
    })
    sendNext()
  }
}

const send = (file: QueuedFile, mine: UploadEntry): void => {
  const { studioId, jobId } = file.target
  const path = pathOf({ ...postUploads, path: uploadBytesPath }, { studioId, jobId, key: mine.key }, {})
  change(file.id, { state: 'sending', reason: null })
  mine.sending = new Sending(mine.file, {
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
    onProgress: (sent) => change(file.id, { sent }),
    onError: (error) => onFailure(file.id, error),
    onSuccess: () => {
      mine.sending = null
      reportReachable(true)
      change(file.id, { state: 'checking', sent: file.size })
      scheduleStatusPoll()
      sendNext()
    },
  })
  mine.sending.start()
}

/** Starts as many uploads as the limit allows, in the order of the queue. */
const sendNext = (): void => {
  if (isPaused) return
  const sending = files.current().filter(({ state }) => state === 'sending').length
  const waiting = files.current().filter(({ id, state }) => state === 'waiting' && entries.get(id)?.key)
  for (const file of waiting.slice(0, Math.max(0, maxConcurrent - sending))) {
    const mine = entries.get(file.id)
    if (mine) send(file, mine)
  }
  scheduleStatusPoll()
}

/** Announces files that the server does not know, then resumes all. */
const resumeSending = async (): Promise<void> => {
  const untold = files.current().filter(({ id, state }) => state === 'waiting' && !entries.get(id)?.key)
  if (untold.length > 0) await createAllUploads(untold.map(({ id }) => id))
  sendNext()
}

online.subscribe(() => {
  if (online.current()) void resumeSending()
})

// Ask before the tab is closed. Parts that were sent are stored in any case.
window.addEventListener('beforeunload', (event) => {
  if (files.current().some(({ state }) => state === 'sending' || state === 'waiting')) event.preventDefault()
})

/** The same file for another subject or group is a separate entry. */
const idOf = ({ studioId, jobId, subjectId, groupId }: UploadTarget, fingerprint: string): string =>
  JSON.stringify([studioId, jobId, subjectId ?? null, groupId ?? null, fingerprint])

/** Whether a file that is chosen again is announced again: its image may have been deleted or replaced since. */
const mayBeginAnew = ({ state }: QueuedFile): boolean => ['done', 'refused', 'failed'].includes(state)

/** Adds files to the queue. Files that are queued or on the server are not added twice. */
export const enqueueFiles = async (chosen: readonly File[], target: UploadTarget): Promise<void> => {
  const fresh: QueuedFile[] = []
  for (const file of chosen) {
    const fingerprint = await fingerprintOf(file)
    const id = idOf(target, fingerprint)
    const before = files.current().find((one) => one.id === id)
    if (before && !mayBeginAnew(before)) continue
    entries.set(id, { file, fingerprint, key: null, sending: null })
    const entry: QueuedFile = {
      id,
      target,
      fileName: file.name,
      size: file.size,
      sent: 0,
      state: 'waiting',
      reason: null,
    }
    if (before) change(id, entry)
    else fresh.push(entry)
  }
  files.set([...files.current(), ...fresh])
  await resumeSending()
}

/** Pauses one file, or all. Parts that were sent are not lost. */
export const pauseUploads = (id?: string): void => {
  if (id === undefined) isPaused = true
  for (const file of files.current()) {
    if ((id !== undefined && file.id !== id) || (file.state !== 'sending' && file.state !== 'waiting')) continue
    const mine = entries.get(file.id)
    void mine?.sending?.abort()
    if (mine) mine.sending = null
    change(file.id, { state: 'paused' })
  }
  if (id !== undefined) sendNext()
}

/** Resumes one file, or all. Failed files are retried. */
export const resumeUploads = (id?: string): void => {
  isPaused = false
  for (const file of files.current()) {
    const mayGoOn = file.state === 'paused' || file.state === 'failed'
    if (mayGoOn && (id === undefined || file.id === id)) change(file.id, { state: 'waiting', reason: null })
  }
  void resumeSending()
}

/** Removes finished files from the list. */
export const removeUploads = (isOver: (file: QueuedFile) => boolean): void => {
  for (const file of files.current()) if (isOver(file)) entries.delete(file.id)
  files.set(files.current().filter((file) => !isOver(file)))
}
