import { expect, it } from 'vitest'
import { customiseLine } from '#local/cart.ts'
import { discardRejected, rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { removeLine } from '#local/outbox/undoable-removals.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, textChoice } from '#tests/domain/cart/cart-fixtures.ts'
import { add, type Device, deluxe, drainFully, frame, gallery, openDevice, view } from '../device-fixture.ts'

const content = { ...noContent, textNodes: [textChoice(21, 'Bo')] }

const retryMutation = ({ db, stamp }: Device, mutationId: string): Promise<unknown> =>
  retryRejected(db, stamp, mutationId)

/**
 * Adds a line that the server rejects and that the customer changes meanwhile. Then retries the line (or calls
 * `decide`), either while the customer's change is in flight or before it is sent.
 */
const rejectAndRetry = async (
  isInFlight: boolean,
  change: (device: Device, lineId: string) => Promise<unknown>,
  decide = retryMutation,
) => {
  const device = await openDevice()
  const { db, server } = device
  const { lineId } = await add(device)
  const decideOnRejection = async () => {
    const [rejected] = await rejectedMutations(db, 1)
    expect(rejected?.recorded.mutation).toMatchObject({ do: 'line.add', lineId })
    await decide(device, rejected?.mutationId ?? '')
    server.rejects = () => false
  }
  const changeLine = async () => {
    await change(device, lineId)
    if (!isInFlight) sender.stop()
  }
  const steps = isInFlight ? [changeLine, decideOnRejection] : [changeLine]
  const { send: originalSend } = server
  server.rejects = (mutation) => mutation.do === 'line.add'
  server.send = async (request) => {
    const answer = await originalSend(request)
    await steps.shift()?.()
    return answer
  }
  const sender = device.sender()
  await sender.drain()
  if (!isInFlight) await decideOnRejection()
  server.send = originalSend
  await drainFully(device, device.sender())
  return { device, lineId, serverLines: server.cart(1, 'gallery').cartPackages }
}

const timings = [
  { when: 'changes in flight', isInFlight: true },
  { when: 'changes not sent yet', isInFlight: false },
]

it.each(timings)('a retried line includes its later changes ($when)', async (timing) => {
  const { device, lineId, serverLines } = await rejectAndRetry(timing.isInFlight, async ({ db, stamp }, changed) => {
    await setQuantity(db, stamp, { ...gallery, lineId: changed, quantity: 3 })
    await customiseLine(db, stamp, { ...gallery, lineId: changed, content })
  })
  expect(serverLines).toMatchObject([{ lineId, quantity: 3, cartPackageItems: [{ textNodes: [{ value: 'Bo' }] }] }])
  expect([(await view(device)).rejected, (await view(device)).status.kind]).toEqual([[], 'sent'])
})

it.each(timings)('a retried line is in the cart although it was removed before ($when)', async (timing) => {
  const { device, lineId, serverLines } = await rejectAndRetry(timing.isInFlight, ({ db, stamp }, changed) =>
    removeLine(db, stamp, { ...gallery, lineId: changed }),
  )
  expect(serverLines).toMatchObject([{ lineId, quantity: 1 }])
  expect([(await view(device)).rejected, (await view(device)).status.kind]).toEqual([[], 'sent'])
})

it.each(timings)('discarding a rejected line deletes its later changes ($when)', async ({ isInFlight }) => {
  const change = async ({ db, stamp }: Device, lineId: string) => {
    await setQuantity(db, stamp, { ...gallery, lineId, quantity: 3 })
    await customiseLine(db, stamp, { ...gallery, lineId, content })
  }
  const { device, serverLines } = await rejectAndRetry(isInFlight, change, ({ db }, mutationId) =>
    discardRejected(db, mutationId),
  )
  expect(serverLines).toEqual([])
  expect([(await view(device)).rejected, (await view(device)).status.kind]).toEqual([[], 'empty'])
})

it('a retried add-on stays rejected with the reason until the cart has a package for it', async () => {
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
  const message = 'This add-on needs a package in the cart that allows it'
  expect(await rejectedMutations(db, 1)).toEqual([
    { ...before, rejection: { problem: 'add-on-needs-standard', message } },
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
  expect((await view(device)).rejected).toEqual([])
})
