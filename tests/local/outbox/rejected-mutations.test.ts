import { expect, it } from 'vitest'
import { customiseLine } from '#local/cart.ts'
import { discardRejected, rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { removeLine } from '#local/outbox/undoable-removals.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, textChoice } from '../../domain/cart/cart-fixtures.ts'
import { add, type Device, deluxe, drainFully, frame, gallery, openDevice, view } from '../device-fixture.ts'

const content = { ...noContent, textNodes: [textChoice(21, 'Bo')] }

const tryIt = ({ db, stamp }: Device, mutationId: string): Promise<unknown> => retryRejected(db, stamp, mutationId)

/**
 * A line that was sent, changed by the customer while it was on its way, refused, and tried again (or what else they `decide`): as what
 * they changed is on its way, or before that left.
 */
const triedAgain = async (
  isUnderWay: boolean,
  change: (device: Device, lineId: string) => Promise<unknown>,
  decide = tryIt,
) => {
  const device = await openDevice()
  const { db, server } = device
  const { lineId } = await add(device)
  const tryAgain = async () => {
    const [refused] = await rejectedMutations(db, 1)
    expect(refused?.recorded.mutation).toMatchObject({ do: 'line.add', lineId })
    await decide(device, refused?.mutationId ?? '')
    server.rejects = () => false
  }
  const changeIt = async () => {
    await change(device, lineId)
    if (!isUnderWay) sender.stop()
  }
  const steps = isUnderWay ? [changeIt, tryAgain] : [changeIt]
  const { send: carry } = server
  server.rejects = (mutation) => mutation.do === 'line.add'
  server.send = async (letter) => {
    const answer = await carry(letter)
    await steps.shift()?.()
    return answer
  }
  const sender = device.sender()
  await sender.drain()
  if (!isUnderWay) await tryAgain()
  server.send = carry
  await drainFully(device, device.sender())
  return { device, lineId, there: server.cart(1, 'gallery').cartPackages }
}

const ways = [
  { when: 'is under way', isUnderWay: true },
  { when: 'did not leave yet', isUnderWay: false },
]

it.each(ways)('a refused line that is tried again takes along how it was changed since, which $when', async (way) => {
  const { device, lineId, there } = await triedAgain(way.isUnderWay, async ({ db, stamp }, changed) => {
    await setQuantity(db, stamp, { ...gallery, lineId: changed, quantity: 3 })
    await customiseLine(db, stamp, { ...gallery, lineId: changed, content })
  })
  expect(there).toMatchObject([{ lineId, quantity: 3, cartPackageItems: [{ textNodes: [{ value: 'Bo' }] }] }])
  expect([(await view(device)).refused, (await view(device)).status.kind]).toEqual([[], 'sent'])
})

it.each(ways)('and stands though it was taken out before that, which $when', async (way) => {
  const { device, lineId, there } = await triedAgain(way.isUnderWay, ({ db, stamp }, changed) =>
    removeLine(db, stamp, { ...gallery, lineId: changed }),
  )
  expect(there).toMatchObject([{ lineId, quantity: 1 }])
  expect([(await view(device)).refused, (await view(device)).status.kind]).toEqual([[], 'sent'])
})

it.each(ways)('one that is let go takes along how it was changed since, which $when', async ({ isUnderWay }) => {
  const change = async ({ db, stamp }: Device, lineId: string) => {
    await setQuantity(db, stamp, { ...gallery, lineId, quantity: 3 })
    await customiseLine(db, stamp, { ...gallery, lineId, content })
  }
  const { device, there } = await triedAgain(isUnderWay, change, ({ db }, mutationId) =>
    discardRejected(db, mutationId),
  )
  expect(there).toEqual([])
  expect([(await view(device)).refused, (await view(device)).status.kind]).toEqual([[], 'empty'])
})

it('stays where it is, and says why, while the cart has nothing that it goes with', async () => {
  const device = await openDevice()
  const { db, server, stamp } = device
  const standard = await add(device)
  server.rejects = (mutation) => mutation.do === 'line.add' && mutation.packageId === frame.id
  const { lineId } = await add(device, frame)
  await drainFully(device, device.sender())
  server.rejects = () => false
  await removeLine(db, stamp, { ...gallery, lineId: standard.lineId })
  const [before] = await rejectedMutations(db, 1)
  await retryRejected(db, stamp, before?.mutationId ?? '')
  const sentence = 'This add-on needs a package in the cart that allows it'
  expect(await rejectedMutations(db, 1)).toEqual([
    { ...before, refusal: { problem: 'add-on-needs-standard', message: sentence } },
  ])
  expect((await db.outbox.toArray()).filter((row) => row.lineId === lineId)).toHaveLength(1)

  await add(device, deluxe)
  await retryRejected(db, stamp, before?.mutationId ?? '')
  await drainFully(device, device.sender())
  expect(
    server
      .cart(1, 'gallery')
      .cartPackages.map((line) => line.packageId)
      .sort(),
  ).toEqual([deluxe.id, frame.id].sort())
  expect((await view(device)).refused).toEqual([])
})
