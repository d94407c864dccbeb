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
import { noContent, snapshotOf, textChoice } from '../../domain/cart/cart-fixtures.ts'
import { basicRetouch, serviceSnapshotOf } from '../../domain/cart/order-service-fixtures.ts'
import { add, type Device, drainFully, gallery, openDevice, portrait, view } from '../device-fixture.ts'

const snapshotFor = (what: string) =>
  what === 'line.add' ? snapshotOf(portrait) : what === 'service.set' ? serviceSnapshotOf(basicRetouch) : null

const bare = ({ mutation, do: what, v }: PublishedMutation): PublishedMutation => {
  const grown = what === 'line.add' || what === 'line.customise' ? { dataFields: [], imageNodes: [] } : {}
  return { v, do: what, mutation: { ...mutation, ...grown } }
}

/** Rows as a build of before laid them down. */
const rowOf = ({ mutation, do: what }: PublishedMutation, state: 'new' | 'sent') => ({
  ...gallery,
  mutationId: mutation.id,
  lineId: mutation.lineId ?? null,
  state,
  recorded: { mutation, snapshot: snapshotFor(what) },
  refusal: null,
})

const ofVersion = (v: number, ...kinds: Change['do'][]): PublishedMutation[] =>
  kinds.flatMap((kind) => publishedMutations.filter((one) => one.v === v && one.do === kind)).map(bare)

const lay = (device: Device, rows: PublishedMutation[], state: 'new' | 'sent') =>
  device.db.outbox.bulkAdd(rows.map((row) => rowOf(row, state)) as never) // as that build wrote it, whatever today's types say

const versions = Array.from({ length: mutationVersion }, (_, index) => index + 1)

describe.each(versions)('what a build of version %i left to be sent', (v) => {
  it('is shown, and sent word for word, once', async () => {
    const device = await openDevice()
    const rows = ofVersion(v, 'line.add', 'line.customise', 'line.quantity', 'service.set')
    await lay(device, rows, 'sent')
    const { cart } = await view(device)
    expect(cart.cartPackages).toMatchObject([{ lineId: publishedLineId, quantity: 3 }])
    expect(cart.cartOrderServicesDetails.retouches).toMatchObject([{ price: 8 }])
    const sent: unknown[] = []
    const { send: carry } = device.server
    device.server.send = (letter) => {
      sent.push(...JSON.parse(letter.body ?? '{}').mutations)
      return carry(letter)
    }
    device.server.faults.push('cut-after')
    await drainFully(device, device.sender())
    expect(sent).toEqual([...rows, ...rows].map(({ mutation }) => mutation))
    expect((await view(device)).status.kind).toBe('sent')
    expect(new Set(device.server.effects.values())).toEqual(new Set([1]))
  })

  it('is merged with what is changed now', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    await lay(device, ofVersion(v, 'line.add', 'service.set'), 'new')
    const content = { ...noContent, textNodes: [textChoice(21, 'Grace')] }
    await customiseLine(db, stamp, { ...gallery, lineId: publishedLineId, content })
    await setQuantity(db, stamp, { ...gallery, lineId: publishedLineId, quantity: 5 })
    const of = { subjectId: 7, personId: null, imageLookupId: null }
    const wanted = {
      ...gallery,
      for: of,
      snapshot: serviceSnapshotOf({ ...basicRetouch, price: 9 }),
      personalization: null,
    }
    await setOrderService(db, stamp, wanted)
    expect(await db.outbox.count()).toBe(2)
    await drainFully(device, device.sender())
    const [line] = device.server.cart(1, 'gallery').cartPackages
    expect(line).toMatchObject({ lineId: publishedLineId, quantity: 5 })
    expect(line?.cartPackageItems[0]?.textNodes).toMatchObject([{ value: 'Grace' }])
    expect((await view(device)).cart.cartOrderServicesDetails.retouches).toMatchObject([{ price: 9 }])
  })

  it('is removed before it was sent without a trace', async () => {
    const device = await openDevice()
    await lay(device, ofVersion(v, 'line.add', 'line.quantity'), 'new')
    await removeLine(device.db, device.stamp, { ...gallery, lineId: publishedLineId })
    expect(await device.db.outbox.count()).toBe(0)
  })
})

describe('what a newer build wrote, whose tab was closed', () => {
  const split = { do: 'line.split', lineId: publishedLineId, into: 2 }
  const layNewer = async (device: Device) => {
    const mutation = {
      id: '0f1e2d3c-4b5a-4678-9abc-00000000abcd',
      v: mutationVersion + 1,
      at: '2027-04-01T10:00:00.000Z',
    }
    await lay(device, [{ v: mutation.v, do: split.do, mutation: { ...mutation, ...split } }], 'new')
  }

  it('holds up no change made here, and is left as it is by each', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    await lay(device, ofVersion(mutationVersion, 'line.add'), 'new')
    await layNewer(device)
    const before = await db.outbox.orderBy('seq').last()
    await add(device)
    await setQuantity(db, stamp, { ...gallery, lineId: publishedLineId, quantity: 4 })
    await removeLine(db, stamp, { ...gallery, lineId: publishedLineId })
    await clearCart(db, stamp, gallery)
    expect(await db.outbox.get(before?.seq ?? 0)).toEqual(before)
  })

  it('is sent as it is, since a server may know more than this build, and set aside where it does not', async () => {
    const device = await openDevice()
    await layNewer(device)
    await add(device)
    await drainFully(device, device.sender())
    const { refused, lines } = await view(device)
    expect(lines).toHaveLength(1)
    expect(refused).toMatchObject([{ what: 'line.split', refusal: { problem: 'bad-request' } }])
    expect(await device.db.outbox.toArray()).toMatchObject([{ recorded: { mutation: split }, state: 'refused' }])
  })

  it('is tried again as it is, once it was set aside', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    await lay(device, ofVersion(mutationVersion, 'line.add'), 'new')
    await layNewer(device)
    await drainFully(device, device.sender())
    const [refused] = await rejectedMutations(db, 1)
    await retryRejected(db, stamp, refused?.mutationId ?? '')
    expect(await db.outbox.toArray()).toMatchObject([{ recorded: { mutation: split }, state: 'new', refusal: null }])
  })
})
