import { describe, expect, it } from 'vitest'
import { cropImage } from '#server/images/print/crop-image.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createExportFixtures } from './export-fixtures.ts'
import { exportSettings } from './export-settings.ts'

describe.each(enginesFor(import.meta.filename))('deleting exports of images on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const fixtures = await createExportFixtures(database())
    await fixtures.addSubject({ name: 'Ada Lovelace' })
    const remove = (exportId: number) => fixtures.staffRequest('DELETE', `image-exports/${exportId}`)
    return { ...fixtures, remove }
  }

  it('a deleted export is gone with its files, and who deleted it is recorded', async () => {
    const { deps, exported, remove, read, fileLink, get, jobs, studioId, userId } = await setUp()
    const { exportId } = await exported(exportSettings)
    const { zipUrl } = (await fileLink(exportId)).data
    expect(await remove(exportId)).toMatchObject({ status: 200 })
    expect(await read(exportId)).toBeUndefined()
    expect((await get(zipUrl)).statusCode).toBe(404)
    expect(jobs.at(-1)).toEqual({
      name: 'remove-files',
      payload: { folders: [`studios/${studioId}/image-exports/${exportId}/`], keys: [] },
    })
    const audits = deps.db.selectFrom('audit_log').select(['action', 'entity_id', 'user_id'])
    expect(await audits.where('action', '=', 'image-export.removed').execute()).toEqual([
      { action: 'image-export.removed', entity_id: String(exportId), user_id: userId },
    ])
    expect(await remove(exportId)).toMatchObject({ status: 404 })
  })

  it('an export that is being made, or to which another adds retakes, stays', async () => {
    const { deps, addSubject, exported, start, remove, read } = await setUp()
    const { exportId } = await exported(exportSettings)
    await addSubject({ name: 'Bo Lovelace' })
    const retakes = await start({ ...exportSettings, retakesOf: exportId })
    expect(await remove(exportId)).toMatchObject({
      status: 422,
      errors: ['Another export adds retakes to this one. Delete that export first'],
    })
    await deps.db.updateTable('image_exports').set({ state: 'making' }).where('id', '=', retakes).execute()
    expect(await remove(retakes)).toMatchObject({
      status: 422,
      errors: ['The files of this export are being made. Delete it when they are ready'],
    })
    expect([await read(exportId), await read(retakes)].map(({ state }) => state)).toEqual(['ready', 'making'])
  })

  it('an export that is cancelled and deleted while its files are made leaves no files, not even after a crash', async () => {
    const { deps, start, run, remove, studioId } = await setUp()
    const exportId = await start(exportSettings)
    const folder = `studios/${studioId}/image-exports/${exportId}/`
    const keys = async () => (await Array.fromAsync(deps.files.list(folder))).map(({ key }) => key)
    await run(exportId, async (crop) => {
      await deps.db.updateTable('image_exports').set({ state: 'failed' }).where('id', '=', exportId).execute()
      expect(await remove(exportId)).toMatchObject({ status: 200 })
      return await cropImage(crop)
    })
    expect(await keys()).toEqual([])
    await deps.files.put(`${folder}7.jpg`, Buffer.from('made before the crash'))
    await run(exportId)
    expect(await keys()).toEqual([])
  })

  it('the files of an export that was cancelled but not deleted stay for a retry', async () => {
    const { deps, start, run, studioId } = await setUp()
    const exportId = await start(exportSettings)
    await run(exportId, async (crop) => {
      await deps.db.updateTable('image_exports').set({ state: 'failed' }).where('id', '=', exportId).execute()
      return await cropImage(crop)
    })
    const files = await Array.fromAsync(deps.files.list(`studios/${studioId}/image-exports/${exportId}/`))
    expect(files).toHaveLength(1)
  })
})
