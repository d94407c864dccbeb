import { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { sql } from 'kysely'
import type { Log } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { UploadPart } from '#server/database/tables/columns.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueUpload } from './enqueue-upload.ts'

/** A studio's upload, by the key in its URL. */
export type UploadKey = { readonly studioId: number; readonly jobId: number; readonly key: string }

/** The id of an upload for tus, which needs a single string. */
export const tusId = ({ studioId, jobId, key }: UploadKey): string => `${studioId}.${jobId}.${key}`

const uploadKeyOf = (id: string): UploadKey => {
  const [studioId = '', jobId = '', key = ''] = id.split('.')
  return { studioId: Number(studioId), jobId: Number(jobId), key }
}

/** The chunks that arrive before the connection breaks. The client resumes the upload after the stored bytes. */
async function* untilDisconnected(stream: Readable, log: Log): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk
  } catch (error) {
    log.info({ err: error }, 'an upload was interrupted; the client resumes it')
  }
}

type StoredPart = { id: number; isComplete: boolean }

/**
 * Stores uploads in parts. Each part is a stored file with the bytes that one request delivered before it ended or was interrupted. A part
 * counts once its file is synced and the database records it, if no other part was added meanwhile. So any server process may receive the
 * next part, and none is stored twice.
 */
export class UploadPartsStore extends DataStore {
  readonly #deps: Deps

  constructor(deps: Deps) {
    super()
    this.#deps = deps
  }

  override async getUpload(id: string): Promise<Upload> {
    const { studioId, jobId, key } = uploadKeyOf(id)
    const upload = await this.#deps.db
      .selectFrom('uploads')
      .select(['byte_size', 'received_bytes', 'state'])
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('upload_key', '=', key)
      .executeTakeFirst()
    if (!upload) throw ERRORS.FILE_NOT_FOUND
    if (upload.state === 'abandoned' || upload.state === 'refused') throw ERRORS.FILE_NO_LONGER_EXISTS
    return new Upload({ id, size: upload.byte_size, offset: upload.received_bytes })
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { files, log, newId } = this.#deps
    const upload = uploadKeyOf(id)
    const key = `uploads/${upload.studioId}/${upload.key}/${newId()}`
    const { size } = await files.put(key, Readable.from(untilDisconnected(stream, log)))
    if (size > 0 && (await this.#appendPart(upload, { key, size }, offset))) return offset + size
    await files.remove(key)
    if (size > 0) throw ERRORS.INVALID_OFFSET
    return offset
  }

  /** Appends a part; false if another request appended one meanwhile. The last part completes the upload. */
  #appendPart({ studioId, key }: UploadKey, part: UploadPart, offset: number): Promise<boolean> {
    const { db, clock, jobs } = this.#deps
    const now = clock()
    return inTransaction(db, async (tx) => {
      const { rows } = await sql<StoredPart>`
        update uploads set received_bytes = received_bytes + ${part.size}, parts = parts || ${JSON.stringify([part])}::jsonb,
               state = case when received_bytes + ${part.size} = byte_size then 'received' else state end,
               received_at = case when received_bytes + ${part.size} = byte_size then ${now}::timestamptz end, updated_at = ${now}
         where studio_id = ${studioId} and upload_key = ${key} and state = 'receiving' and received_bytes = ${offset}
           and received_bytes + ${part.size} <= byte_size
        returning id, state = 'received' as "isComplete"`.execute(tx)
      const [upload] = rows
      if (upload?.isComplete) await enqueueUpload(tx, { jobs }, { studioId, uploadId: upload.id })
      return upload !== undefined
    })
  }
}
