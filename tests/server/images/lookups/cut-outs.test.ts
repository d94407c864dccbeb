import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Db } from '#server/database/database.ts'
import { type ChromaKey, cutOutSubject } from '#server/images/engine/chroma-key.ts'
import { proposeCutOut } from '#server/images/lookups/cut-outs.ts'
import { fileSizeOf } from '#server/images/store/image-files.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import type { Files } from '#server/ports/files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createUploadFixtures } from '../uploads/upload-fixtures.ts'

const svgStart = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="250">'
const screen = Buffer.from(
  `${svgStart}<rect width="100%" height="100%" fill="#20b840"/><circle cx="100" cy="140" r="60" fill="#c89678"/></svg>`,
)

/** Files that must not be used inside a transaction: each use queries the database outside of it, which throws. */
const outsideTransactions =
  (db: Db) =>
  (files: Files): Files => {
    const queryOutside = () => db.selectFrom('settings').select('key').execute()
    return {
      put: async (key, body) => {
        await queryOutside()
        return await files.put(key, body)
      },
      read: async (key, range) => {
        await queryOutside()
        return await files.read(key, range)
      },
      remove: async (key) => {
        await queryOutside()
        await files.remove(key)
      },
      list: (folder) => files.list(folder),
    }
  }

describe.each(enginesFor(import.meta.filename))('cut-outs on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createUploadFixtures(database(), outsideTransactions(database().db))
    const { deps, studioId, jobId, organizationId, adaId } = fixtures
    const bytes = await sharp(screen).jpeg().toBuffer()
    const [upload] = await fixtures.upload([{ fileName: 'green.jpg', bytes }], { subjectId: adaId })
    const id = upload?.imageId ?? 0
    const path = `/api/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}/imagelookups/${id}`
    const request = (method: 'GET' | 'POST' | 'DELETE', subpath = '', payload?: object) =>
      fixtures.request(method, `${path}${subpath}`, payload ? { payload } : {})
    const decide = async (decision: 'accept' | 'reject') => {
      const { data } = await request('GET')
      return await request('POST', '/cut-out', { version: data.version, decision })
    }
    const propose = (keyGreen: ChromaKey) => proposeCutOut(deps, { studioId, imageId: id }, { keyGreen })
    const storedNames = async () => {
      const keys = await Array.fromAsync(deps.files.list(`studios/${studioId}/images/`), ({ key }) => key)
      return keys.map((key) => key.replace(/^.*\//, '')).toSorted()
    }
    /** Removes the files that are queued for removal. */
    const removeQueuedFiles = async () => {
      for (const { name, payload } of fixtures.jobs.splice(0))
        if (name === 'remove-files') await removeFiles(deps, payload)
    }
    const readRow = () => deps.db.selectFrom('image_lookups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return { ...fixtures, id, bytes, request, decide, propose, storedNames, removeQueuedFiles, readRow }
  }

  it('accepting or rejecting a cut-out updates the file’s size, and reads files outside of transactions', async () => {
    const { propose, decide, readRow, bytes, deps } = await setUp()
    await propose(cutOutSubject)
    expect(await decide('accept')).toMatchObject({ status: 200, data: { cutOut: 'accepted' } })
    const accepted = await readRow()
    expect(await fileSizeOf(deps.files, accepted.original_key)).toBe(accepted.byte_size)
    expect(accepted.byte_size).not.toBe(bytes.length)
    expect(await decide('reject')).toMatchObject({ status: 200, data: { cutOut: 'none' } })
    expect(await readRow()).toMatchObject({ byte_size: bytes.length, content_type: 'image/jpeg' })
  })

  it('a missing cut-out cannot be accepted', async () => {
    const { propose, decide, readRow, deps } = await setUp()
    await propose(cutOutSubject)
    await deps.files.remove((await readRow()).cut_out_key ?? '')
    expect(await decide('accept')).toMatchObject({
      status: 422,
      errors: ['The file of this cut-out is missing. Reject it, and upload the image again'],
    })
  })

  it('no file is left if the image was deleted while it was cut out', async () => {
    const { propose, request, storedNames, removeQueuedFiles } = await setUp()
    await propose(async (original) => {
      const cutOut = await cutOutSubject(original)
      await request('DELETE')
      await removeQueuedFiles()
      return cutOut
    })
    expect(await storedNames()).toEqual([])
  })

  it('two concurrent attempts create one cut-out, and its files stay', async () => {
    const { propose, storedNames, decide, removeQueuedFiles } = await setUp()
    await propose(async (original) => {
      await propose(cutOutSubject)
      return await cutOutSubject(original)
    })
    expect(await storedNames()).toHaveLength(6)
    await decide('reject')
    await removeQueuedFiles()
    expect(await storedNames()).toEqual(['original'])
  })
})
