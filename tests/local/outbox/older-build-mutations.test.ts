import { describe, expect, it } from 'vitest'
import { type Change, mutationVersion } from '#domain/cart/mutation.ts'
import { customiseLine } from '#local/cart.ts'
import { rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { clearCart, removeLine } from '#local/outbox/undoable-removals.ts'
import {
  type PublishedMutation,
  publishedLineId,
  publishedMutations,
} from '#support/cart-server/published-mutations.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, snapshotOf, textChoice } from '#tests/domain/cart/cart-fixtures.ts'
import { basicRetouch, serviceSnapshotOf } from '#tests/domain/cart/order-service-fixtures.ts'
import { add, type Device, drainFully, gallery, openDevice, portrait, view } from '../device-fixture.ts'

const snapshotFor = (kind: string) =>
  kind === 'line.add' ? snapshotOf(portrait) : kind === 'service.set' ? serviceSnapshotOf(basicRetouch) : null

const withEmptyContent = ({ mutation, do: kind, v }: PublishedMutation): PublishedMutation => {
  const emptyLists = kind === 'line.add' || kind === 'line.customise' ? { dataFields: [], imageNodes: [] } : {}
  return { v, do: kind, mutation: { ...mutation, ...emptyLists } }
}

/** An outbox row as an older build stored it. */
const rowOf = ({ mutation, do: kind }: PublishedMutation, state: 'new' | 'sent') => ({
  ...gallery,
  mutationId: mutation.id,
  lineId: mutation.lineId ?? null,
  state,
  recorded: { mutation, snapshot: snapshotFor(kind) },
  rejection: null,
})

const mutationsOfVersion = (v: number, ...kinds: Change['do'][]): PublishedMutation[] =>
  kinds
    .flatMap((kind) => publishedMutations.filter((published) => published.v === v && published.do === kind))
    .map(withEmptyContent)

const storeRows = (device: Device, rows: PublishedMutation[], state: 'new' | 'sent') =>
  device.db.outbox.bulkAdd(rows.map((row) => rowOf(row, state)) as never) // as the older build stored it, regardless of today's types

const versions = Array.from({ length: mutationVersion }, (_, index) => index + 1)

describe.each(versions)('mutations of a build of version %i', (v) => {
  it('are shown, resent unchanged, and applied once', async () => {
    const device = await openDevice()
    const rows = mutationsOfVersion(v, 'line.add', 'line.customise', 'line.quantity', 'service.set')
    await storeRows(device, rows, 'sent')
    const { cart } = await view(device)
    expect(cart.cartPackages).toMatchObject([{ lineId: publishedLineId, quantity: 3 }])
    expect(cart.cartOrderServicesDetails.retouches).toMatchObject([{ price: 8 }])
    const sent: unknown[] = []
    const { send: originalSend } = device.server
    device.server.send = (request) => {
      sent.push(...JSON.parse(request.body ?? '{}').mutations)
      return originalSend(request)
    }
    device.server.faults.push('cut-after')
    await drainFully(device, device.sender())
    expect(sent).toEqual([...rows, ...rows].map(({ mutation }) => mutation))
    expect((await view(device)).status.kind).toBe('sent')
    expect(new Set(device.server.effects.values())).toEqual(new Set([1]))
  })

  it('are coalesced with new changes', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    await storeRows(device, mutationsOfVersion(v, 'line.add', 'service.set'), 'new')
    const content = { ...noContent, textNodes: [textChoice(21, 'Grace')] }
    await customiseLine(db, stamp, { ...gallery, lineId: publishedLineId, content })
    await setQuantity(db, stamp, { ...gallery, lineId: publishedLineId, quantity: 5 })
    const subject = { subjectId: 7, personId: null, imageLookupId: null }
    const serviceChange = {
      ...gallery,
      target: subject,
      snapshot: serviceSnapshotOf({ ...basicRetouch, price: 9 }),
      personalization: null,
    }
    await setOrderService(db, stamp, serviceChange)
    expect(await db.outbox.count()).toBe(2)
    await drainFully(device, device.sender())
    const [line] = device.server.cart(1, 'gallery').cartPackages
    expect(line).toMatchObject({ lineId: publishedLineId, quantity: 5 })
    expect(line?.cartPackageItems[0]?.textNodes).toMatchObject([{ value: 'Grace' }])
    expect((await view(device)).cart.cartOrderServicesDetails.retouches).toMatchObject([{ price: 9 }])
  })

  it('are deleted if their line is removed before they are sent', async () => {
    const device = await openDevice()
    await storeRows(device, mutationsOfVersion(v, 'line.add', 'line.quantity'), 'new')
    await removeLine(device.db, device.stamp, { ...gallery, lineId: publishedLineId })
    expect(await device.db.outbox.count()).toBe(0)
  })
})

describe('mutations of a newer build', () => {
  const split = { do: 'line.split', lineId: publishedLineId, into: 2 }
  const storeNewerRow = async (device: Device) => {
    const mutation = {
      id: '0f1e2d3c-4b5a-4678-9abc-00000000abcd',
      v: mutationVersion + 1,
      at: '2027-04-01T10:00:00.000Z',
    }
    await storeRows(device, [{ v: mutation.v, do: split.do, mutation: { ...mutation, ...split } }], 'new')
  }

  it('stay unchanged while this build changes the cart', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    await storeRows(device, mutationsOfVersion(mutationVersion, 'line.add'), 'new')
    await storeNewerRow(device)
    const before = await db.outbox.orderBy('seq').last()
    await add(device)
    await setQuantity(db, stamp, { ...gallery, lineId: publishedLineId, quantity: 4 })
    await removeLine(db, stamp, { ...gallery, lineId: publishedLineId })
    await clearCart(db, stamp, gallery)
    expect(await db.outbox.get(before?.seq ?? 0)).toEqual(before)
  })

  it('are sent, since the server may know them, and stay unchanged as rejected if it does not', async () => {
    const device = await openDevice()
    await storeNewerRow(device)
    await add(device)
    await drainFully(device, device.sender())
    const { rejected, lines } = await view(device)
    expect(lines).toHaveLength(1)
    expect(rejected).toMatchObject([{ kind: 'line.split', rejection: { problem: 'bad-request' } }])
    expect(await device.db.outbox.toArray()).toMatchObject([{ recorded: { mutation: split }, state: 'rejected' }])
  })

  it('are requeued unchanged if the customer retries them', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    await storeRows(device, mutationsOfVersion(mutationVersion, 'line.add'), 'new')
    await storeNewerRow(device)
    await drainFully(device, device.sender())
    const [rejected] = await rejectedMutations(db, 1)
    await retryRejected(db, stamp, rejected?.mutationId ?? '')
    expect(await db.outbox.toArray()).toMatchObject([{ recorded: { mutation: split }, state: 'new', rejection: null }])
  })
})
