import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { cutOutSubject } from '#server/images/engine/chroma-key.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { proposeCutOut } from '#server/images/lookups/cut-outs.ts'
import { rematchImages } from '#server/images/lookups/rematch-images.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { addLine, completeLineContent, newUuid, onePrint } from '#tests/server/carts/cart-fixtures.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '#tests/server/payments/checkout-driver.ts'
import { createUploadFixtures, type TestFile } from '../uploads/upload-fixtures.ts'
import { multipartPayload } from './form-data.ts'

const render = createRenderer()
const smallJpeg = async (fileName: string, minute = 1): Promise<TestFile> => ({ fileName, bytes: await jpegAt(minute) })

describe.each(enginesFor(import.meta.filename))('image lookups on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createUploadFixtures(database())
    const { deps, studioId, jobId, organizationId } = fixtures
    await setUpPlatform(deps)
    const offeredPackage = await fixtures.offer(onePrint(25))
    const base = `/api/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}/imagelookups`
    const request = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', payload?: object) =>
      fixtures.request(
        method,
        `${path.startsWith('-') ? base.replace(/s$/, '') : base}${path}`,
        payload ? { payload } : {},
      )
    const send = async (path: string, files: readonly TestFile[], fields: Record<string, string> = {}) => {
      const form = await multipartPayload(files, fields)
      const headers = { ...form.headers, authorization: `Bearer ${await fixtures.tokenOf()}` }
      const answer = await fixtures.app.inject({
        method: 'PATCH',
        url: `${base}${path}`,
        headers,
        payload: form.payload,
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    /** Makes the variants of images. */
    const makeVariants = async () => {
      for (const { name, payload } of fixtures.jobs.splice(0))
        if (name === 'make-variants') await makeVariantsOf(deps, payload, { render })
    }
    const addImages = async (files: readonly TestFile[], uploadOptions: object = {}) => {
      const uploads = await fixtures.upload(files, uploadOptions)
      await makeVariants()
      return uploads.map(({ imageId }) => imageId ?? 0)
    }
    const readImage = async (id: number) => (await request('GET', `/${id}`)).data
    const publish = async (ids: number[]) => request('POST', '/publish', { imageIds: ids, published: true })
    /** A customer with one print of an image of Ada in the cart; `order` submits it. */
    const customerWith = async (imageId: number) => {
      const session = await fixtures.enter()
      const driver = checkoutDriver(fixtures.app, fixtures, session)
      await driver.sync([addLine(offeredPackage, fixtures.adaId, completeLineContent(offeredPackage, imageId))])
      const order = async () => {
        const checkoutId = newUuid()
        await driver.saveDetails(checkoutId)
        const { totalCents } = await driver.totals()
        const { data } = await driver.submit({
          checkoutId,
          attemptId: newUuid(),
          paymentToken: 'test_visa',
          totalCents,
        })
        return data.orderNumber as string
      }
      const chosenImageId = async () =>
        (await driver.cart()).cartPackages[0]?.cartPackageItems[0]?.imageNodes[0]?.subjectImageId
      return { session, driver, order, chosenImageId }
    }
    const listAuditActions = async () =>
      (
        await deps.db.selectFrom('audit_log').select('action').where('action', 'like', 'image%').orderBy('id').execute()
      ).map(({ action }) => action)
    const requestUrl = fixtures.request
    return {
      ...fixtures,
      base,
      requestUrl,
      request,
      send,
      addImages,
      makeVariants,
      readImage,
      publish,
      customerWith,
      listAuditActions,
    }
  }

  it('images are listed in pages, filtered and counted, with URLs that show them', async () => {
    const { request, addImages, adaId, app, publish } = await setUp()
    const [first = 0, second = 0] = await addImages([await smallJpeg('b.jpg', 2), await smallJpeg('a.jpg', 1)], {
      subjectId: adaId,
    })
    await addImages([await smallJpeg('waits.jpg', 3)])
    const names = async (query: string) =>
      (await request('GET', `?${query}`)).data.resultItems.map(
        (resultItem: { fileName: string }) => resultItem.fileName,
      )
    expect(await names('show=unmatched&pageSize=10')).toEqual(['waits.jpg'])
    expect(await names(`subjectId=${adaId}&sort=-name&filter=b.j`)).toEqual(['b.jpg'])
    expect(await names('currentPage=2&pageSize=2&sort=name')).toHaveLength(2)
    expect(await names('filter=lovelace')).toContain('a.jpg')
    const details = (await request('GET', `/${first}`)).data
    expect(details).toMatchObject({
      ownerName: 'Ada Lovelace',
      state: 'ready',
      isPublished: false,
      matchedBy: 'hand',
      takenAt: expect.any(String),
    })
    const photo = await app.inject({ method: 'GET', url: details.thumbnailUrl })
    expect([photo.statusCode, photo.headers['content-type']]).toEqual([200, 'image/jpeg'])
    await publish([first, second])
    expect((await request('GET', '-counts')).data).toMatchObject({
      all: 4,
      unmatched: 1,
      subjects: 3,
      groups: 0,
      'cut-outs': 0,
      unpublished: 0,
    })
    expect((await request('GET', `/${first}`)).data.isPublished).toBe(true)
    const owners = async (filter: string) => (await request('GET', `-owners?filter=${filter}`)).data
    expect(await owners('lovel')).toMatchObject([{ kind: 'subject', id: adaId, name: 'Ada Lovelace', imageCount: 3 }])
    expect(await owners('nobody')).toEqual([])
  })

  it('refused image files are counted, and refused background files are not', async () => {
    const { deps, studioId, jobId, request, addImages } = await setUp()
    const drawing = { fileName: 'drawing.jpg', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }
    await addImages([await smallJpeg('good.jpg'), drawing])
    const counts = async () => (await request('GET', '-counts')).data
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

  it('an image is not found under another organization, nor is an unknown image', async () => {
    const { base, request, requestUrl, addImages, organizationId } = await setUp()
    const [id] = await addImages([await smallJpeg('a.jpg')])
    const wrongUrl = base.replace(`organizations/${organizationId}`, `organizations/${organizationId + 1}`)
    expect((await request('GET', `/${id}`)).status).toBe(200)
    expect((await request('GET', '/999999')).status).toBe(404)
    expect((await requestUrl('GET', `${wrongUrl}/${id}`)).status).toBe(404)
  })

  it('an image is replaced in place, and everything that refers to it shows the new bytes', async () => {
    const {
      send,
      addImages,
      adaId,
      readImage,
      makeVariants,
      publish,
      customerWith,
      deps,
      listAuditActions,
      images,
      jobs,
    } = await setUp()
    const [id = 0] = await addImages([await smallJpeg('a.jpg', 1)], { subjectId: adaId })
    await publish([id])
    const before = await readImage(id)
    const { chosenImageId } = await customerWith(id)
    const answer = await send(`/${id}`, [await smallJpeg('retouched.jpg', 5)])
    expect(answer).toMatchObject({
      status: 200,
      data: { id, fileName: 'retouched.jpg', state: 'processing', version: before.version + 1 },
    })
    expect(jobs.map(({ name }) => name)).toEqual(['make-variants', 'remove-files'])
    await makeVariants()
    const after = await readImage(id)
    expect(after).toMatchObject({ state: 'ready', subjectId: adaId, isPublished: true })
    expect(after.thumbnailUrl).not.toBe(before.thumbnailUrl)
    expect(await chosenImageId()).toBe(id)
    const [row] = await images()
    expect((await readWholeFile(deps.files, row?.original_key ?? ''))?.equals(await jpegAt(5))).toBe(true)
    expect(await listAuditActions()).toContain('image.replaced')
    const refused = await send(`/${id}`, [{ fileName: 'a.svg', bytes: Buffer.from('<svg/>') }])
    expect(refused).toMatchObject({
      status: 422,
      errors: ['a.svg: This is an SVG file. Only JPEG, PNG and WebP images can be uploaded.'],
    })
    expect((await send(`/${id}`, [])).errors).toEqual(['Choose one file'])
  })

  it('images that become ready change the carts that show them, and no other carts', async () => {
    const { request, send, addImages, addSubject, adaId, publish, customerWith, makeVariants } = await setUp()
    const [id = 0] = await addImages([await smallJpeg('a.jpg', 1)], { subjectId: adaId })
    await publish([id])
    await request('POST', `/${id}/primary`)
    const { driver } = await customerWith(id)
    const readLine = async () => {
      const { version, cartPackages } = await driver.cart()
      const { images, subject } = cartPackages[0]?.snapshot ?? {}
      return { version, face: subject?.imageThumbnailUrl, photo: images?.[0]?.thumbnailUrl }
    }
    const before = await readLine()
    await send(`/${id}`, [await smallJpeg('retouched.jpg', 5)])
    const whileProcessing = await readLine()
    await makeVariants()
    const after = await readLine()
    expect(after.version).toBeGreaterThan(whileProcessing.version)
    expect(after.face).toContain(`/${id}/`)
    expect(after.face).not.toBe(before.face)
    expect(after.photo).not.toBe(before.photo)
    // After a bulk replacement the cart keeps the former image, and its subject is shown with the new image.
    const [{ newImageId }] = (
      await send('/bulk-replace', [await smallJpeg('b.jpg', 6)], { 'ImageMigrationSettings[0].ImageId': String(id) })
    ).data
    const { version } = await readLine()
    await makeVariants()
    const finalState = await readLine()
    expect(finalState).toMatchObject({ face: expect.stringContaining(`/${newImageId}/`), photo: after.photo })
    expect(finalState.version).toBeGreaterThan(version)
    // Unpublished images and images of other subjects change no cart.
    const [boImageId = 0] = await addImages([await smallJpeg('c.jpg', 7)], { subjectId: await addSubject('Bo') })
    await publish([boImageId])
    await send(`/${boImageId}`, [await smallJpeg('d.jpg', 8)])
    await makeVariants()
    await addImages([await smallJpeg('e.jpg', 9)], { subjectId: adaId })
    expect(await readLine()).toEqual(finalState)
  })

  it('an unused image can be deleted, a chosen image only with confirmation, and an ordered image never', async () => {
    const { request, addImages, adaId, publish, customerWith, listAuditActions, readImage, jobs, deps, studioId } =
      await setUp()
    const [unusedId = 0, inCartId = 0, orderedId = 0, poseId = 0] = await addImages(
      [
        await smallJpeg('a.jpg', 1),
        await smallJpeg('b.jpg', 2),
        await smallJpeg('c.jpg', 3),
        await smallJpeg('d.jpg', 4),
      ],
      { subjectId: adaId },
    )
    await publish([unusedId, inCartId, orderedId, poseId])
    const pose = { studio_id: studioId, subject_id: adaId, image_id: poseId, chosen_at: deps.clock() }
    await deps.db.insertInto('year_book_poses').values(pose).execute()
    const { chosenImageId } = await customerWith(inCartId)
    const number = await (await customerWith(orderedId)).order()
    jobs.splice(0)
    expect((await request('DELETE', `/${unusedId}`)).status).toBe(200)
    expect(jobs.map(({ name }) => name)).toEqual(['remove-files'])
    expect((await request('GET', `/${unusedId}`)).status).toBe(404)
    expect(await request('DELETE', `/${inCartId}`)).toMatchObject({
      problem: 'image-chosen',
      errors: ['This image is in a cart that is not ordered yet'],
    })
    expect((await request('DELETE', `/${inCartId}?evenIfChosen=1`)).status).toBe(200)
    expect(await chosenImageId()).toBeNull()
    expect(await request('DELETE', `/${poseId}`)).toMatchObject({
      problem: 'image-chosen',
      errors: ['This image was chosen for the yearbook'],
    })
    expect((await request('DELETE', `/${poseId}?evenIfChosen=1`)).status).toBe(200)
    expect((await request('DELETE', `/${orderedId}?evenIfChosen=1`)).errors).toEqual([
      `Order ${number} needs this image`,
    ])
    expect(await readImage(orderedId)).toMatchObject({ id: orderedId })
    expect(await listAuditActions()).toEqual(['images.published', 'image.deleted', 'image.deleted', 'image.deleted'])
  })

  it('the usage of images is shown', async () => {
    const { request, addImages, adaId, publish, customerWith, deps, studioId } = await setUp()
    const [imageId = 0, otherImageId = 0] = await addImages(
      [await smallJpeg('a.jpg', 1), await smallJpeg('b.jpg', 2)],
      {
        subjectId: adaId,
      },
    )
    await publish([imageId, otherImageId])
    await customerWith(imageId)
    const number = await (await customerWith(imageId)).order()
    await deps.db
      .insertInto('year_book_poses')
      .values({ studio_id: studioId, subject_id: adaId, image_id: imageId, chosen_at: deps.clock() })
      .execute()
    expect((await request('POST', '/check-usage', { ImageIds: [otherImageId, imageId, 999_999] })).data).toEqual([
      {
        imageId,
        fileName: 'a.jpg',
        carts: 1,
        orders: [{ orderNumber: number, customerName: expect.any(String), state: expect.any(String) }],
        yearBookPoses: 1,
        isPrimary: expect.any(Boolean),
        downloads: 0,
      },
      {
        imageId: otherImageId,
        fileName: 'b.jpg',
        carts: 0,
        orders: [],
        yearBookPoses: 0,
        isPrimary: false,
        downloads: 0,
      },
    ])
  })

  it('an image belongs to a subject or a group, and is converted between the two', async () => {
    const { request, addImages, adaId, deps, studioId, jobId, readImage } = await setUp()
    const jobKey = { studio_id: studioId, job_id: jobId }
    const group = async (name: string) =>
      (
        await deps.db
          .insertInto('groups')
          .values({ ...jobKey, name })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const groupId = await group('Room 7')
    const [id = 0] = await addImages([await smallJpeg('a.jpg')], { subjectId: adaId })
    const { version } = await readImage(id)
    expect((await request('PATCH', `/${id}/convert-type`, { version })).errors).toEqual([
      'Choose the group that this image shows',
    ])
    expect((await request('PATCH', `/${id}/convert-type`, { version: version + 7, groupId })).status).toBe(409)
    expect((await request('PATCH', `/${id}/convert-type`, { version, groupId: 999_999 })).status).toBe(404)
    expect((await request('PATCH', `/${id}/convert-type`, { version, groupId })).data).toMatchObject({
      kind: 'hosted-group',
      groupId,
      subjectId: null,
      ownerName: 'Room 7',
    })
    const reverted = await request('PATCH', `/${id}/convert-type`, { version: version + 1, subjectId: adaId })
    expect(reverted.data).toMatchObject({ kind: 'hosted-individual', groupId: null, subjectId: adaId })
    await deps.db
      .insertInto('subject_groups')
      .values({ studio_id: studioId, subject_id: adaId, group_id: groupId })
      .execute()
    // As in the specification, a call without a body converts by the image's own data.
    expect((await request('PATCH', `/${id}/convert-type`)).data).toMatchObject({ kind: 'hosted-group', groupId })
    expect((await request('PATCH', `/${id}/convert-type`, {})).data).toMatchObject({ kind: 'hosted-individual' })
    expect((await request('POST', `/${id}/generate-thumbnail`)).data).toMatchObject({ state: 'processing' })
  })

  it('images are moved to another subject, and ordered images only with confirmation', async () => {
    const { request, addImages, adaId, addSubject, publish, customerWith, readImage, listAuditActions, deps } =
      await setUp()
    const bo = await addSubject('Bo')
    const [unusedId = 0, usedId = 0] = await addImages([await smallJpeg('a.jpg', 1), await smallJpeg('b.jpg', 2)], {
      subjectId: adaId,
    })
    await publish([unusedId, usedId])
    const { chosenImageId } = await customerWith(usedId)
    const number = await (await customerWith(usedId)).order()
    expect((await request('POST', '/move', { imageIds: [unusedId], to: { subjectId: bo } })).data).toEqual({
      moved: true,
      affected: [],
    })
    expect(await readImage(unusedId)).toMatchObject({ subjectId: bo, matchedBy: 'hand', isPrimary: true })
    const first = await request('POST', '/move', { imageIds: [usedId], to: { subjectId: bo } })
    expect(first.data).toMatchObject({
      moved: false,
      affected: [{ imageId: usedId, carts: 1, orders: [{ orderNumber: number }] }],
    })
    expect(await readImage(usedId)).toMatchObject({ subjectId: adaId })
    const confirmed = await request('POST', '/move', {
      imageIds: [usedId],
      to: { subjectId: bo },
      evenIfOrdered: true,
    })
    expect(confirmed.data).toMatchObject({ moved: true, affected: [{ imageId: usedId }] })
    expect(await readImage(usedId)).toMatchObject({ subjectId: bo })
    expect(await chosenImageId()).toBeNull()
    const auditEntry = await deps.db
      .selectFrom('audit_log')
      .select('detail')
      .where('action', '=', 'image.moved')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(auditEntry.detail).toEqual({
      fromSubject: adaId,
      toGroup: null,
      toSubject: bo,
      affected: `${number}, 1 carts`,
    })
    expect((await request('POST', '/move', { imageIds: [unusedId], to: { nobody: true } })).data.moved).toBe(true)
    expect(await readImage(unusedId)).toMatchObject({ subjectId: null, matchedBy: null })
    expect((await request('POST', '/move', { imageIds: [unusedId], to: { subjectId: 999_999 } })).status).toBe(404)
    // If one image was deleted in the meantime, nothing is moved.
    expect(await request('POST', '/move', { imageIds: [unusedId, 999_999], to: { subjectId: bo } })).toMatchObject({
      status: 404,
      errors: ['Some of these images are no longer here'],
    })
    expect(await readImage(unusedId)).toMatchObject({ subjectId: null })
    expect(await listAuditActions()).toEqual(['images.published', 'image.moved', 'image.moved', 'image.moved'])
  })

  it('images can be sorted, one image can be made primary, and customers see published images', async () => {
    const { request, addImages, adaId, readImage, enter, app, jobId } = await setUp()
    const ids = await addImages(
      [await smallJpeg('a.jpg', 1), await smallJpeg('b.jpg', 2), await smallJpeg('c.jpg', 3)],
      {
        subjectId: adaId,
      },
    )
    const [a = 0, b = 0, c = 0] = ids
    await request('PATCH', '/order', { imageIds: [c, a] })
    const order = (await request('GET', `?subjectId=${adaId}&filter=.jpg&sort=position`)).data.resultItems.map(
      (resultItem: { id: number }) => resultItem.id,
    )
    expect(order.filter((id: number) => ids.includes(id))).toEqual([c, a, b])
    expect((await request('POST', `/${b}/primary`)).data).toMatchObject({ isPrimary: true })
    expect(await readImage(a)).toMatchObject({ isPrimary: false })
    const session = await enter()
    const listShown = async () => {
      const answer = await app.inject({
        method: 'GET',
        url: `/api/customer/jobs/${jobId}/subjects/${adaId}/images`,
        headers: session.headers,
      })
      return answer
        .json()
        .data.map((listed: { id: number }) => listed.id)
        .filter((id: number) => ids.includes(id))
    }
    expect(await listShown()).toEqual([])
    expect((await request('POST', '/publish', { imageIds: null, published: true })).data.changed).toBe(3)
    expect((await listShown()).toSorted()).toEqual(ids.toSorted())
    // Without ids the request means the unpublished images, so it withdraws nothing.
    expect((await request('POST', '/publish', { imageIds: null, published: false })).data).toEqual({
      changed: 0,
      imageIds: [],
    })
    expect((await listShown()).toSorted()).toEqual(ids.toSorted())
    expect((await request('POST', '/publish', { imageIds: [a], published: false })).data).toEqual({
      changed: 1,
      imageIds: [a],
    })
    expect((await request('POST', '/publish', { imageIds: [a], published: false })).data).toEqual({
      changed: 0,
      imageIds: [],
    })
    expect(await listShown()).not.toContain(a)
  })

  it('images that staff withdrew stay withdrawn until they are published by id', async () => {
    const { request, send, addImages, addSubject, adaId, readImage, publish, images, makeVariants } = await setUp()
    const bo = await addSubject('Bo')
    const [first = 0, second = 0, third = 0] = await addImages(
      [await smallJpeg('a.jpg', 1), await smallJpeg('b.jpg', 2), await smallJpeg('c.jpg', 3)],
      { subjectId: adaId },
    )
    const readCounts = async () => (await request('GET', '-counts')).data
    const hide = (imageIds: number[] | null, undo?: true) =>
      request('POST', '/publish', { imageIds, published: false, ...(undo && { undo }) })
    const allImages = { imageIds: null, published: true }
    await publish([first])
    await hide([first, second])
    expect(await readImage(first)).toMatchObject({ isPublished: false, isWithdrawn: true })
    expect(await readImage(second)).toMatchObject({ isPublished: false, isWithdrawn: false })
    expect(await readCounts()).toMatchObject({ unpublished: 2, withdrawn: 1 })
    expect((await request('GET', '?show=withdrawn')).data).toMatchObject([{ id: first }])
    // A withdrawn image stays withdrawn when it is moved to another subject, and so does its replacement.
    await request('POST', '/move', { imageIds: [first], to: { subjectId: bo } })
    const [replaced] = (
      await send('/bulk-replace', [await smallJpeg('a2.jpg', 11)], {
        'ImageMigrationSettings[0].ImageId': String(first),
      })
    ).data
    const withdrawn = replaced.newImageId
    await makeVariants()
    const publishAll = async () => (await request('POST', '/publish', allImages)).data
    expect((await publishAll()).imageIds.toSorted()).toEqual([second, third])
    expect(await readImage(withdrawn)).toMatchObject({ isPublished: false, isWithdrawn: true })
    // Undo hides images without withdrawing them; images that are already withdrawn stay withdrawn.
    await hide([third])
    expect((await hide([second, third, withdrawn], true)).data).toEqual({ changed: 1, imageIds: [second] })
    expect(await readCounts()).toMatchObject({ unpublished: 1, withdrawn: 2 })
    expect((await publishAll()).imageIds).toEqual([second])
    expect((await publish([withdrawn])).data).toEqual({ changed: 1, imageIds: [withdrawn] })
    expect(await readImage(withdrawn)).toMatchObject({ isPublished: true, isWithdrawn: false })
    expect(await readCounts()).toMatchObject({ unpublished: 0, withdrawn: 1 })
    expect((await images()).find(({ id }) => id === withdrawn)?.withdrawn_at).toBeNull()
  })

  it('the count of unpublished images equals the number that Publish all publishes', async () => {
    const { request, addImages, adaId, deps } = await setUp()
    const [refused = 0, replacement = 0, waitingId = 0] = await addImages(
      [await smallJpeg('a.jpg', 1), await smallJpeg('b.jpg', 2), await smallJpeg('c.jpg', 3)],
      { subjectId: adaId },
    )
    const set = (id: number, change: object) =>
      deps.db.updateTable('image_lookups').set(change).where('id', '=', id).execute()
    await set(refused, { state: 'refused', refusal: 'It is broken.' })
    await set(replacement, { kind: 'replacement', subject_id: null })
    expect((await request('GET', '-counts')).data).toMatchObject({ unpublished: 2 })
    const answer = (await request('POST', '/publish', { imageIds: null, published: true })).data
    expect(answer.imageIds.toSorted()).toEqual([replacement, waitingId])
    expect((await request('GET', '-counts')).data).toMatchObject({ unpublished: 0 })
  })

  it('staff’s lists and counts contain no replaced images', async () => {
    const { request, requestUrl, addImages, adaId, adaImageId, deps, studioId, jobId, readImage, jobs } = await setUp()
    const groupId = await given(deps).group({ studioId, jobId }, 'Grade 3')
    const [adaOwnId = 0] = await addImages([await smallJpeg('a.jpg', 1)], { subjectId: adaId })
    const [groupImageId = 0] = await addImages([await smallJpeg('b.jpg', 2)], { groupId })
    const [unmatchedId = 0] = await addImages([await smallJpeg('Ada Lovelace.jpg', 3)])
    const replaced = [adaImageId, adaOwnId, groupImageId, unmatchedId]
    const job = `/api/studioadmin/studios/${studioId}/jobs/${jobId}`
    const readListsAndCounts = async () => {
      const [subjects, subject] = [
        await requestUrl('GET', `${job}/subjects`),
        await requestUrl('GET', `${job}/subjects/${adaId}`),
      ]
      const { progress } = (await requestUrl('GET', `${job}/overview`)).data
      const ada = [subjects.data].flat(2).find(({ id }: { id: number }) => id === adaId)
      return {
        listed: (await request('GET')).data.length,
        ...(await request('GET', '-counts')).data,
        ofOwners: (await request('GET', '-owners?filter=')).data.map(
          (owner: { imageCount: number }) => owner.imageCount,
        ),
        ofAda: [ada.imageCount, subject.data.images.length],
        ofGroups: (await requestUrl('GET', `${job}/groups`)).data.map(
          (group: { imageCount: number; images: object[] }) => [group.imageCount, group.images.length],
        ),
        found: [(await requestUrl('GET', `${job}/subjects?images=with`)).data].flat().length,
        progress: [progress.images, progress.withImages, progress.unmatchedImages],
      }
    }
    expect(await readListsAndCounts()).toMatchObject({
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
    const noCounts = { all: 0, unmatched: 0, subjects: 0, groups: 0, unpublished: 0 }
    expect(await readListsAndCounts()).toMatchObject({
      ...{ listed: 0, ...noCounts, ofOwners: [0, 0], ofAda: [0, 0], found: 0, ofGroups: [[0, 0]], progress: [0, 0, 0] },
    })
    // A replaced image can still be opened from an order or a cart, but is not matched.
    expect(await readImage(adaOwnId)).toMatchObject({ id: adaOwnId })
    jobs.splice(0)
    expect((await request('POST', '/match', { by: 'fileName' })).data.total).toBe(0)
    // The same bytes in another upload are another image, which is listed.
    const [reuploadedId = 0] = await addImages([await smallJpeg('again.jpg', 1)], { subjectId: adaId })
    expect(replaced).not.toContain(reuploadedId)
    expect((await request('GET')).data).toMatchObject([{ id: reuploadedId }])
  })

  it('unmatched images are matched again, with a corrected camera clock', async () => {
    const { request, addImages, adaId, deps, studioId, jobId, readImage, jobs } = await setUp()
    const match = async (options: object) => {
      jobs.splice(0)
      const startedRun = (await request('POST', '/match', options)).data
      for (const { name, payload } of jobs.splice(0)) if (name === 'rematch-images') await rematchImages(deps, payload)
      const { run } = (await request('GET', '-match')).data
      expect(run).toMatchObject({ id: startedRun.id, state: 'done', done: run.total, finishedAt: expect.any(String) })
      return { matched: run.matched, unclear: run.unclear, unknown: run.unknown }
    }
    expect((await request('GET', '-match')).data).toEqual({ run: null })
    const [namedId = 0, timedId = 0] = await addImages([
      await smallJpeg('Ada Lovelace 2.jpg', 1),
      await smallJpeg('IMG_9.jpg', 9),
    ])
    expect(await match({ by: 'fileName' })).toEqual({ matched: 1, unclear: 0, unknown: 1 })
    expect(await readImage(namedId)).toMatchObject({ subjectId: adaId, matchedBy: 'fileName' })
    const { takenAt } = await readImage(timedId)
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
    expect(await readImage(timedId)).toMatchObject({ subjectId: adaId, matchedBy: 'shooting' })
  })

  it('many images are replaced at once: carts follow if requested, and orders keep the old image', async () => {
    const { send, addImages, adaId, readImage, publish, customerWith, request, images } = await setUp()
    const ids = await addImages(
      [
        await smallJpeg('a.jpg', 1),
        await smallJpeg('b.jpg', 2),
        await smallJpeg('c.jpg', 3),
        await smallJpeg('d.jpg', 4),
      ],
      { subjectId: adaId },
    )
    const [movingId = 0, stayingId = 0, orderedId = 0, unusedId = 0] = ids
    await publish(ids)
    const movingCart = await customerWith(movingId)
    const stayingCart = await customerWith(stayingId)
    await (await customerWith(orderedId)).order()
    const files = [
      await smallJpeg('a2.jpg', 11),
      await smallJpeg('b2.jpg', 12),
      await smallJpeg('c2.jpg', 13),
      await smallJpeg('d2.jpg', 14),
      { fileName: 'x.txt', bytes: Buffer.from('text') },
    ]
    const settings = Object.fromEntries(
      [...ids, unusedId + 1000].map((id, n) => [`ImageMigrationSettings[${n}].ImageId`, String(id)]),
    )
    const answer = await send('/bulk-replace', files, {
      ...settings,
      MigrateUnplacedReferences: 'true',
      'ImageMigrationSettings[1].MigrateUnplacedReferences': 'false',
    })
    expect(answer.status).toBe(200)
    const [first, second, third, fourth, refusal] = answer.data
    expect(refusal).toEqual({
      imageId: unusedId + 1000,
      newImageId: null,
      problem: 'x.txt: This file is not an image. Only JPEG, PNG and WebP images can be uploaded.',
    })
    expect(await movingCart.chosenImageId()).toBe(first.newImageId)
    expect(await stayingCart.chosenImageId()).toBe(stayingId)
    // The old image is deleted if it is unused, hidden if an order has it, and unchanged if a cart has it.
    expect((await request('GET', `/${movingId}`)).status).toBe(404)
    expect((await request('GET', `/${unusedId}`)).status).toBe(404)
    expect(await readImage(orderedId)).toMatchObject({ isPublished: false })
    expect(await readImage(stayingId)).toMatchObject({ isPublished: true })
    for (const replacement of [first, second, third, fourth])
      expect(await readImage(replacement.newImageId)).toMatchObject({
        subjectId: adaId,
        isPublished: true,
        state: 'processing',
      })
    expect(
      (await send('/bulk-replace', files.slice(0, 2), { 'ImageMigrationSettings[0].ImageId': String(unusedId) }))
        .errors,
    ).toEqual(['Specify which image each file replaces'])
    expect((await images()).map(({ file_name }) => file_name)).toEqual([
      'b.jpg',
      'c.jpg',
      'a2.jpg',
      'b2.jpg',
      'c2.jpg',
      'd2.jpg',
    ])
  })

  it('a replaced image is shown only to the session that has it in its cart, and Publish all skips it', async () => {
    const { app, send, addImages, adaId, adaImageId, publish, customerWith, request, makeVariants } = await setUp()
    const [inCartId = 0, orderedId = 0] = await addImages([await smallJpeg('a.jpg', 1), await smallJpeg('b.jpg', 2)], {
      subjectId: adaId,
    })
    await publish([inCartId, orderedId])
    const cartCustomer = await customerWith(inCartId)
    const orderCustomer = await customerWith(orderedId)
    await orderCustomer.order()
    const answer = await send('/bulk-replace', [await smallJpeg('a2.jpg', 11), await smallJpeg('b2.jpg', 12)], {
      ...Object.fromEntries([inCartId, orderedId].map((id, n) => [`ImageMigrationSettings[${n}].ImageId`, String(id)])),
      MigrateUnplacedReferences: 'false',
    })
    const newImageIds = answer.data.map(({ newImageId }: { newImageId: number }) => newImageId)
    await makeVariants()
    const seenBy = async ({ driver }: typeof cartCustomer): Promise<number[]> =>
      (await driver.request('GET', `subjects/${adaId}/images`)).data
        .map(({ id }: { id: number }) => id)
        .filter((id: number) => id !== adaImageId)
    expect(await seenBy(cartCustomer)).toEqual([inCartId, ...newImageIds])
    expect(await seenBy(orderCustomer)).toEqual(newImageIds)
    const thumbnailOf = async ({ driver }: typeof cartCustomer, id: number): Promise<string> =>
      (await driver.request('GET', `subjects/${adaId}/images`)).data.find((listed: { id: number }) => listed.id === id)
        .thumbnailUrl
    const inCartUrl = await thumbnailOf(cartCustomer, inCartId)
    const [, , grantId = ''] = (await thumbnailOf(orderCustomer, newImageIds[0])).split('/')
    const statusOf = async ({ session }: typeof cartCustomer, url: string) =>
      (await app.inject({ url, headers: session.headers })).statusCode
    expect(await statusOf(cartCustomer, inCartUrl)).toBe(200)
    expect(await statusOf(orderCustomer, inCartUrl.replace(inCartUrl.split('/')[2] ?? '', grantId))).toBe(404)
    expect((await request('POST', '/publish', { imageIds: null, published: true })).data).toEqual({
      changed: 0,
      imageIds: [],
    })
    // A cart with the former image sells it.
    expect(await cartCustomer.chosenImageId()).toBe(inCartId)
    expect(await cartCustomer.order()).toMatch(/^FP-/)
  })

  it('images in front of a green screen are cut out, reviewed, and accepted or rejected', async () => {
    const { request, deps, studioId, jobId, adaId, upload, jobs, readImage, images, addImage, makeVariants, app } =
      await setUp()
    const screen = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="250"><rect width="100%" height="100%" fill="#20b840"/><circle cx="100" cy="140" r="60" fill="#c89678"/></svg>',
    )
    const green = { fileName: 'green.jpg', bytes: await sharp(screen).jpeg().toBuffer() }
    // Nothing is cut out if the job has no green screens.
    await upload([{ fileName: 'early.jpg', bytes: await sharp(screen).jpeg({ quality: 71 }).toBuffer() }], {
      subjectId: adaId,
    })
    expect(jobs.map(({ name }) => name)).not.toContain('propose-cut-out')
    await given(deps).feature(studioId, 'greenscreens')
    const background = await addImage({})
    await deps.db
      .updateTable('image_lookups')
      .set({ kind: 'green-screen-background' })
      .where('id', '=', background)
      .execute()
    await deps.db
      .insertInto('green_screens')
      .values({ studio_id: studioId, job_id: jobId, image_id: background, name: 'Park' })
      .execute()
    const [proposedUpload] = await upload([green], { subjectId: adaId })
    const id = proposedUpload?.imageId ?? 0
    expect(jobs.map(({ name }) => name)).toContain('propose-cut-out')
    const propose = () => proposeCutOut(deps, { studioId, imageId: id }, { keyGreen: cutOutSubject })
    await propose()
    await propose()
    const proposed = await readImage(id)
    expect(proposed).toMatchObject({
      cutOut: 'proposed',
      hasAlpha: false,
      cutOutUrl: expect.stringContaining('/photos/staff/'),
    })
    const preview = await app.inject({ method: 'GET', url: proposed.cutOutUrl, headers: { accept: 'image/webp' } })
    expect((await sharp(preview.rawPayload).metadata()).hasAlpha).toBe(true)
    expect((await request('GET', '?show=cut-outs')).data).toMatchObject([{ id }])
    expect((await request('POST', `/${id}/cut-out`, { version: 1, decision: 'accept' })).status).toBe(409)
    const accepted = await request('POST', `/${id}/cut-out`, { version: proposed.version, decision: 'accept' })
    expect(accepted.data).toMatchObject({ cutOut: 'accepted', hasAlpha: true, state: 'processing' })
    await makeVariants()
    const row = (await images()).find((image) => image.id === id)
    const bytes = await readWholeFile(deps.files, row?.original_key ?? '')
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(true)
    expect((await readWholeFile(deps.files, row?.uploaded_key ?? ''))?.equals(green.bytes)).toBe(true)
    const { version } = await readImage(id)
    const reverted = await request('POST', `/${id}/cut-out`, { version, decision: 'reject' })
    expect(reverted.data).toMatchObject({ cutOut: 'none', hasAlpha: false })
    const storedImage = (await images()).find((image) => image.id === id)
    expect((await readWholeFile(deps.files, storedImage?.original_key ?? ''))?.equals(green.bytes)).toBe(true)
    expect((await request('POST', `/${id}/cut-out`, { version: version + 1, decision: 'accept' })).errors).toEqual([
      'There is no cut-out to accept',
    ])
  })
})
