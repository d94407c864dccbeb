import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { getUploadStates, maxUploadsPerRequest, postUploads } from '#contract/studio/uploads.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import type { CallFailure } from '#local/transport/request.ts'
import {
  applyServerState,
  changeFile,
  type QueuedFile,
  queuedFiles,
  resetUpload,
  uploadEntries,
} from './queued-files.ts'

/** Creates the uploads of files on the server. */
const createUploads = async (ids: readonly string[]): Promise<void> => {
  const newUploads = ids.flatMap((id) => {
    const file = queuedFiles().find((queuedFile) => queuedFile.id === id)
    const entry = uploadEntries.get(id)
    return file && entry ? [{ file, entry }] : []
  })
  const [first] = newUploads
  if (!first) return
  const { studioId, jobId, ...ownerOrMethod } = first.file.target
  const body = {
    ...ownerOrMethod,
    files: newUploads.map(({ file, entry }) => ({
      fingerprint: entry.fingerprint,
      fileName: file.fileName,
      byteSize: file.size,
    })),
  }
  const answer = await authorizedRequest(postUploads, { params: { studioId, jobId }, body })
  if (answer.ok)
    for (const [index, upload] of answer.data.entries()) applyServerState(newUploads[index]?.file.id ?? '', upload)
  else
    failUnlessRetryable(
      newUploads.map(({ file }) => file),
      answer,
    )
}

const failUnlessRetryable = (files: readonly QueuedFile[], { status, problem, errors }: CallFailure): void => {
  if (retryPolicy(status, problem) === 'retry') return
  for (const { id } of files) changeFile(id, { state: 'failed', reason: errors[0] ?? null })
}

/** Reads the state of at most `maxUploadsPerRequest` files of one job. Resets files whose uploads no longer exist on the server. */
const readUploadStates = async (files: readonly QueuedFile[]): Promise<void> => {
  const filesWithUpload = files.flatMap((file) => {
    const id = uploadEntries.get(file.id)?.upload?.id
    return id === undefined ? [] : [{ file, id }]
  })
  const [first] = filesWithUpload
  if (!first) return
  const { studioId, jobId } = first.file.target
  const ids = filesWithUpload.map(({ id }) => id).join(',')
  const answer = await authorizedRequest(getUploadStates, { params: { studioId, jobId }, query: { ids } })
  if (!answer.ok) return failUnlessRetryable(files, answer)
  const uploads = new Map(answer.data.map((upload) => [upload.id, upload]))
  for (const { file, id } of filesWithUpload) {
    const upload = uploads.get(id)
    if (upload) applyServerState(file.id, upload)
    else resetUpload(file.id)
  }
}

const splitIntoChunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Files with the same key may share a request. */
const targetKeyOf = ({ target }: QueuedFile): string => JSON.stringify(target)
const jobKeyOf = ({ target: { studioId, jobId } }: QueuedFile): string => `${studioId} ${jobId}`

/** Creates the uploads of files on the server. Files with the same target share a request. */
export const createAllUploads = async (ids: readonly string[]): Promise<void> => {
  const files = queuedFiles().filter(({ id }) => ids.includes(id))
  for (const filesOfTarget of Map.groupBy(files, targetKeyOf).values()) {
    for (const chunk of splitIntoChunks(filesOfTarget, maxUploadsPerRequest))
      await createUploads(chunk.map(({ id }) => id))
  }
}

/** Reads the state of files that the server is checking. Files of the same job share a request. */
export const readAllUploadStates = async (files: readonly QueuedFile[]): Promise<void> => {
  for (const filesOfJob of Map.groupBy(files, jobKeyOf).values()) {
    for (const chunk of splitIntoChunks(filesOfJob, maxUploadsPerRequest)) await readUploadStates(chunk)
  }
}
