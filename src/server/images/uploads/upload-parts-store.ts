import { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { sql } from 'kysely'
import type { Log } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { UploadPart } from '#server/database/tables/columns.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueUpload } from './enqueue-upload.ts'

/** A studio's upload, by the key in its URL. */
export type UploadKey = { readonly studioId: number; readonly jobId: number; readonly key: string }

/** An upload's id for tus, which allows a single string. */
export const tusId = ({ studioId, jobId, key }: UploadKey): string => `${studioId}.${jobId}.${key}`

const keyOf = (id: string): UploadKey => {
  const [studioId = '', jobId = '', key = ''] = id.split('.')
  return { studioId: Number(studioId), jobId: Number(jobId), key }
}

/** The chunks that arrive before the connection breaks. The client resumes the upload after what was stored. */
async function* untilDisconnected(stream: Readable, log: Log): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk
  } catch (error) {
    log.info({ err: error }, 'an upload was interrupted; the client resumes it')
  }
}

type StoredPart = { id: number; isWhole: boolean }

/**
 * Stores uploads in parts, each a file of the store: what one request brought before it ended or was interrupted. A part counts once its
 * file is synced and the database records it, if no other part was added meanwhile; so any server process may receive the next one, and
 * none is stored twice.
 */
export class UploadPartsStore extends DataStore {
  readonly #deps: Deps

  constructor(deps: Deps) {
    super()
    this.#deps = deps
  }

  override async getUpload(id: string): Promise<Upload> {
    const { studioId, jobId, key } = keyOf(id)
    const found = await this.#deps.db
      .selectFrom('uploads')
      .select(['byte_size', 'received_bytes', 'state'])
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('upload_key', '=', key)
      .executeTakeFirst()
    if (!found) throw ERRORS.FILE_NOT_FOUND
    if (found.state === 'abandoned' || found.state === 'refused') throw ERRORS.FILE_NO_LONGER_EXISTS
    return new Upload({ id, size: found.byte_size, offset: found.received_bytes })
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { files, log, newId } = this.#deps
    const upload = keyOf(id)
    const key = `uploads/${upload.studioId}/${upload.key}/${newId()}`
    const { size } = await files.put(key, Readable.from(untilDisconnected(stream, log)))
    if (size > 0 && (await this.#count(upload, { key, size }, offset))) return offset + size
    await files.remove(key)
    if (size > 0) throw ERRORS.INVALID_OFFSET
    return offset
  }

  /** Appends a part; false where another request did meanwhile. The last part completes the upload. */
  #count({ studioId, key }: UploadKey, part: UploadPart, offset: number): Promise<boolean> {
    const { db, clock, jobs } = this.#deps
    const now = clock()
    return inTransaction(db, async (tx) => {
      const { rows } = await sql<StoredPart>`
        update uploads set received_bytes = received_bytes + ${part.size}, parts = parts || ${JSON.stringify([part])}::jsonb,
               state = case when received_bytes + ${part.size} = byte_size then 'received' else state end,
               received_at = case when received_bytes + ${part.size} = byte_size then ${now}::timestamptz end, updated_at = ${now}
         where studio_id = ${studioId} and upload_key = ${key} and state = 'receiving' and received_bytes = ${offset}
           and received_bytes + ${part.size} <= byte_size
        returning id, state = 'received' as "isWhole"`.execute(tx)
      const [written] = rows
      if (written?.isWhole) await enqueueUpload(tx, { jobs }, { studioId, uploadId: written.id })
      return written !== undefined
    })
  }
}
