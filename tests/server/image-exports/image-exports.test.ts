import papaparse from 'papaparse'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { expireImageExports } from '#server/image-exports/make-export.ts'
import { cropImage } from '#server/images/print/crop-image.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createExportFixtures, tabRows } from './export-fixtures.ts'
import { exportSettings, settingsFor } from './export-settings.ts'

const day = 24 * 60 * 60 * 1000
const schoolFields = { Grade: '3', Homeroom: '12B', 'Homeroom Teacher': 'Ms. Noether', Bus: '7' }

const metadataOf = async (jpeg: Buffer | undefined) => {
  const { width, height, format, exif, iptc, xmp, orientation } = await sharp(jpeg).metadata()
  return { size: [width, height], format, hasMetadata: Boolean(exif ?? iptc ?? xmp ?? orientation) }
}

/** The colour of a pixel at fractions of an image. */
const colourAt = async (jpeg: Buffer | undefined, x: number, y: number): Promise<'red' | 'blue' | 'other'> => {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  const offset = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels
  const [red = 0, , blue = 0] = data.subarray(offset, offset + 3)
  if (red > 180 && blue < 80) return 'red'
  return blue > 180 && red < 80 ? 'blue' : 'other'
}

describe.each(enginesFor(import.meta.filename))('exports of images on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createExportFixtures(database())

  it('a yearbook export has the index of publishers, and each image once, upright, cropped and without metadata', async () => {
    const { deps, addSubject, exported, staffRequest } = await setUp()
    await deps.db.updateTable('studios').set({ time_zone: 'Pacific/Kiritimati' }).execute()
    await addSubject({ name: 'Zoë O’Neil', fields: schoolFields })
    const { imageIds } = await addSubject({ name: 'Ada Lovelace', reference: '42', fields: schoolFields })
    const { data: setup } = await staffRequest('GET', 'image-exports/setup')
    expect(setup).toMatchObject({
      fieldNames: ['Bus', 'Grade', 'Homeroom', 'Homeroom Teacher'],
      settings: {
        ...{ format: 'pspa', volume: 'LINCOLN_ELEMENTARY', width: 640, height: 800, retakesOf: null },
        fields: {
          studentId: 'reference',
          grade: 'field:Grade',
          homeroom: 'field:Homeroom',
          teacher: 'field:Homeroom Teacher',
        },
      },
    })
    const settings = { ...exportSettings, fields: setup.settings.fields, extraFields: ['Bus'] }
    const { files } = await exported(settings)
    const index = tabRows(files.get('LINCOLN/INDEX.TXT'))
    const adaFile = `${String(imageIds[0]).padStart(8, '0')}.jpg`
    expect(index[0]).toEqual({
      ...{ 'Volume Name': 'LINCOLN', 'Image Folder': 'IMAGES', 'Image File Name': adaFile, Grade: '3' },
      ...{ 'Last Name': 'Lovelace', 'First Name': 'Ada', 'Home Room': '12B', Period: '', Track: '', Bus: '7' },
      'Teacher Name': 'Ms. Noether',
    })
    expect(index[1]).toMatchObject({ 'Last Name': 'O’Neil', 'First Name': 'Zoë' })
    expect([...files.keys()].toSorted()).toEqual(
      [
        ...index.map((row) => `LINCOLN/IMAGES/${row['Image File Name']}`),
        ...['LINCOLN/INDEX.TXT', 'LINCOLN/MASTER.TXT', 'LINCOLN/README.TXT'],
      ].toSorted(),
    )
    expect(files.get('LINCOLN/MASTER.TXT')).toEqual(files.get('LINCOLN/INDEX.TXT'))
    const readme = String(files.get('LINCOLN/README.TXT'))
    expect(readme).toContain('Lincoln Elementary: Fall 2027\r\nPortraits by Riverside Portraits')
    // 10:00 UTC on April 15th is the 16th in Kiritimati.
    expect(readme).toContain('Made: 2027-04-16')
    const portrait = files.get(`LINCOLN/IMAGES/${adaFile}`)
    expect(await metadataOf(portrait)).toEqual({ size: [640, 800], format: 'jpeg', hasMetadata: false })
    expect(portrait?.includes('Ada Lovelace')).toBe(false)
    // The template is the upper half, which is red.
    expect(await Promise.all([colourAt(portrait, 0.5, 0.02), colourAt(portrait, 0.5, 0.95)])).toEqual(['red', 'red'])
  })

  it('the chosen image is exported, or else the main one, and only chosen ones on request', async () => {
    const { deps, addSubject, studioId, exported } = await setUp()
    const ada = await addSubject({ name: 'Ada Lovelace', images: 3 })
    const bo = await addSubject({ name: 'Bo Lovelace', images: 2 })
    const chosen = { studio_id: studioId, subject_id: ada.id, image_id: ada.imageIds[2] ?? 0, chosen_at: deps.clock() }
    await deps.db.insertInto('year_book_poses').values(chosen).execute()
    await deps.db
      .updateTable('subjects')
      .set({ primary_image_id: bo.imageIds[1] ?? 0 })
      .where('id', '=', bo.id)
      .execute()
    const imagesOf = async (images: 'yearbook' | 'yearbook-or-main' | 'main') => {
      const { files } = await exported({ ...exportSettings, images })
      return tabRows(files.get('LINCOLN/INDEX.TXT')).map((row) => Number.parseInt(row['Image File Name'] ?? '', 10))
    }
    expect(await imagesOf('yearbook-or-main')).toEqual([ada.imageIds[2], bo.imageIds[1]])
    expect(await imagesOf('yearbook')).toEqual([ada.imageIds[2]])
    expect(await imagesOf('main')).toEqual([ada.imageIds[0], bo.imageIds[1]])
  })

  it('hidden subjects and withdrawn images are in no export, also when they are hidden after it was made', async () => {
    const { deps, addSubject, addImage, start, run, download, get, fileLink, time } = await setUp()
    await addSubject({ name: 'Hidden Child', hidden_at: deps.clock() })
    const withdrawn = await addSubject({ name: 'Withdrawn Child', images: 0 })
    await addImage(withdrawn.id, { withdrawn_at: deps.clock() })
    await addImage(withdrawn.id, { superseded_at: deps.clock() })
    const [ada, bo, cy] = [
      await addSubject({ name: 'Ada Lovelace' }),
      await addSubject({ name: 'Bo Lovelace' }),
      await addSubject({ name: 'Cy Lovelace' }),
    ]
    const exportId = await start(exportSettings)
    const hide = (id: number) =>
      deps.db.updateTable('subjects').set({ hidden_at: deps.clock() }).where('id', '=', id).execute()
    let crops = 0
    await run(exportId, async (job) => {
      crops += 1
      if (crops === 1) await hide(cy.id)
      return await cropImage(job)
    })
    const names = async () =>
      tabRows((await download(exportId)).get('LINCOLN/INDEX.TXT')).map((row) => row['First Name'])
    expect(await names()).toEqual(['Ada', 'Bo'])
    const { zipUrl } = (await fileLink(exportId)).data
    const before = await get(zipUrl)
    await deps.db
      .updateTable('image_lookups')
      .set({ withdrawn_at: deps.clock() })
      .where('id', '=', bo.imageIds[0] ?? 0)
      .execute()
    expect(await names()).toEqual(['Ada'])
    const resumed = { range: 'bytes=100-', 'if-range': String(before.headers.etag) }
    expect((await get(zipUrl, resumed)).statusCode).toBe(200)
    time.advance(30 * 60 * 1000)
    expect((await get(zipUrl, resumed)).statusCode).toBe(404)
    await hide(ada.id)
    expect([...(await download(exportId)).keys()].some((name) => name.endsWith('.jpg'))).toBe(false)
  })

  it('retakes are a volume of the changed images, whose master index lists everyone once', async () => {
    const { deps, addSubject, addImage, exported, staffRequest } = await setUp()
    const [ada, bo] = [await addSubject({ name: 'Ada Lovelace' }), await addSubject({ name: 'Bo Lovelace' })]
    const first = await exported(exportSettings)
    const retakeId = await addImage(bo.id)
    await deps.db.updateTable('subjects').set({ primary_image_id: retakeId }).where('id', '=', bo.id).execute()
    const cy = await addSubject({ name: 'Cy Lovelace' })
    const second = await exported({ ...exportSettings, volume: 'RETAKES', retakesOf: first.exportId })
    const idsIn = (files: Map<string, Buffer>, name: string) =>
      tabRows(files.get(name)).map((row) => [row['Volume Name'], Number.parseInt(row['Image File Name'] ?? '', 10)])
    expect(idsIn(second.files, 'RETAKES/INDEX.TXT')).toEqual([
      ['RETAKES', retakeId],
      ['RETAKES', cy.imageIds[0]],
    ])
    const everyone = [
      ['LINCOLN', ada.imageIds[0]],
      ['RETAKES', retakeId],
      ['RETAKES', cy.imageIds[0]],
    ]
    expect(idsIn(second.files, 'RETAKES/MASTER.TXT')).toEqual(everyone)
    const unchanged = { ...exportSettings, volume: 'MORE', retakesOf: second.exportId }
    expect(await staffRequest('POST', 'image-exports', unchanged)).toMatchObject({
      status: 422,
      errors: ['There is no image to export with these settings'],
    })
  })

  it('ID and administration exports are named by student id, and leave out subjects without one', async () => {
    const { addSubject, exported, staffRequest } = await setUp()
    await addSubject({ name: 'Ada Lovelace', reference: '00042', fields: { Grade: '3' } })
    await addSubject({ name: 'Bo =Lovelace', reference: 'N/A', fields: { Grade: '=1+1' } })
    await addSubject({ name: 'Cy Lovelace' })
    const fields = { ...exportSettings.fields, grade: 'field:Grade' }
    const cards = settingsFor('id-photos', { fields })
    expect((await staffRequest('POST', 'image-exports/preview', cards)).data).toMatchObject({
      ...{ fileCount: 2, withoutId: 1, withoutImage: 0 },
      images: [
        { name: 'Ada Lovelace', fileName: '00042.jpg', ordered: null },
        { name: 'Bo =Lovelace', fileName: 'N-A.jpg' },
      ],
    })
    const { files: idFiles } = await exported(cards)
    expect([...idFiles.keys()].toSorted()).toEqual(['00042.jpg', 'N-A.jpg', 'cards.csv'])
    expect(await metadataOf(idFiles.get('00042.jpg'))).toMatchObject({ size: [600, 750], hasMetadata: false })
    const { files } = await exported(settingsFor('administration', { fields }))
    expect([...files.keys()].toSorted()).toEqual(['00042.jpg', 'N-A.jpg', 'photos.txt', 'students.csv'])
    expect(await metadataOf(files.get('00042.jpg'))).toMatchObject({ size: [400, 600] })
    const { data: rows } = papaparse.parse<Record<string, string>>(String(files.get('students.csv')), { header: true })
    expect(rows[0]).toMatchObject({ 'Student ID': '00042', 'Last Name': 'Lovelace', Grade: '3', Image: '00042.jpg' })
    expect(rows[1]).toMatchObject({ 'Student ID': 'N/A', 'Last Name': "'=Lovelace", Grade: "'=1+1", Image: 'N-A.jpg' })
    expect(tabRows(files.get('photos.txt'))).toEqual([
      { Student_Number: '00042', File_Name: '00042.jpg' },
      { Student_Number: 'N/A', File_Name: 'N-A.jpg' },
    ])
  })

  it('settings that a publisher would refuse are refused with the field’s error', async () => {
    const { addSubject, staffRequest } = await setUp()
    await addSubject({ name: 'Ada Lovelace' })
    for (const path of ['image-exports', 'image-exports/preview'])
      expect(await staffRequest('POST', path, { ...exportSettings, width: 600, height: 750 })).toMatchObject({
        status: 422,
        fields: { width: ['Yearbook publishers need at least 640 × 800 pixels, at 4:5'] },
      })
    expect(await staffRequest('POST', 'image-exports', { ...exportSettings, retakesOf: 999 })).toMatchObject({
      fields: { retakesOf: ['Choose a finished yearbook export of this job'] },
    })
  })

  it('a missing original stops the export with a message; a retry makes only what is missing', async () => {
    const { deps, addSubject, addImage, start, run, read, staffRequest, originalKey, jobs, studioId } = await setUp()
    await addSubject({ name: 'Ada Lovelace' })
    const bo = await addSubject({ name: 'Bo Lovelace', images: 0 })
    await addImage(bo.id, { original_key: 'studios/1/lost', file_name: 'bo.jpg' })
    const exportId = await start(exportSettings)
    await run(exportId)
    expect(await read(exportId)).toMatchObject({
      ...{ state: 'failed', error: 'The file of bo.jpg is missing. Upload it again, then retry' },
      ...{ filesTotal: 2, filesDone: 1, expiresAt: null },
    })
    await deps.files.put('studios/1/lost', Buffer.from('no image'))
    const retry = () => staffRequest('POST', `image-exports/${exportId}/again`, {})
    expect((await retry()).data).toMatchObject({ state: 'waiting', error: null })
    await run(exportId)
    expect(await read(exportId)).toMatchObject({ error: 'bo.jpg can’t be read. Replace it, then retry' })
    const original = await deps.files.read(originalKey)
    if (original.outcome !== 'opened') throw new Error('the original is missing')
    await deps.files.put('studios/1/lost', Buffer.concat(await original.body.toArray()))
    await retry()
    let crops = 0
    await run(exportId, (job) => {
      crops += 1
      return cropImage(job)
    })
    expect(crops).toBe(1)
    expect(await read(exportId)).toMatchObject({ state: 'ready', filesDone: 2, expiresAt: '2027-04-22T10:00:00.000Z' })
    expect((await retry()).data).toMatchObject({ state: 'ready' })
    expect(jobs.filter(({ name }) => name === 'make-image-export')).toHaveLength(3)
    const actions = deps.db.selectFrom('audit_log').select('action').where('studio_id', '=', studioId).orderBy('id')
    expect((await actions.execute()).map(({ action }) => action)).toEqual([
      'image-export.begun',
      ...['image-export.retried', 'image-export.retried'],
    ])
  })

  it('an export that was interrupted continues with the same names', async () => {
    const { addSubject, start, run, read, deps } = await setUp()
    for (let n = 1; n <= 8; n += 1) await addSubject({ name: `Child Number${n}` })
    const exportId = await start(settingsFor('zip'))
    const stop = new AbortController()
    let crops = 0
    const count = (stopsAt: number) => async (job: Parameters<typeof cropImage>[0]) => {
      crops += 1
      if (crops === stopsAt) stop.abort()
      return await cropImage(job)
    }
    await expect(run(exportId, count(2), stop.signal)).rejects.toThrow()
    const names = () => deps.db.selectFrom('image_export_files').select('file_name').orderBy('position').execute()
    const before = await names()
    const { filesDone } = await read(exportId)
    expect(filesDone).toBeLessThan(8)
    await addSubject({ name: 'Child Late' })
    crops = 0
    await run(exportId, count(0))
    expect(crops).toBe(8 - filesDone)
    expect(await names()).toEqual(before)
    expect(await read(exportId)).toMatchObject({ state: 'ready', filesDone: 8, filesTotal: 8 })
  })

  it('a ZIP has a known size, can be resumed, and is removed after seven days', async () => {
    const { deps, addSubject, exported, get, fileLink, read, time, jobs, studioId, userId } = await setUp()
    await addSubject({ name: 'Ada Lovelace' })
    const { exportId } = await exported(settingsFor('zip'))
    const { data: link } = await fileLink(exportId)
    const whole = await get(link.zipUrl)
    expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, Number(whole.headers['content-length'])])
    expect(whole.headers['content-disposition']).toContain('LINCOLN.zip')
    const part = await get(link.zipUrl, { range: 'bytes=50-149' })
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(50, 150))
    expect((await get(link.zipUrl.replace(/seal=.{3}/, 'seal=abc'))).statusCode).toBe(404)
    const opened = await deps.db
      .selectFrom('audit_log')
      .select(['user_id', 'entity_id'])
      .where('action', '=', 'image-export.opened')
      .execute()
    expect(opened).toContainEqual({ user_id: userId, entity_id: String(exportId) })
    time.advance(7 * day - 1)
    await expireImageExports(deps)
    expect(await read(exportId)).toMatchObject({ state: 'ready' })
    time.advance(1)
    await expireImageExports(deps)
    expect(await read(exportId)).toMatchObject({ state: 'expired' })
    expect(jobs.at(-1)).toEqual({
      name: 'remove-files',
      payload: { folders: [`studios/${studioId}/image-exports/${exportId}/`], keys: [] },
    })
    expect(await fileLink(exportId)).toMatchObject({ status: 422 })
  })
})
