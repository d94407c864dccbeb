import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeImageExport } from '#server/image-exports/make-export.ts'
import { cropImage } from '#server/images/print/crop-image.ts'
import { fileSizeOf } from '#server/images/store/image-files.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createStaffOrderFixtures } from '../orders/staff/staff-order-fixtures.ts'
import { halvesJpeg } from './export-fixtures.ts'
import { exportSettings, settingsFor } from './export-settings.ts'

const crop = { width: 40, height: 40, cropX: 10, cropY: 20, xMid: 30, yMid: 40 }

describe.each(enginesFor(import.meta.filename))('exports of ordered images on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the crop of the latest order that was not cancelled is exported, unless the settings ignore it', async () => {
    const { deps, fixtures, order, staffRequest } = await createStaffOrderFixtures(database())
    const numbers = [await order(), await order(), await order()]
    const setCrop = (number: string | undefined, cropX: number, rotation: number) =>
      sql`
      update order_lines l
         set content = jsonb_set(jsonb_set(l.content, '{0,imageNodes,0,cropDimensions}', ${JSON.stringify({ ...crop, cropX })}::jsonb),
                                 '{0,imageNodes,0,rotation}', ${JSON.stringify(rotation)}::jsonb)
        from orders o where o.studio_id = l.studio_id and o.id = l.order_id and o.order_number = ${number}`.execute(
        deps.db,
      )
    for (const [index, number] of numbers.entries()) await setCrop(number, index, index * 90)
    await staffRequest('POST', `orders/${numbers[2]}/cancel`, { reason: 'Ordered twice' })
    const preview = async (usesOrderCrops: boolean) =>
      (await staffRequest('POST', 'image-exports/preview', { ...exportSettings, usesOrderCrops })).data.images[0]
        .ordered
    expect(await preview(true)).toEqual({ crop: { ...crop, cropX: 1 }, rotation: 90 })
    expect(await preview(false)).toBeNull()
    const { data } = await staffRequest('POST', 'image-exports', { ...exportSettings, usesOrderCrops: true })
    await deps.db.updateTable('image_lookups').set({ original_key: 'halves', width: 240, height: 320 }).execute()
    await deps.files.put('halves', await halvesJpeg())
    const key = { studioId: fixtures.studioId, exportId: data.id }
    await makeImageExport({ deps, key, cropImage, signal: new AbortController().signal })
    const files = await deps.db.selectFrom('image_export_files').select(['placed', 'byte_size']).execute()
    expect(files).toMatchObject([{ placed: { rotation: 90, crop: { cropY: 20 } }, byte_size: expect.any(Number) }])
  })

  it('deleting a subject removes its files from exports', async () => {
    const { deps, fixtures, staffRequest, queued } = await createStaffOrderFixtures(database())
    const { studioId, adaId, adaImageId } = fixtures
    await deps.files.put('halves', await halvesJpeg())
    await deps.db.updateTable('image_lookups').set({ original_key: 'halves' }).where('id', '=', adaImageId).execute()
    const { data } = await staffRequest('POST', 'image-exports', settingsFor('zip'))
    const key = { studioId, exportId: data.id }
    await makeImageExport({ deps, key, cropImage, signal: new AbortController().signal })
    const fileKey = `studios/${studioId}/image-exports/${data.id}/${adaId}.jpg`
    expect(await fileSizeOf(deps.files, fileKey)).toBeGreaterThan(0)
    const purge = { ids: [adaId], typed: 'Ada Lovelace' }
    expect((await staffRequest('POST', 'subjects/erase', purge)).status).toBe(200)
    for (const payload of queued('remove-files')) await removeFiles(deps, payload)
    expect(await fileSizeOf(deps.files, fileKey)).toBeUndefined()
    expect(await deps.db.selectFrom('image_export_files').select('subject_id').execute()).toEqual([])
  })
})
