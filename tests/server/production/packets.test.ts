import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { printHere, type RenderPrint } from '#server/images/print/print-here.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { makePacket } from '#server/production/make-packet.ts'
import type { Manifest } from '#server/production/packet-manifest.ts'
import { PacketRejected } from '#server/production/write-packet-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { chosen, onePrint } from '../carts/cart-fixtures.ts'
import { cornersSvg } from '../images/image-samples.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

/** How long a real print may take on a busy machine. */
const printMilliseconds = { timeout: 20_000 }

/** A small print, so that tests render little, and a digital item. */
const smallPrint = () => {
  const made = onePrint(25)
  return {
    ...made,
    items: made.items.map((item) => ({ ...item, productCode: '2x3 matte', widthInches: 2, heightInches: 3 })),
  }
}

/** Metadata of a camera that must not be in the files for the lab. */
const cameraFacts = { IFD0: { Artist: 'SN-4600100' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '39/1 45/1 30/1' } }

/** Small prints of these product codes in one package. */
const printsOf = (productCodes: readonly string[]) => {
  const [first, ...others] = productCodes.map((productCode) => {
    const made = smallPrint()
    return { ...made, items: made.items.map((item) => ({ ...item, productCode })) }
  })
  if (!first) throw new Error('there are none')
  return { ...first, items: [first, ...others].flatMap((made) => made.items) }
}

/** Prints that finish on request, and the product codes in the order they started. */
const controlledPrint = () => {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const print: RenderPrint = async (job) => {
    const end = Promise.withResolvers<void>()
    begun.push(job.item.productCode)
    ends.set(job.item.productCode, end)
    await end.promise
    return await printHere(job)
  }
  return {
    print,
    allBegun: () => vi.waitFor(() => expect(begun.toSorted()).toEqual(['A', 'B', 'C']), printMilliseconds),
    end: (productCode: string) => ends.get(productCode)?.resolve(),
    refuse: (productCode: string, sentence: string) => ends.get(productCode)?.reject(new PacketRejected(sentence)),
  }
}

