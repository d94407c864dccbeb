import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { type PrintItem, printItem } from '#server/images/print/print-file.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { makePacket } from '#server/production/make-packet.ts'
import type { Manifest } from '#server/production/packet-manifest.ts'
import { PacketRejected } from '#server/production/write-packet-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { imageChoice, onePrint } from '../carts/cart-fixtures.ts'
import { cornersSvg } from '../images/image-samples.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

/** How long a real print may take on a busy machine. */
const printMs = { timeout: 20_000 }

/** A package of one small print, so that tests render little. */
const smallPrint = () => {
  const offeredPackage = onePrint(25)
  return {
    ...offeredPackage,
    items: offeredPackage.items.map((item) => ({ ...item, productCode: '2x3 matte', widthInches: 2, heightInches: 3 })),
  }
}

/** Metadata of a camera that must not be in the files for the lab. */
const cameraMetadata = { IFD0: { Artist: 'SN-4600100' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '39/1 45/1 30/1' } }

/** Small prints of these product codes in one package. */
const makePrints = (productCodes: readonly string[]) => {
  const [first, ...others] = productCodes.map((productCode) => {
    const offeredPackage = smallPrint()
    return { ...offeredPackage, items: offeredPackage.items.map((item) => ({ ...item, productCode })) }
  })
  if (!first) throw new Error('no product codes were given')
  return { ...first, items: [first, ...others].flatMap(({ items }) => items) }
}

/** Prints that finish only when the test ends or refuses them. `allStarted` waits until the prints A, B and C have started. */
const controlledPrint = () => {
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const renderPrint: PrintItem = async (job) => {
    const end = Promise.withResolvers<void>()
    started.push(job.item.productCode)
    ends.set(job.item.productCode, end)
    await end.promise
    return await printItem(job)
  }
  return {
    renderPrint,
    allStarted: () => vi.waitFor(() => expect(started.toSorted()).toEqual(['A', 'B', 'C']), printMs),
    end: (productCode: string) => ends.get(productCode)?.resolve(),
    refuse: (productCode: string, message: string) => ends.get(productCode)?.reject(new PacketRejected(message)),
  }
}

