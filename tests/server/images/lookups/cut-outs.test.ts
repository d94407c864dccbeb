import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Db } from '#server/database/database.ts'
import { type ChromaKey, keyHere } from '#server/images/engine/chroma-key.ts'
import { proposeCutOut } from '#server/images/lookups/cut-outs.ts'
import { fileSizeOf } from '#server/images/store/image-files.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import type { Files } from '#server/ports/files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createUploadFixtures } from '../uploads/upload-fixtures.ts'

const before = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="250">'
const screen = Buffer.from(
  `${before}<rect width="100%" height="100%" fill="#20b840"/><circle cx="100" cy="140" r="60" fill="#c89678"/></svg>`,
)

/** Files that must not be used inside a transaction: each use queries the database outside of it, which throws. */
const outsideTransactions =
  (db: Db) =>
  (files: Files): Files => {
    const ask = () => db.selectFrom('settings').select('key').execute()
    return {
      put: async (key, body) => {
        await ask()
        return await files.put(key, body)
      },
      read: async (key, range) => {
        await ask()
        return await files.read(key, range)
      },
      remove: async (key) => {
        await ask()
        await files.remove(key)
      },
      list: (folder) => files.list(folder),
    }
  }

describe.each(enginesFor(import.meta.filename))('cut-outs on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const desk = await createUploadFixtures(database(), outsideTransactions(database().db))
    const { deps, studioId, jobId, organizationId, adaId } = desk
    const bytes = await sharp(screen).jpeg().toBuffer()
    const [told] = await desk.upload([{ fileName: 'green.jpg', bytes }], { subjectId: adaId })
    const id = told?.imageId ?? 0
    const path = `/api/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}/imagelookups/${id}`
    const ask = (method: 'GET' | 'POST' | 'DELETE', under = '', payload?: object) =>
      desk.ask(method, `${path}${under}`, payload ? { payload } : {})
    const decide = async (decision: 'accept' | 'reject') => {
      const { data } = await ask('GET')
      return await ask('POST', '/cut-out', { version: data.version, decision })
    }
    const propose = (keyGreen: ChromaKey) => proposeCutOut(deps, { studioId, imageId: id }, { keyGreen })
    const stored = async () => {
      const keys = await Array.fromAsync(deps.files.list(`studios/${studioId}/images/`), ({ key }) => key)
      return keys.map((key) => key.replace(/^.*\//, '')).toSorted()
    }
    /** Removes the files that are queued for removal. */
    const sweep = async () => {
      for (const { name, payload } of desk.jobs.splice(0)) if (name === 'remove-files') await removeFiles(deps, payload)
    }
    const row = () => deps.db.selectFrom('image_lookups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return { ...desk, id, bytes, ask, decide, propose, stored, sweep, row }
  }

  it('a cut-out is accepted and rejected with its file’s size, outside of any transaction', async () => {
    const { propose, decide, row, bytes, deps } = await begin()
    await propose(keyHere)
    expect(await decide('accept')).toMatchObject({ status: 200, data: { cutOut: 'accepted' } })
    const accepted = await row()
    expect(await fileSizeOf(deps.files, accepted.original_key)).toBe(accepted.byte_size)
    expect(accepted.byte_size).not.toBe(bytes.length)
    expect(await decide('reject')).toMatchObject({ status: 200, data: { cutOut: 'none' } })
    expect(await row()).toMatchObject({ byte_size: bytes.length, content_type: 'image/jpeg' })
  })

  it('a missing cut-out cannot be accepted', async () => {
    const { propose, decide, row, deps } = await begin()
    await propose(keyHere)
    await deps.files.remove((await row()).cut_out_key ?? '')
    expect(await decide('accept')).toMatchObject({
      status: 422,
      errors: ['The file of this cut-out is not there. Reject it, and upload the picture again'],
    })
  })

  it('no file is left where the image was deleted while it was cut out', async () => {
    const { propose, ask, stored, sweep } = await begin()
    await propose(async (original) => {
      const made = await keyHere(original)
      await ask('DELETE')
      await sweep()
      return made
    })
    expect(await stored()).toEqual([])
  })

  it('two concurrent attempts make one cut-out, and its files stay', async () => {
    const { propose, stored, decide, sweep } = await begin()
    await propose(async (original) => {
      await propose(keyHere)
      return await keyHere(original)
    })
    expect(await stored()).toHaveLength(6)
    await decide('reject')
    await sweep()
    expect(await stored()).toEqual(['original'])
  })
})