describe.each(enginesFor(import.meta.filename))('packets for the lab on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (offered = smallPrint()) => {
    const plain = testDeps(database(), manualClock())
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...plain, jobs: { enqueue } }
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app, offered)
    const { shop, till } = ready
    const key = `studios/${shop.studioId}/images/${shop.adaImageId}/original`
    await deps.files.put(key, await sharp(cornersSvg(2400, 3000)).withExif(cameraFacts).jpeg().toBuffer())
    await deps.db.updateTable('image_lookups').set({ original_key: key }).where('id', '=', shop.adaImageId).execute()
    const { data } = await till.submit(ready.paying())
    const orderNumber: string = data.orderNumber
    const { id: userId } = await deps.db
      .insertInto('users')
      .values({
        email: 'staff@riverside.test',
        name: 'Staff',
        role: 'staff',
        studio_id: shop.studioId,
        password_hash: 'x',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const as = async (studioId: number | null, permissions: readonly Permission[] = ['studio.crud']) => {
      const user = { id: userId, name: 'Staff', email: 'staff@riverside.test', permissions, studioId }
      return { authorization: `Bearer ${(await signToken(deps, user)).token}` }
    }
    const base = `/api/studioadmin/studios/${shop.studioId}/jobs/${shop.jobId}`
    const submit = async (orderNumbers: string[], headers?: Record<string, string>) => {
      const answer = await app.inject({
        method: 'POST',
        url: `${base}/orders/submit`,
        payload: { orderNumbers },
        headers: headers ?? (await as(shop.studioId)),
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    const look = async (packetId: number) =>
      (await app.inject({ url: `${base}/packets/${packetId}`, headers: await as(shop.studioId) })).json().data
    const rows = async () =>
      (await app.inject({ url: `${base}/packets`, headers: await as(shop.studioId) })).json().data
    const packets = () => jobs.filter(({ name }) => name === 'make-packet').map(({ payload }) => payload)
    const make = async ({
      print = printHere,
      signal = new AbortController().signal,
    }: {
      print?: RenderPrint
      signal?: AbortSignal
    } = {}) => {
      for (const packet of packets()) await makePacket({ deps, key: packet, print, signal })
    }
    const file = (name: string, packetId: number) =>
      readWholeFile(deps.files, `studios/${shop.studioId}/packets/${packetId}/${name}`)
    const manifest = async (packetId: number): Promise<Manifest> =>
      JSON.parse(String(await file('manifest.json', packetId)))
    return { deps, app, ...ready, orderNumber, as, submit, look, rows, packets, make, file, manifest }
  }

  it('a packet contains each print at 300 dpi as the customer saw it, and two manifests', async () => {
    const { orderNumber, submit, look, make, file, manifest, till } = await begin()
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
    expect(await till.order(orderNumber)).toMatchObject({ state: 'submitted', mayCancel: false })
    await make()
    expect(await look(data.id)).toMatchObject({ state: 'ready', filesTotal: 1, filesDone: 1 })
    const made = await manifest(data.id)
    expect(made).toMatchObject({
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
    const [print] = made.orders[0]?.lines[0]?.files ?? []
    expect(print).toMatchObject({
      file: `${orderNumber}/1-1-2x3-matte.jpg`,
      productCode: '2x3 matte',
      widthInches: 2,
      heightInches: 3,
      copies: 2,
    })
    const jpeg = (await file(print?.file ?? '', data.id)) ?? Buffer.alloc(0)
    expect(createHash('sha256').update(jpeg).digest('hex')).toBe(print?.sha256)
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 900, density: 300 })
    expect(jpeg.includes('SN-4600100')).toBe(false)
    const csv = String(await file('manifest.csv', data.id))
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      'order,package,person,item,product,size,copies,nameAndYear,file,shipping,shipTo',
      `${orderNumber},Package for 25,Ada Lovelace,Portrait,2x3 matte,2x3,2,,${orderNumber}/1-1-2x3-matte.jpg,Standard Shipping,"Grace Hopper, 1 Mill Street, Dayton, OH 45402"`,
    ])
  })

  it('the manifest lists the name and year for each print, with wallets separate from other prints', async () => {
    const { deps, shop, orderNumber, submit, make, manifest, file } = await begin(printsOf(['5x7', 'BFs', 'MiniBFs']))
    const order = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    const places = { nameOnWallets: true, nameOnAllPrints: false, yearOnWallets: false, yearOnAllPrints: true }
    const subject = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null }
    const offered = await deps.db
      .insertInto('order_services')
      .values({ kind: 'personalization', name: 'Name and year', price_cents: 0, position: 1 })
      .returning('id as order_service_id')
      .executeTakeFirstOrThrow()
    const sold = { quantity: 1, unit_cents: 0, amount_cents: 0 }
    const line = { studio_id: shop.studioId, order_id: order.id, ...offered, ...sold }
    const service = { ...places, nameToPrint: 'Ada L.', yearToPrint: '2027' }
    for (const [position, subjectId] of [shop.adaId, null].entries()) {
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
    await make()
    const files = (await manifest(data.id)).orders[0]?.lines[0]?.files
    expect(files?.map(({ productCode, nameAndYear }) => [productCode, nameAndYear])).toEqual([
      ['5x7', '2027'],
      ['BFs', 'Ada L.'],
      ['MiniBFs', 'Ada L.'],
    ])
    const [heads, first] = String(await file('manifest.csv', data.id)).split('\r\n')
    expect([heads, first?.includes(',2027,')]).toEqual([expect.stringContaining(',nameAndYear,'), true])
  })

  it('the manifest says Studio Shipping for orders shipped to the studio, whatever the platform calls that option', async () => {
    const { deps, orderNumber, submit, make, manifest, file } = await begin()
    await deps.db.updateTable('shipping_options').set({ label: 'By van' }).execute()
    await deps.db.updateTable('orders').set({ is_part_of_batch_order: true }).execute()
    const { data } = await submit([orderNumber])
    await make()
    expect((await manifest(data.id)).orders[0]?.shipping).toMatchObject({ option: 'Studio Shipping', toStudio: true })
    expect(String(await file('manifest.csv', data.id))).toContain(',Studio Shipping,Studio')
  })

  it('texts and crops that were edited after the payment are printed', async () => {
    const printed: Parameters<RenderPrint>[0][] = []
    const print: RenderPrint = async (wanted) => {
      printed.push(wanted)
      return await printHere(wanted)
    }
    const { shop, till, made, orderNumber, submit, make } = await begin()
    const { data } = await till.ask('GET', `orders/${orderNumber}/poses`)
    const [item] = made.items
    const cropDimensions = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }
    const imageNodes = [{ ...chosen(item?.imageNodes[0]?.id ?? 0, shop.adaImageId), cropDimensions }]
    const textNodes = [{ packageItemTextNodeId: item?.textNodes[0]?.id, value: 'Ada King', autoFilled: false }]
    const body = { version: 1, textNodes, imageNodes }
    const put = await till.ask('PATCH', `orders/${orderNumber}/lines/${data.lines[0].id}/poses`, { body })
    expect(put).toMatchObject({ status: 200 })
    await submit([orderNumber])
    await make({ print })
    expect(printed).toHaveLength(1)
    expect([...(printed[0]?.texts.values() ?? [])]).toEqual(['Ada King'])
    expect([...(printed[0]?.images.values() ?? [])]).toMatchObject([{ crop: cropDimensions }])
  })

  it('a submission is refused completely if an order is incomplete, cancelled or submitted already', async () => {
    const { deps, orderNumber, submit, packets, till, make } = await begin()
    const order = () => deps.db.updateTable('orders')
    await order().set({ awaits_poses: true }).execute()
    expect(await submit([orderNumber])).toMatchObject({
      status: 422,
      problem: 'refused',
      errors: [`${orderNumber}: Pictures are still to be chosen`],
      fields: { [orderNumber]: ['Pictures are still to be chosen'] },
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
    expect(packets()).toEqual([])
    expect(await till.order(orderNumber)).toMatchObject({ state: 'placed' })
    expect((await submit([orderNumber, orderNumber])).status).toBe(200)
    expect((await submit([orderNumber])).errors).toEqual([`${orderNumber}: This order is with the lab already`])
    await make()
    await order().set({ state: 'cancelled' }).execute()
    expect((await submit([orderNumber])).errors).toEqual([`${orderNumber}: This order was cancelled`])
    expect(await deps.db.selectFrom('packets').select('id').execute()).toHaveLength(1)
  })

  it('orders that are cancelled before the packet is made are left out', async () => {
    const { deps, orderNumber, submit, make, look, manifest, rows } = await begin()
    const { data } = await submit([orderNumber])
    expect(await rows()).toMatchObject([{ orderCount: 1 }])
    await deps.db.updateTable('orders').set({ state: 'cancelled' }).execute()
    await make()
    expect((await manifest(data.id)).orders).toEqual([])
    expect(await rows()).toMatchObject([{ orderCount: 0 }])
    expect(await look(data.id)).toMatchObject({ state: 'ready', filesTotal: 0, filesDone: 0 })
  })

  it('an interrupted packet is completed by a retry with the same files', async () => {
    const { orderNumber, submit, make, look, manifest } = await begin()
    const { data } = await submit([orderNumber])
    const fails: RenderPrint = async () => {
      throw new Error('the server was killed')
    }
    await expect(make({ print: fails })).rejects.toThrow('killed')
    const aborted = AbortSignal.abort()
    await expect(make({ signal: aborted })).rejects.toThrow()
    expect((await look(data.id)).state).not.toBe('ready')
    await make()
    const first = await manifest(data.id)
    await make()
    expect(await manifest(data.id)).toEqual(first)
    expect(await look(data.id)).toMatchObject({ state: 'ready', filesDone: 1 })
  })

  it('files are listed in the order of the lines, whichever print finished first, and counted as they finish', async () => {
    const { orderNumber, submit, make, look, manifest } = await begin(printsOf(['A', 'B', 'C']))
    const { data } = await submit([orderNumber])
    expect(data.filesTotal).toBe(3)
    const { print, allBegun, end } = controlledPrint()
    const made = make({ print })
    await allBegun()
    for (const [done, productCode] of ['C', 'A', 'B'].entries()) {
      end(productCode)
      await vi.waitFor(async () => expect((await look(data.id)).filesDone).toBe(done + 1), printMilliseconds)
    }
    await made
    const files = (await manifest(data.id)).orders[0]?.lines[0]?.files
    expect(files?.map(({ file, productCode }) => [file, productCode])).toEqual([
      [`${orderNumber}/1-1-A.jpg`, 'A'],
      [`${orderNumber}/1-2-B.jpg`, 'B'],
      [`${orderNumber}/1-3-C.jpg`, 'C'],
    ])
    expect(await look(data.id)).toMatchObject({ state: 'ready', filesTotal: 3, filesDone: 3 })
  })

  it('a packet with a rejected print fails for staff once the other prints are done', async () => {
    const { orderNumber, submit, make, look } = await begin(printsOf(['A', 'B', 'C']))
    const { data } = await submit([orderNumber])
    const { print, allBegun, end, refuse } = controlledPrint()
    const made = make({ print })
    await allBegun()
    refuse('B', 'The original is not here any more')
    end('C')
    await vi.waitFor(async () => expect((await look(data.id)).filesDone).toBe(1), printMilliseconds)
    expect((await look(data.id)).state).toBe('making')
    end('A')
    await made
    expect(await look(data.id)).toMatchObject({ state: 'failed', error: 'The original is not here any more' })
  })

  it('a packet with a missing original fails for staff and succeeds on a retry when it is back', async () => {
    const { deps, app, as, shop, orderNumber, submit, make, look, packets } = await begin()
    const { data } = await submit([orderNumber])
    const again = async (studioId: number | null = shop.studioId, jobId = shop.jobId) => {
      const url = `/api/studioadmin/studios/${shop.studioId}/jobs/${jobId}/packets/${data.id}/again`
      const answer = await app.inject({ method: 'POST', url, headers: await as(studioId), payload: {} })
      return { status: answer.statusCode, ...answer.json() }
    }
    // The packet has not failed yet.
    expect(await again()).toMatchObject({ status: 200, data: { state: 'waiting' } })
    expect(packets()).toHaveLength(1)
    const key = `studios/${shop.studioId}/images/${shop.adaImageId}/original`
    const kept = (await readWholeFile(deps.files, key)) ?? Buffer.alloc(0)
    await deps.files.remove(key)
    await make()
    const sentence = `The original of picture ${shop.adaImageId} is not here any more`
    expect(await look(data.id)).toMatchObject({ state: 'failed', error: sentence })
    expect(await deps.db.selectFrom('order_errors').select(['stage', 'message']).execute()).toEqual([
      { stage: 'packet', message: sentence },
    ])
    await deps.files.put(key, kept)
    expect((await again(shop.studioId + 1)).status).toBe(404)
    expect((await again(shop.studioId, shop.jobId + 1)).status).toBe(404)
    expect(packets()).toHaveLength(1)
    const both = await Promise.all([again(), again()])
    for (const answer of both) expect(answer).toMatchObject({ status: 200, data: { state: 'waiting', error: null } })
    expect(packets()).toHaveLength(2)
    await make()
    expect(await look(data.id)).toMatchObject({ state: 'ready', error: null, filesDone: 1 })
    expect((await again()).data.state).toBe('ready')
  })

  it("packets are not found for anyone but the studio's staff", async () => {
    const { shop, as, submit, orderNumber, till, app } = await begin()
    expect((await submit([orderNumber], {})).status).toBe(401)
    expect((await submit([orderNumber], await as(shop.studioId, []))).status).toBe(403)
    expect((await submit([orderNumber], await as(shop.studioId + 1))).status).toBe(404)
    expect((await submit([orderNumber], await as(null))).status).toBe(404)
    expect(await till.order(orderNumber)).toMatchObject({ state: 'placed' })
    const { data } = await submit([orderNumber], await as(null, ['studio.admin.crud']))
    expect(data.orderNumbers).toEqual([orderNumber])
    const elsewhere = `/api/studioadmin/studios/${shop.studioId}/jobs/${shop.jobId + 1}/packets/${data.id}`
    expect((await app.inject({ url: elsewhere, headers: await as(shop.studioId) })).statusCode).toBe(404)
  })

  it('customer input in the CSV manifest never runs as a formula', async () => {
    const { deps, orderNumber, submit, make, file } = await begin()
    const evil = {
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
      .set({ shipping_address: JSON.stringify(evil) })
      .execute()
    const { data } = await submit([orderNumber])
    await make()
    const csv = String(await file('manifest.csv', data.id))
    expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"",""x""), +1, @x, OH 45402"`)
  })
})