describe.each(enginesFor(import.meta.filename))('packets for the lab on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (offered = smallPrint()) => {
    const defaultDeps = testDeps(database(), manualClock())
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...defaultDeps, jobs: { enqueue } }
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app, offered)
    const { fixtures, driver } = checkout
    const key = `studios/${fixtures.studioId}/images/${fixtures.adaImageId}/original`
    await deps.files.put(key, await sharp(cornersSvg(2400, 3000)).withExif(cameraMetadata).jpeg().toBuffer())
    await deps.db
      .updateTable('image_lookups')
      .set({ original_key: key })
      .where('id', '=', fixtures.adaImageId)
      .execute()
    const { data } = await driver.submit(checkout.submitBody())
    const orderNumber: string = data.orderNumber
    const { headersFor } = await staffClient(deps, app, fixtures.studioId)
    const headersAs = (callerStudioId: number | null, permissions: readonly Permission[] = ['studio.crud']) =>
      headersFor({ callerStudioId, permissions })
    const base = `/api/studioadmin/studios/${fixtures.studioId}/jobs/${fixtures.jobId}`
    const submit = async (orderNumbers: string[], headers?: Record<string, string>) => {
      const answer = await app.inject({
        method: 'POST',
        url: `${base}/orders/submit`,
        payload: { orderNumbers },
        headers: headers ?? (await headersAs(fixtures.studioId)),
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    const readPacket = async (packetId: number) =>
      (await app.inject({ url: `${base}/packets/${packetId}`, headers: await headersAs(fixtures.studioId) })).json()
        .data
    const listPackets = async () =>
      (await app.inject({ url: `${base}/packets`, headers: await headersAs(fixtures.studioId) })).json().data
    const queuedPackets = () => jobs.filter(({ name }) => name === 'make-packet').map(({ payload }) => payload)
    const makePackets = async ({
      renderPrint = printItem,
      signal = new AbortController().signal,
    }: {
      renderPrint?: PrintItem
      signal?: AbortSignal
    } = {}) => {
      for (const packet of queuedPackets()) await makePacket({ deps, key: packet, renderPrint, signal })
    }
    const readFile = (name: string, packetId: number) =>
      readWholeFile(deps.files, `studios/${fixtures.studioId}/packets/${packetId}/${name}`)
    const readManifest = async (packetId: number): Promise<Manifest> =>
      JSON.parse(String(await readFile('manifest.json', packetId)))
    return {
      deps,
      app,
      ...checkout,
      orderNumber,
      headersAs,
      submit,
      readPacket,
      listPackets,
      queuedPackets,
      makePackets,
      readFile,
      readManifest,
    }
  }

  it('a packet contains each print at 300 dpi as the customer saw it, and two manifests', async () => {
    const { orderNumber, submit, readPacket, makePackets, readFile, readManifest, driver } = await setUp()
    const { status, data } = await submit([orderNumber.toLowerCase()])
    expect([status, data]).toEqual([
      200,
      expect.objectContaining({
        state: 'waiting',
        orderNumbers: [orderNumber],
        filesTotal: 1,
        filesDone: 0,
        error: null,
      }),
    ])
    expect(await driver.order(orderNumber)).toMatchObject({ state: 'submitted', mayCancel: false })
    await makePackets()
    expect(await readPacket(data.id)).toMatchObject({ state: 'ready', filesTotal: 1, filesDone: 1 })
    const content = await readManifest(data.id)
    expect(content).toMatchObject({
      version: 1,
      dpi: 300,
      job: 'Spring Portraits',
      orders: [
        {
          orderNumber,
          customer: { firstName: 'Grace', lastName: 'Hopper' },
          shipping: { option: 'Standard Shipping', toStudio: false, address: { city: 'Dayton' } },
          lines: [{ package: 'Package for 25', person: 'Ada Lovelace', quantity: 2 }],
        },
      ],
    })
    const [print] = content.orders[0]?.lines[0]?.files ?? []
    expect(print).toMatchObject({
      file: `${orderNumber}/1-1-2x3-matte.jpg`,
      productCode: '2x3 matte',
      widthInches: 2,
      heightInches: 3,
      copies: 2,
    })
    const jpeg = (await readFile(print?.file ?? '', data.id)) ?? Buffer.alloc(0)
    expect(createHash('sha256').update(jpeg).digest('hex')).toBe(print?.sha256)
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 900, density: 300 })
    expect(jpeg.includes('SN-4600100')).toBe(false)
    const csv = String(await readFile('manifest.csv', data.id))
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      'order,package,person,item,product,size,copies,nameAndYear,file,shipping,shipTo',
      `${orderNumber},Package for 25,Ada Lovelace,Portrait,2x3 matte,2x3,2,,${orderNumber}/1-1-2x3-matte.jpg,Standard Shipping,"Grace Hopper, 1 Mill Street, Dayton, OH 45402"`,
    ])
  })

  it('the manifest lists the name and year for each print, with wallets separate from other prints', async () => {
    const { deps, fixtures, orderNumber, submit, makePackets, readManifest, readFile } = await setUp(
      makePrints(['5x7', 'BFs', 'MiniBFs']),
    )
    const order = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    const printPlaces = { nameOnWallets: true, nameOnAllPrints: false, yearOnWallets: false, yearOnAllPrints: true }
    const subject = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null }
    const orderService = await deps.db
      .insertInto('order_services')
      .values({ kind: 'personalization', name: 'Name and year', price_cents: 0, position: 1 })
      .returning('id as order_service_id')
      .executeTakeFirstOrThrow()
    const sold = { quantity: 1, unit_cents: 0, amount_cents: 0 }
    const line = { studio_id: fixtures.studioId, order_id: order.id, ...orderService, ...sold }
    const service = { ...printPlaces, nameToPrint: 'Ada L.', yearToPrint: '2027' }
    for (const [position, subjectId] of [fixtures.adaId, null].entries()) {
      const snapshot = JSON.stringify({ subject, service: { ...service, ...(!subjectId && { nameToPrint: 'Bo' }) } })
      await deps.db
        .insertInto('order_lines')
        .values({
          ...line,
          kind: 'personalization',
          name: 'Name',
          subject_id: subjectId,
          position: 9 + position,
          snapshot,
        })
        .execute()
    }
    const { data } = await submit([orderNumber])
    await makePackets()
    const files = (await readManifest(data.id)).orders[0]?.lines[0]?.files
    expect(files?.map(({ productCode, nameAndYear }) => [productCode, nameAndYear])).toEqual([
      ['5x7', '2027'],
      ['BFs', 'Ada L.'],
      ['MiniBFs', 'Ada L.'],
    ])
    const [header, firstRow] = String(await readFile('manifest.csv', data.id)).split('\r\n')
    expect([header, firstRow?.includes(',2027,')]).toEqual([expect.stringContaining(',nameAndYear,'), true])
  })

  it('the manifest says Studio Shipping for orders shipped to the studio even if the platform names it differently', async () => {
    const { deps, orderNumber, submit, makePackets, readManifest, readFile } = await setUp()
    await deps.db.updateTable('shipping_options').set({ label: 'By van' }).execute()
    await deps.db.updateTable('orders').set({ is_part_of_batch_order: true }).execute()
    const { data } = await submit([orderNumber])
    await makePackets()
    expect((await readManifest(data.id)).orders[0]?.shipping).toMatchObject({
      option: 'Studio Shipping',
      toStudio: true,
    })
    expect(String(await readFile('manifest.csv', data.id))).toContain(',Studio Shipping,Studio')
  })

  it('texts and crops that were edited after the payment are printed', async () => {
    const printed: Parameters<PrintItem>[0][] = []
    const renderPrint: PrintItem = async (job) => {
      printed.push(job)
      return await printItem(job)
    }
    const { fixtures, driver, offeredPackage, orderNumber, submit, makePackets } = await setUp()
    const { data } = await driver.request('GET', `orders/${orderNumber}/poses`)
    const [item] = offeredPackage.items
    const cropDimensions = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }
    const imageNodes = [{ ...imageChoice(item?.imageNodes[0]?.id ?? 0, fixtures.adaImageId), cropDimensions }]
    const textNodes = [{ packageItemTextNodeId: item?.textNodes[0]?.id, value: 'Ada King', autoFilled: false }]
    const body = { version: 1, textNodes, imageNodes }
    const answer = await driver.request('PATCH', `orders/${orderNumber}/lines/${data.lines[0].id}/poses`, { body })
    expect(answer).toMatchObject({ status: 200 })
    await submit([orderNumber])
    await makePackets({ renderPrint })
    expect(printed).toHaveLength(1)
    expect([...(printed[0]?.texts.values() ?? [])]).toEqual(['Ada King'])
    expect([...(printed[0]?.images.values() ?? [])]).toMatchObject([{ crop: cropDimensions }])
  })

  it('a submission is refused completely if an order is incomplete, cancelled or submitted already', async () => {
    const { deps, orderNumber, submit, queuedPackets, driver, makePackets } = await setUp()
    const order = () => deps.db.updateTable('orders')
    await order().set({ awaits_poses: true }).execute()
    expect(await submit([orderNumber])).toMatchObject({
      status: 422,
      problem: 'refused',
      errors: [`${orderNumber}: Images not chosen yet`],
      fields: { [orderNumber]: ['Images not chosen yet'] },
    })
    await order().set({ awaits_poses: false }).execute()
    const line = await deps.db.selectFrom('order_lines').select(['id', 'content']).executeTakeFirstOrThrow()
    const content = (line.content as unknown as { textNodes: object[] }[]).map((item) => ({
      ...item,
      textNodes: item.textNodes.map((node) => ({ ...node, value: ' ' })),
    }))
    await deps.db
      .updateTable('order_lines')
      .set({ content: JSON.stringify(content) })
      .execute()
    expect((await submit([orderNumber])).errors).toEqual([
      `${orderNumber}: Something is missing: Package for 25: First line`,
    ])
    await deps.db
      .updateTable('order_lines')
      .set({ content: JSON.stringify(line.content) })
      .execute()
    expect(await submit([orderNumber, 'FP-00000000'])).toMatchObject({ status: 404 })
    expect(queuedPackets()).toEqual([])
    expect(await driver.order(orderNumber)).toMatchObject({ state: 'placed' })
    expect((await submit([orderNumber, orderNumber])).status).toBe(200)
    expect((await submit([orderNumber])).errors).toEqual([`${orderNumber}: This order is with the lab already`])
    await makePackets()
    await order().set({ state: 'cancelled' }).execute()
    expect((await submit([orderNumber])).errors).toEqual([`${orderNumber}: This order was cancelled`])
    expect(await deps.db.selectFrom('packets').select('id').execute()).toHaveLength(1)
  })

  it('orders that are cancelled before the packet is made are left out', async () => {
    const { deps, orderNumber, submit, makePackets, readPacket, readManifest, listPackets } = await setUp()
    const { data } = await submit([orderNumber])
    expect(await listPackets()).toMatchObject([{ orderCount: 1 }])
    await deps.db.updateTable('orders').set({ state: 'cancelled' }).execute()
    await makePackets()
    expect((await readManifest(data.id)).orders).toEqual([])
    expect(await listPackets()).toMatchObject([{ orderCount: 0 }])
    expect(await readPacket(data.id)).toMatchObject({ state: 'ready', filesTotal: 0, filesDone: 0 })
  })

  it('an interrupted packet is completed by a retry with the same files', async () => {
    const { orderNumber, submit, makePackets, readPacket, readManifest } = await setUp()
    const { data } = await submit([orderNumber])
    const failingPrint: PrintItem = async () => {
      throw new Error('the server was killed')
    }
    await expect(makePackets({ renderPrint: failingPrint })).rejects.toThrow('killed')
    const aborted = AbortSignal.abort()
    await expect(makePackets({ signal: aborted })).rejects.toThrow()
    expect((await readPacket(data.id)).state).not.toBe('ready')
    await makePackets()
    const first = await readManifest(data.id)
    await makePackets()
    expect(await readManifest(data.id)).toEqual(first)
    expect(await readPacket(data.id)).toMatchObject({ state: 'ready', filesDone: 1 })
  })

  it('files are listed in the order of the lines and counted as they finish, regardless of which print finishes first', async () => {
    const { orderNumber, submit, makePackets, readPacket, readManifest } = await setUp(makePrints(['A', 'B', 'C']))
    const { data } = await submit([orderNumber])
    expect(data.filesTotal).toBe(3)
    const { renderPrint, allStarted, end } = controlledPrint()
    const packetsMade = makePackets({ renderPrint })
    await allStarted()
    for (const [done, productCode] of ['C', 'A', 'B'].entries()) {
      end(productCode)
      await vi.waitFor(async () => expect((await readPacket(data.id)).filesDone).toBe(done + 1), printMs)
    }
    await packetsMade
    const files = (await readManifest(data.id)).orders[0]?.lines[0]?.files
    expect(files?.map(({ file, productCode }) => [file, productCode])).toEqual([
      [`${orderNumber}/1-1-A.jpg`, 'A'],
      [`${orderNumber}/1-2-B.jpg`, 'B'],
      [`${orderNumber}/1-3-C.jpg`, 'C'],
    ])
    expect(await readPacket(data.id)).toMatchObject({ state: 'ready', filesTotal: 3, filesDone: 3 })
  })

  it('a packet with a rejected print fails for staff once the other prints are done', async () => {
    const { orderNumber, submit, makePackets, readPacket } = await setUp(makePrints(['A', 'B', 'C']))
    const { data } = await submit([orderNumber])
    const { renderPrint, allStarted, end, refuse } = controlledPrint()
    const packetsMade = makePackets({ renderPrint })
    await allStarted()
    refuse('B', 'The original is not here any more')
    end('C')
    await vi.waitFor(async () => expect((await readPacket(data.id)).filesDone).toBe(1), printMs)
    expect((await readPacket(data.id)).state).toBe('making')
    end('A')
    await packetsMade
    expect(await readPacket(data.id)).toMatchObject({ state: 'failed', error: 'The original is not here any more' })
  })

  it('a packet with a missing original fails for staff and succeeds on a retry when it is back', async () => {
    const { deps, app, headersAs, fixtures, orderNumber, submit, makePackets, readPacket, queuedPackets } =
      await setUp()
    const { data } = await submit([orderNumber])
    const retry = async (studioId: number | null = fixtures.studioId, jobId = fixtures.jobId) => {
      const url = `/api/studioadmin/studios/${fixtures.studioId}/jobs/${jobId}/packets/${data.id}/again`
      const answer = await app.inject({ method: 'POST', url, headers: await headersAs(studioId), payload: {} })
      return { status: answer.statusCode, ...answer.json() }
    }
    // The packet has not failed yet.
    expect(await retry()).toMatchObject({ status: 200, data: { state: 'waiting' } })
    expect(queuedPackets()).toHaveLength(1)
    const key = `studios/${fixtures.studioId}/images/${fixtures.adaImageId}/original`
    const original = (await readWholeFile(deps.files, key)) ?? Buffer.alloc(0)
    await deps.files.remove(key)
    await makePackets()
    const message = `The original of image ${fixtures.adaImageId} is not here any more`
    expect(await readPacket(data.id)).toMatchObject({ state: 'failed', error: message })
    expect(await deps.db.selectFrom('order_errors').select(['stage', 'message']).execute()).toEqual([
      { stage: 'packet', message: message },
    ])
    await deps.files.put(key, original)
    expect((await retry(fixtures.studioId + 1)).status).toBe(404)
    expect((await retry(fixtures.studioId, fixtures.jobId + 1)).status).toBe(404)
    expect(queuedPackets()).toHaveLength(1)
    const answers = await Promise.all([retry(), retry()])
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, data: { state: 'waiting', error: null } })
    expect(queuedPackets()).toHaveLength(2)
    await makePackets()
    expect(await readPacket(data.id)).toMatchObject({ state: 'ready', error: null, filesDone: 1 })
    expect((await retry()).data.state).toBe('ready')
  })

  it("packets are not found for anyone but the studio's staff", async () => {
    const { deps, fixtures, headersAs, submit, orderNumber, driver, app } = await setUp()
    await grantSupportAccess(deps, fixtures.studioId)
    expect((await submit([orderNumber], {})).status).toBe(401)
    expect((await submit([orderNumber], await headersAs(fixtures.studioId, []))).status).toBe(403)
    expect((await submit([orderNumber], await headersAs(fixtures.studioId + 1))).status).toBe(404)
    expect((await submit([orderNumber], await headersAs(null))).status).toBe(404)
    expect(await driver.order(orderNumber)).toMatchObject({ state: 'placed' })
    const { data } = await submit([orderNumber], await headersAs(null, ['studio.admin.crud']))
    expect(data.orderNumbers).toEqual([orderNumber])
    const otherJobUrl = `/api/studioadmin/studios/${fixtures.studioId}/jobs/${fixtures.jobId + 1}/packets/${data.id}`
    expect((await app.inject({ url: otherJobUrl, headers: await headersAs(fixtures.studioId) })).statusCode).toBe(404)
  })

  it('customer input in the CSV manifest never runs as a formula', async () => {
    const { deps, orderNumber, submit, makePackets, readFile } = await setUp()
    const hostileAddress = {
      firstName: '=HYPERLINK("http://evil.example","x")',
      lastName: '',
      address1: '+1',
      address2: '',
      city: '@x',
      state: 'OH',
      zip: '45402',
    }
    await deps.db
      .updateTable('orders')
      .set({ shipping_address: JSON.stringify(hostileAddress) })
      .execute()
    const { data } = await submit([orderNumber])
    await makePackets()
    const csv = String(await readFile('manifest.csv', data.id))
    expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"",""x""), +1, @x, OH 45402"`)
  })
})
