import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { keyHere } from '#server/images/engine/chroma-key.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { proposeCutOut } from '#server/images/lookups/cut-outs.ts'
import { rematchImages } from '#server/images/lookups/rematch-images.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { add, completeLineContent, newUuid, onePrint } from '../../carts/cart-fixtures.ts'
import { addFeature, jpegAt } from '../../discovery/job-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../../payments/checkout-driver.ts'
import { createUploadFixtures, type TestFile } from '../uploads/upload-fixtures.ts'
import { multipartPayload } from './form-data.ts'

const render = createRenderer()
const small = async (fileName: string, minute = 1): Promise<TestFile> => ({ fileName, bytes: await jpegAt(minute) })

describe.each(enginesFor(import.meta.filename))('image lookups on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const desk = await createUploadFixtures(database())
    const { deps, studioId, jobId, organizationId } = desk
    await setUpPlatform(deps)
    const made = await desk.offer(onePrint(25))
    const base = `/api/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}/imagelookups`
    const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', payload?: object) =>
      desk.ask(method, `${path.startsWith('-') ? base.replace(/s$/, '') : base}${path}`, payload ? { payload } : {})
    const send = async (path: string, files: readonly TestFile[], fields: Record<string, string> = {}) => {
      const form = await multipartPayload(files, fields)
      const headers = { ...form.headers, authorization: `Bearer ${await desk.tokenOf()}` }
      const answer = await desk.app.inject({ method: 'PATCH', url: `${base}${path}`, headers, payload: form.payload })
      return { status: answer.statusCode, ...answer.json() }
    }
    /** Makes the variants of images. */
    const makeAll = async () => {
      for (const { name, payload } of desk.jobs.splice(0))
        if (name === 'make-variants') await makeVariantsOf(deps, payload, { render })
    }
    const give = async (files: readonly TestFile[], more: object = {}) => {
      const uploads = await desk.upload(files, more)
      await makeAll()
      return uploads.map(({ imageId }) => imageId ?? 0)
    }
    const image = async (id: number) => (await ask('GET', `/${id}`)).data
    const published = async (ids: number[]) => ask('POST', '/publish', { imageIds: ids, published: true })
    /** A customer with one print of an image of Ada's in the cart; `order` submits it. */
    const parentWith = async (imageId: number) => {
      const parent = await desk.enter()
      const till = checkoutDriver(desk.app, desk, parent)
      await till.sync([add(made, desk.adaId, completeLineContent(made, imageId))])
      const order = async () => {
        const checkoutId = newUuid()
        await till.keep(checkoutId)
        const { totalCents } = await till.totals()
        const { data } = await till.submit({ checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })
        return data.orderNumber as string
      }
      const chosen = async () => (await till.cart()).cartPackages[0]?.cartPackageItems[0]?.imageNodes[0]?.subjectImageId
      return { parent, till, order, chosen }
    }
    const trail = async () =>
      (
        await deps.db.selectFrom('audit_log').select('action').where('action', 'like', 'image%').orderBy('id').execute()
      ).map(({ action }) => action)
    const askAt = desk.ask
    return { ...desk, base, askAt, ask, send, give, makeAll, image, published, parentWith, trail }
  }

  it('images are listed in pages, filtered and counted, with URLs that show them', async () => {
    const { ask, give, adaId, app, published } = await begin()
    const [first = 0, second = 0] = await give([await small('b.jpg', 2), await small('a.jpg', 1)], { subjectId: adaId })
    await give([await small('waits.jpg', 3)])
    const names = async (query: string) =>
      (await ask('GET', `?${query}`)).data.resultItems.map((one: { fileName: string }) => one.fileName)
    expect(await names('show=unmatched&pageSize=10')).toEqual(['waits.jpg'])
    expect(await names(`subjectId=${adaId}&sort=-name&filter=b.j`)).toEqual(['b.jpg'])
    expect(await names('currentPage=2&pageSize=2&sort=name')).toHaveLength(2)
    expect(await names('filter=lovelace')).toContain('a.jpg')
    const seen = (await ask('GET', `/${first}`)).data
    expect(seen).toMatchObject({
      ownerName: 'Ada Lovelace',
      state: 'ready',
      isPublished: false,
      matchedBy: 'hand',
      takenAt: expect.any(String),
    })
    const photo = await app.inject({ method: 'GET', url: seen.thumbnailUrl })
    expect([photo.statusCode, photo.headers['content-type']]).toEqual([200, 'image/jpeg'])
    await published([first, second])
    expect((await ask('GET', '-counts')).data).toMatchObject({
      all: 4,
      unmatched: 1,
      subjects: 3,
      groups: 0,
      'cut-outs': 0,
      unpublished: 0,
    })
    expect((await ask('GET', `/${first}`)).data.isPublished).toBe(true)
    const owners = async (filter: string) => (await ask('GET', `-owners?filter=${filter}`)).data
    expect(await owners('lovel')).toMatchObject([{ kind: 'subject', id: adaId, name: 'Ada Lovelace', imageCount: 3 }])
    expect(await owners('nobody')).toEqual([])
  })

  it('files that became no image count as refused, those of a background or list do not', async () => {
    const { deps, studioId, jobId, ask, give } = await begin()
    const drawing = { fileName: 'drawing.jpg', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }
    await give([await small('good.jpg'), drawing])
    const counts = async () => (await ask('GET', '-counts')).data
    expect(await counts()).toMatchObject({ refused: 1 })
    await deps.db
      .updateTable('uploads')
      .set({ purpose: 'background' })
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('state', '=', 'refused')
      .execute()
    expect(await counts()).toMatchObject({ refused: 0 })
  })

  it('images of another organization, job or studio are not found', async () => {
    const { base, ask, askAt, give, organizationId } = await begin()
    const [id] = await give([await small('a.jpg')])
    const wrong = base.replace(`organizations/${organizationId}`, `organizations/${organizationId + 1}`)
    expect((await ask('GET', `/${id}`)).status).toBe(200)
    expect((await ask('GET', '/999999')).status).toBe(404)
    expect((await askAt('GET', `${wrong}/${id}`)).status).toBe(404)
  })

  it('an image is replaced in place, and everything that refers to it shows the new bytes', async () => {
    const { send, give, adaId, image, makeAll, published, parentWith, deps, trail, images, jobs } = await begin()
    const [id = 0] = await give([await small('a.jpg', 1)], { subjectId: adaId })
    await published([id])
    const before = await image(id)
    const { chosen } = await parentWith(id)
    const answer = await send(`/${id}`, [await small('retouched.jpg', 5)])
    expect(answer).toMatchObject({
      status: 200,
      data: { id, fileName: 'retouched.jpg', state: 'processing', version: before.version + 1 },
    })
    expect(jobs.map(({ name }) => name)).toEqual(['make-variants', 'remove-files'])
    await makeAll()
    const after = await image(id)
    expect(after).toMatchObject({ state: 'ready', subjectId: adaId, isPublished: true })
    expect(after.thumbnailUrl).not.toBe(before.thumbnailUrl)
    expect(await chosen()).toBe(id)
    const [row] = await images()
    expect((await readWholeFile(deps.files, row?.original_key ?? ''))?.equals(await jpegAt(5))).toBe(true)
    expect(await trail()).toContain('image.replaced')
    const refused = await send(`/${id}`, [{ fileName: 'a.svg', bytes: Buffer.from('<svg/>') }])
    expect(refused).toMatchObject({
      status: 422,
      errors: ['a.svg: This is a SVG file. Only JPEG, PNG and WebP pictures can be uploaded.'],
    })
    expect((await send(`/${id}`, [])).errors).toEqual(['Choose one file'])
  })

  it('images that become ready change the carts that show them, and no other carts', async () => {
    const { ask, send, give, giveSubject, adaId, published, parentWith, makeAll } = await begin()
    const [id = 0] = await give([await small('a.jpg', 1)], { subjectId: adaId })
    await published([id])
    await ask('POST', `/${id}/primary`)
    const { till } = await parentWith(id)
    const look = async () => {
      const { version, cartPackages } = await till.cart()
      const { images, subject } = cartPackages[0]?.snapshot ?? {}
      return { version, face: subject?.imageThumbnailUrl, photo: images?.[0]?.thumbnailUrl }
    }
    const before = await look()
    await send(`/${id}`, [await small('retouched.jpg', 5)])
    const waiting = await look()
    await makeAll()
    const after = await look()
    expect(after.version).toBeGreaterThan(waiting.version)
    expect(after.face).toContain(`/${id}/`)
    expect(after.face).not.toBe(before.face)
    expect(after.photo).not.toBe(before.photo)
    // Another image in its place: the cart keeps the former one, and its subject is shown by the new one.
    const [{ newImageId }] = (
      await send('/bulk-replace', [await small('b.jpg', 6)], { 'ImageMigrationSettings[0].ImageId': String(id) })
    ).data
    const { version } = await look()
    await makeAll()
    const last = await look()
    expect(last).toMatchObject({ face: expect.stringContaining(`/${newImageId}/`), photo: after.photo })
    expect(last.version).toBeGreaterThan(version)
    // No cart shows an image that is not published, or another subject's.
    const [others = 0] = await give([await small('c.jpg', 7)], { subjectId: await giveSubject('Bo') })
    await published([others])
    await send(`/${others}`, [await small('d.jpg', 8)])
    await makeAll()
    await give([await small('e.jpg', 9)], { subjectId: adaId })
    expect(await look()).toEqual(last)
  })

  it('an unused image is deleted, a chosen one only with confirmation, an ordered one never', async () => {
    const { ask, give, adaId, published, parentWith, trail, image, jobs } = await begin()
    const [free = 0, carted = 0, ordered = 0] = await give(
      [await small('a.jpg', 1), await small('b.jpg', 2), await small('c.jpg', 3)],
      { subjectId: adaId },
    )
    await published([free, carted, ordered])
    const { chosen } = await parentWith(carted)
    const number = await (await parentWith(ordered)).order()
    jobs.splice(0)
    expect((await ask('DELETE', `/${free}`)).status).toBe(200)
    expect(jobs.map(({ name }) => name)).toEqual(['remove-files'])
    expect((await ask('GET', `/${free}`)).status).toBe(404)
    expect((await ask('DELETE', `/${carted}`)).errors).toEqual(['This picture is in a cart that is not ordered yet'])
    expect((await ask('DELETE', `/${carted}?evenIfChosen=1`)).status).toBe(200)
    expect(await chosen()).toBeNull()
    expect((await ask('DELETE', `/${ordered}?evenIfChosen=1`)).errors).toEqual([`Order ${number} needs this picture`])
    expect(await image(ordered)).toMatchObject({ id: ordered })
    expect(await trail()).toEqual(['images.published', 'image.deleted', 'image.deleted'])
  })

  it('the usage of images is shown', async () => {
    const { ask, give, adaId, published, parentWith, deps, studioId } = await begin()
    const [one = 0, other = 0] = await give([await small('a.jpg', 1), await small('b.jpg', 2)], { subjectId: adaId })
    await published([one, other])
    await parentWith(one)
    const number = await (await parentWith(one)).order()
    await deps.db
      .insertInto('year_book_poses')
      .values({ studio_id: studioId, subject_id: adaId, image_id: one, chosen_at: deps.clock() })
      .execute()
    expect((await ask('POST', '/check-usage', { ImageIds: [other, one, 999_999] })).data).toEqual([
      {
        imageId: one,
        fileName: 'a.jpg',
        carts: 1,
        orders: [{ orderNumber: number, customerName: expect.any(String), state: expect.any(String) }],
        yearBookPoses: 1,
        isPrimary: expect.any(Boolean),
        downloads: 0,
      },
      { imageId: other, fileName: 'b.jpg', carts: 0, orders: [], yearBookPoses: 0, isPrimary: false, downloads: 0 },
    ])
  })

  it('an image belongs to a subject or a group, and is converted between the two', async () => {
    const { ask, give, adaId, deps, studioId, jobId, image } = await begin()
    const ofJob = { studio_id: studioId, job_id: jobId }
    const group = async (name: string) =>
      (
        await deps.db
          .insertInto('groups')
          .values({ ...ofJob, name })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const groupId = await group('Room 7')
    const [id = 0] = await give([await small('a.jpg')], { subjectId: adaId })
    const { version } = await image(id)
    expect((await ask('PATCH', `/${id}/convert-type`, { version })).errors).toEqual([
      'Choose the group that this picture shows',
    ])
    expect((await ask('PATCH', `/${id}/convert-type`, { version: version + 7, groupId })).status).toBe(409)
    expect((await ask('PATCH', `/${id}/convert-type`, { version, groupId: 999_999 })).status).toBe(404)
    expect((await ask('PATCH', `/${id}/convert-type`, { version, groupId })).data).toMatchObject({
      kind: 'hosted-group',
      groupId,
      subjectId: null,
      ownerName: 'Room 7',
    })
    const back = await ask('PATCH', `/${id}/convert-type`, { version: version + 1, subjectId: adaId })
    expect(back.data).toMatchObject({ kind: 'hosted-individual', groupId: null, subjectId: adaId })
    await deps.db
      .insertInto('subject_groups')
      .values({ studio_id: studioId, subject_id: adaId, group_id: groupId })
      .execute()
    // As in the specification: the image alone decides what is converted.
    expect((await ask('PATCH', `/${id}/convert-type`)).data).toMatchObject({ kind: 'hosted-group', groupId })
    expect((await ask('PATCH', `/${id}/convert-type`, {})).data).toMatchObject({ kind: 'hosted-individual' })
    expect((await ask('POST', `/${id}/generate-thumbnail`)).data).toMatchObject({ state: 'processing' })
  })

  it('images are moved to another subject; ordered ones only with confirmation', async () => {
    const { ask, give, adaId, giveSubject, published, parentWith, image, trail, deps } = await begin()
    const bo = await giveSubject('Bo')
    const [free = 0, taken = 0] = await give([await small('a.jpg', 1), await small('b.jpg', 2)], { subjectId: adaId })
    await published([free, taken])
    const { chosen } = await parentWith(taken)
    const number = await (await parentWith(taken)).order()
    expect((await ask('POST', '/move', { imageIds: [free], to: { subjectId: bo } })).data).toEqual({
      moved: true,
      affected: [],
    })
    expect(await image(free)).toMatchObject({ subjectId: bo, matchedBy: 'hand', isPrimary: true })
    const first = await ask('POST', '/move', { imageIds: [taken], to: { subjectId: bo } })
    expect(first.data).toMatchObject({
      moved: false,
      affected: [{ imageId: taken, carts: 1, orders: [{ orderNumber: number }] }],
    })
    expect(await image(taken)).toMatchObject({ subjectId: adaId })
    const sure = await ask('POST', '/move', { imageIds: [taken], to: { subjectId: bo }, evenIfOrdered: true })
    expect(sure.data).toMatchObject({ moved: true, affected: [{ imageId: taken }] })
    expect(await image(taken)).toMatchObject({ subjectId: bo })
    expect(await chosen()).toBeNull()
    const noted = await deps.db
      .selectFrom('audit_log')
      .select('detail')
      .where('action', '=', 'image.moved')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(noted.detail).toEqual({ fromSubject: adaId, toGroup: null, toSubject: bo, affected: `${number}, 1 carts` })
    expect((await ask('POST', '/move', { imageIds: [free], to: { nobody: true } })).data.moved).toBe(true)
    expect(await image(free)).toMatchObject({ subjectId: null, matchedBy: null })
    expect((await ask('POST', '/move', { imageIds: [free], to: { subjectId: 999_999 } })).status).toBe(404)
    // One was deleted meanwhile: nothing is moved, so that staff need not check which were.
    expect(await ask('POST', '/move', { imageIds: [free, 999_999], to: { subjectId: bo } })).toMatchObject({
      status: 404,
      errors: ['Not all of these pictures are here any more'],
    })
    expect(await image(free)).toMatchObject({ subjectId: null })
    expect(await trail()).toEqual(['images.published', 'image.moved', 'image.moved', 'image.moved'])
  })

  it('images are sorted, one is primary for its subject, and they are shown when published', async () => {
    const { ask, give, adaId, image, enter, app, jobId } = await begin()
    const ids = await give([await small('a.jpg', 1), await small('b.jpg', 2), await small('c.jpg', 3)], {
      subjectId: adaId,
    })
    const [a = 0, b = 0, c = 0] = ids
    await ask('PATCH', '/order', { imageIds: [c, a] })
    const order = (await ask('GET', `?subjectId=${adaId}&filter=.jpg&sort=position`)).data.resultItems.map(
      (one: { id: number }) => one.id,
    )
    expect(order.filter((id: number) => ids.includes(id))).toEqual([c, a, b])
    expect((await ask('POST', `/${b}/primary`)).data).toMatchObject({ isPrimary: true })
    expect(await image(a)).toMatchObject({ isPrimary: false })
    const parent = await enter()
    const seen = async () => {
      const answer = await app.inject({
        method: 'GET',
        url: `/api/customer/jobs/${jobId}/subjects/${adaId}/images`,
        headers: parent.headers,
      })
      return answer
        .json()
        .data.map((one: { id: number }) => one.id)
        .filter((id: number) => ids.includes(id))
    }
    expect(await seen()).toEqual([])
    expect((await ask('POST', '/publish', { imageIds: null, published: true })).data.changed).toBe(3)
    expect((await seen()).toSorted()).toEqual(ids.toSorted())
    expect((await ask('POST', '/publish', { imageIds: [a], published: false })).data).toEqual({
      changed: 1,
      imageIds: [a],
    })
    expect((await ask('POST', '/publish', { imageIds: [a], published: false })).data).toEqual({
      changed: 0,
      imageIds: [],
    })
    expect(await seen()).not.toContain(a)
  })

  it('images that staff withdrew stay withdrawn until they are published by id', async () => {
    const { ask, send, give, giveSubject, adaId, image, published, images, makeAll } = await begin()
    const bo = await giveSubject('Bo')
    const [first = 0, second = 0, third = 0] = await give(
      [await small('a.jpg', 1), await small('b.jpg', 2), await small('c.jpg', 3)],
      { subjectId: adaId },
    )
    const counted = async () => (await ask('GET', '-counts')).data
    const hide = (imageIds: number[] | null, undo?: true) =>
      ask('POST', '/publish', { imageIds, published: false, ...(undo && { undo }) })
    const all = { imageIds: null, published: true }
    await published([first])
    await hide([first, second])
    expect(await image(first)).toMatchObject({ isPublished: false, isWithdrawn: true })
    expect(await image(second)).toMatchObject({ isPublished: false, isWithdrawn: false })
    expect(await counted()).toMatchObject({ unpublished: 2, withdrawn: 1 })
    expect((await ask('GET', '?show=withdrawn')).data).toMatchObject([{ id: first }])
    // The replacement of a withdrawn image, or one moved to another subject, is withdrawn still.
    await ask('POST', '/move', { imageIds: [first], to: { subjectId: bo } })
    const [replaced] = (
      await send('/bulk-replace', [await small('a2.jpg', 11)], { 'ImageMigrationSettings[0].ImageId': String(first) })
    ).data
    const withdrawn = replaced.newImageId
    await makeAll()
    const publishAll = async () => (await ask('POST', '/publish', all)).data
    expect((await publishAll()).imageIds.toSorted()).toEqual([second, third])
    expect(await image(withdrawn)).toMatchObject({ isPublished: false, isWithdrawn: true })
    // Undo reverts a publication: what it hides waits as before, what was withdrawn before or since stays so.
    await hide([third])
    expect((await hide([second, third, withdrawn], true)).data).toEqual({ changed: 1, imageIds: [second] })
    expect(await counted()).toMatchObject({ unpublished: 1, withdrawn: 2 })
    expect((await publishAll()).imageIds).toEqual([second])
    expect((await published([withdrawn])).data).toEqual({ changed: 1, imageIds: [withdrawn] })
    expect(await image(withdrawn)).toMatchObject({ isPublished: true, isWithdrawn: false })
    expect(await counted()).toMatchObject({ unpublished: 0, withdrawn: 1 })
    expect((await images()).find(({ id }) => id === withdrawn)?.withdrawn_at).toBeNull()
  })

  it('the count of images to publish is what Publish all publishes', async () => {
    const { ask, give, adaId, deps } = await begin()
    const [refused = 0, replacement = 0, waits = 0] = await give(
      [await small('a.jpg', 1), await small('b.jpg', 2), await small('c.jpg', 3)],
      { subjectId: adaId },
    )
    const set = (id: number, change: object) =>
      deps.db.updateTable('image_lookups').set(change).where('id', '=', id).execute()
    await set(refused, { state: 'refused', refusal: 'It is broken.' })
    await set(replacement, { kind: 'replacement', subject_id: null })
    expect((await ask('GET', '-counts')).data).toMatchObject({ unpublished: 2 })
    const answer = (await ask('POST', '/publish', { imageIds: null, published: true })).data
    expect(answer.imageIds.toSorted()).toEqual([replacement, waits])
    expect((await ask('GET', '-counts')).data).toMatchObject({ unpublished: 0 })
  })

  it('replaced images are neither listed nor counted for staff anywhere', async () => {
    const { ask, askAt, give, adaId, adaImageId, deps, studioId, jobId, image, jobs } = await begin()
    const { id: groupId } = await deps.db
      .insertInto('groups')
      .values({ studio_id: studioId, job_id: jobId, name: 'Grade 3' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const [own = 0] = await give([await small('a.jpg', 1)], { subjectId: adaId })
    const [groups = 0] = await give([await small('b.jpg', 2)], { groupId })
    const [nobodys = 0] = await give([await small('Ada Lovelace.jpg', 3)])
    const replaced = [adaImageId, own, groups, nobodys]
    const job = `/api/studioadmin/studios/${studioId}/jobs/${jobId}`
    const look = async () => {
      const [subjects, subject] = [
        await askAt('GET', `${job}/subjects`),
        await askAt('GET', `${job}/subjects/${adaId}`),
      ]
      const { progress } = (await askAt('GET', `${job}/overview`)).data
      const ada = [subjects.data].flat(2).find(({ id }: { id: number }) => id === adaId)
      return {
        listed: (await ask('GET')).data.length,
        ...(await ask('GET', '-counts')).data,
        ofOwners: (await ask('GET', '-owners?filter=')).data.map((one: { imageCount: number }) => one.imageCount),
        ofAda: [ada.imageCount, subject.data.images.length],
        ofGroups: (await askAt('GET', `${job}/groups`)).data.map((one: { imageCount: number; images: object[] }) => [
          one.imageCount,
          one.images.length,
        ]),
        found: [(await askAt('GET', `${job}/subjects?images=with`)).data].flat().length,
        progress: [progress.images, progress.withImages, progress.unmatchedImages],
      }
    }
    expect(await look()).toMatchObject({
      listed: 4,
      all: 4,
      ofAda: [2, 2],
      found: 1,
      ofGroups: [[1, 1]],
      progress: [4, 1, 1],
    })
    await deps.db
      .updateTable('image_lookups')
      .set({ superseded_at: deps.clock() })
      .where('id', 'in', replaced)
      .execute()
    const none = { all: 0, unmatched: 0, subjects: 0, groups: 0, unpublished: 0 }
    expect(await look()).toMatchObject({
      ...{ listed: 0, ...none, ofOwners: [0, 0], ofAda: [0, 0], found: 0, ofGroups: [[0, 0]], progress: [0, 0, 0] },
    })
    // It can still be opened from an order or a cart; it is not matched.
    expect(await image(own)).toMatchObject({ id: own })
    jobs.splice(0)
    expect((await ask('POST', '/match', { by: 'fileName' })).data.total).toBe(0)
    // The same bytes in another upload are another image, which is listed.
    const [again = 0] = await give([await small('again.jpg', 1)], { subjectId: adaId })
    expect(replaced).not.toContain(again)
    expect((await ask('GET')).data).toMatchObject([{ id: again }])
  })

  it('unmatched images are matched again, with a corrected camera clock', async () => {
    const { ask, give, adaId, deps, studioId, jobId, image, jobs } = await begin()
    const match = async (wanted: object) => {
      jobs.splice(0)
      const begun = (await ask('POST', '/match', wanted)).data
      for (const { name, payload } of jobs.splice(0)) if (name === 'rematch-images') await rematchImages(deps, payload)
      const { run } = (await ask('GET', '-match')).data
      expect(run).toMatchObject({ id: begun.id, state: 'done', done: run.total, finishedAt: expect.any(String) })
      return { matched: run.matched, unclear: run.unclear, unknown: run.unknown }
    }
    expect((await ask('GET', '-match')).data).toEqual({ run: null })
    const [named = 0, timed = 0] = await give([await small('Ada Lovelace 2.jpg', 1), await small('IMG_9.jpg', 9)])
    expect(await match({ by: 'fileName' })).toEqual({ matched: 1, unclear: 0, unknown: 1 })
    expect(await image(named)).toMatchObject({ subjectId: adaId, matchedBy: 'fileName' })
    const { takenAt } = await image(timed)
    const checkedIn = new Date(Date.parse(takenAt) - 61 * 60_000)
    await deps.db
      .insertInto('check_ins')
      .values({
        studio_id: studioId,
        job_id: jobId,
        subject_id: adaId,
        check_in_key: newUuid(),
        checked_in_at: checkedIn,
      })
      .execute()
    expect((await match({ by: 'shooting' })).matched).toBe(0)
    expect((await match({ by: 'shooting', cameraAheadSeconds: 3600 })).matched).toBe(1)
    expect(await image(timed)).toMatchObject({ subjectId: adaId, matchedBy: 'shooting' })
  })

  it('many images are replaced at once: carts move along if requested, orders keep the old one', async () => {
    const { send, give, adaId, image, published, parentWith, ask, images } = await begin()
    const ids = await give(
      [await small('a.jpg', 1), await small('b.jpg', 2), await small('c.jpg', 3), await small('d.jpg', 4)],
      { subjectId: adaId },
    )
    const [moves = 0, stays = 0, ordered = 0, free = 0] = ids
    await published(ids)
    const movingCart = await parentWith(moves)
    const stayingCart = await parentWith(stays)
    await (await parentWith(ordered)).order()
    const files = [
      await small('a2.jpg', 11),
      await small('b2.jpg', 12),
      await small('c2.jpg', 13),
      await small('d2.jpg', 14),
      { fileName: 'x.txt', bytes: Buffer.from('text') },
    ]
    const settings = Object.fromEntries(
      [...ids, free + 1000].map((id, n) => [`ImageMigrationSettings[${n}].ImageId`, String(id)]),
    )
    const answer = await send('/bulk-replace', files, {
      ...settings,
      MigrateUnplacedReferences: 'true',
      'ImageMigrationSettings[1].MigrateUnplacedReferences': 'false',
    })
    expect(answer.status).toBe(200)
    const [one, two, three, four, five] = answer.data
    expect(five).toEqual({
      imageId: free + 1000,
      newImageId: null,
      problem: 'x.txt: This file is not a picture. Only JPEG, PNG and WebP pictures can be uploaded.',
    })
    expect(await movingCart.chosen()).toBe(one.newImageId)
    expect(await stayingCart.chosen()).toBe(stays)
    // The old one is deleted where it is unused, hidden where an order has it, and unchanged where a cart does.
    expect((await ask('GET', `/${moves}`)).status).toBe(404)
    expect((await ask('GET', `/${free}`)).status).toBe(404)
    expect(await image(ordered)).toMatchObject({ isPublished: false })
    expect(await image(stays)).toMatchObject({ isPublished: true })
    for (const made of [one, two, three, four])
      expect(await image(made.newImageId)).toMatchObject({ subjectId: adaId, isPublished: true, state: 'processing' })
    expect(
      (await send('/bulk-replace', files.slice(0, 2), { 'ImageMigrationSettings[0].ImageId': String(free) })).errors,
    ).toEqual(['Say for each file which picture it replaces'])
    expect((await images()).map(({ file_name }) => file_name)).toEqual([
      'b.jpg',
      'c.jpg',
      'a2.jpg',
      'b2.jpg',
      'c2.jpg',
      'd2.jpg',
    ])
  })

  it('a replaced image is shown only to the session with it in its cart, and Publish all skips it', async () => {
    const { app, send, give, adaId, adaImageId, published, parentWith, ask, makeAll } = await begin()
    const [carted = 0, ordered = 0] = await give([await small('a.jpg', 1), await small('b.jpg', 2)], {
      subjectId: adaId,
    })
    await published([carted, ordered])
    const inCart = await parentWith(carted)
    const other = await parentWith(ordered)
    await other.order()
    const answer = await send('/bulk-replace', [await small('a2.jpg', 11), await small('b2.jpg', 12)], {
      ...Object.fromEntries([carted, ordered].map((id, n) => [`ImageMigrationSettings[${n}].ImageId`, String(id)])),
      MigrateUnplacedReferences: 'false',
    })
    const made = answer.data.map(({ newImageId }: { newImageId: number }) => newImageId)
    await makeAll()
    const seenBy = async ({ till }: typeof inCart): Promise<number[]> =>
      (await till.ask('GET', `subjects/${adaId}/images`)).data
        .map(({ id }: { id: number }) => id)
        .filter((id: number) => id !== adaImageId)
    expect(await seenBy(inCart)).toEqual([carted, ...made])
    expect(await seenBy(other)).toEqual(made)
    const photoOf = async ({ till }: typeof inCart, id: number): Promise<string> =>
      (await till.ask('GET', `subjects/${adaId}/images`)).data.find((one: { id: number }) => one.id === id).thumbnailUrl
    const theirs = await photoOf(inCart, carted)
    const [, , grantId = ''] = (await photoOf(other, made[0])).split('/')
    const statusOf = async ({ parent }: typeof inCart, url: string) =>
      (await app.inject({ url, headers: parent.headers })).statusCode
    expect(await statusOf(inCart, theirs)).toBe(200)
    expect(await statusOf(other, theirs.replace(theirs.split('/')[2] ?? '', grantId))).toBe(404)
    expect((await ask('POST', '/publish', { imageIds: null, published: true })).data).toEqual({
      changed: 0,
      imageIds: [],
    })
    // A cart with the former image sells it.
    expect(await inCart.chosen()).toBe(carted)
    expect(await inCart.order()).toMatch(/^FP-/)
  })

  it('images before a green screen are cut out, reviewed, and accepted or rejected', async () => {
    const { ask, deps, studioId, jobId, adaId, upload, jobs, image, images, giveImage, makeAll, app } = await begin()
    const screen = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="250"><rect width="100%" height="100%" fill="#20b840"/><circle cx="100" cy="140" r="60" fill="#c89678"/></svg>',
    )
    const green = { fileName: 'green.jpg', bytes: await sharp(screen).jpeg().toBuffer() }
    // Nothing is cut out where the job has no green screens.
    await upload([{ fileName: 'early.jpg', bytes: await sharp(screen).jpeg({ quality: 71 }).toBuffer() }], {
      subjectId: adaId,
    })
    expect(jobs.map(({ name }) => name)).not.toContain('propose-cut-out')
    await addFeature(deps, studioId, 'greenscreens')
    const background = await giveImage({})
    await deps.db
      .updateTable('image_lookups')
      .set({ kind: 'green-screen-background' })
      .where('id', '=', background)
      .execute()
    await deps.db
      .insertInto('green_screens')
      .values({ studio_id: studioId, job_id: jobId, image_id: background, name: 'Park' })
      .execute()
    const [told] = await upload([green], { subjectId: adaId })
    const id = told?.imageId ?? 0
    expect(jobs.map(({ name }) => name)).toContain('propose-cut-out')
    const propose = () => proposeCutOut(deps, { studioId, imageId: id }, { keyGreen: keyHere })
    await propose()
    await propose()
    const proposed = await image(id)
    expect(proposed).toMatchObject({
      cutOut: 'proposed',
      hasAlpha: false,
      cutOutUrl: expect.stringContaining('/photos/staff/'),
    })
    const preview = await app.inject({ method: 'GET', url: proposed.cutOutUrl, headers: { accept: 'image/webp' } })
    expect((await sharp(preview.rawPayload).metadata()).hasAlpha).toBe(true)
    expect((await ask('GET', '?show=cut-outs')).data).toMatchObject([{ id }])
    expect((await ask('POST', `/${id}/cut-out`, { version: 1, decision: 'accept' })).status).toBe(409)
    const accepted = await ask('POST', `/${id}/cut-out`, { version: proposed.version, decision: 'accept' })
    expect(accepted.data).toMatchObject({ cutOut: 'accepted', hasAlpha: true, state: 'processing' })
    await makeAll()
    const row = (await images()).find((one) => one.id === id)
    const bytes = await readWholeFile(deps.files, row?.original_key ?? '')
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(true)
    expect((await readWholeFile(deps.files, row?.uploaded_key ?? ''))?.equals(green.bytes)).toBe(true)
    const { version } = await image(id)
    const back = await ask('POST', `/${id}/cut-out`, { version, decision: 'reject' })
    expect(back.data).toMatchObject({ cutOut: 'none', hasAlpha: false })
    const again = (await images()).find((one) => one.id === id)
    expect((await readWholeFile(deps.files, again?.original_key ?? ''))?.equals(green.bytes)).toBe(true)
    expect((await ask('POST', `/${id}/cut-out`, { version: version + 1, decision: 'accept' })).errors).toEqual([
      'There is no cut-out to accept',
    ])
  })
})
