import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { stepQuantity } from '#local/cart.ts'
import type { ServerFault } from '#support/cart-server/model-server.ts'
import { add, type Device, drainFully, gallery, openDevice, view } from './device-fixture.ts'

/** A tap in one of two tabs, a run of both senders with or without a fault, or a pause until earlier events ended. */
type StepEvent = { tab: 0 | 1; by: 1 | -1 } | { sends: ServerFault | 'without-fault' } | 'pause'

const tap = fc.record({ tab: fc.constantFrom(0 as const, 1 as const), by: fc.constantFrom(1 as const, -1 as const) })
const sendingEvent = fc.record({
  sends: fc.constantFrom<ServerFault | 'without-fault'>('without-fault', 'cut-before', 'cut-after', 503),
})
const events = fc.array(
  fc.oneof({ weight: 6, arbitrary: tap }, { weight: 2, arbitrary: sendingEvent }, fc.constant('pause' as const)),
  { maxLength: 40 },
)

const runs = process.env.LONG === '1' ? 2_000 : 25

const play = async (device: Device, lineId: string, sequence: readonly StepEvent[]): Promise<void> => {
  const tabs = [device.db, device.anotherTab()] as const
  const senders = tabs.map(() => device.sender())
  let pending: Promise<unknown>[] = []
  for (const event of sequence) {
    if (event === 'pause') {
      await Promise.all(pending)
      pending = []
    } else if ('by' in event) {
      pending.push(stepQuantity(tabs[event.tab], device.stamp, { ...gallery, lineId, by: event.by }))
    } else {
      if (event.sends !== 'without-fault') device.server.faults.push(event.sends)
      pending.push(...senders.map((sender) => sender.wake('tap')))
    }
  }
  await Promise.all(pending)
  device.server.faults.length = 0
  await drainFully(device, device.sender())
  tabs[1].close()
}

const isTap = (event: StepEvent): event is StepEvent & { by: 1 | -1 } => typeof event === 'object' && 'by' in event

const quantities = async (device: Device): Promise<(number | undefined)[]> => {
  const { lines } = await view(device)
  return [lines[0]?.line.quantity, device.server.cart(1, 'gallery').cartPackages[0]?.quantity]
}

it('taps in two tabs add up, whatever is sent in between and whatever its result', {
  timeout: runs * 2_000,
}, async () => {
  const property = fc.asyncProperty(events, async (sequence) => {
    const device = await openDevice()
    const { lineId } = await add(device, undefined, 50)
    await play(device, lineId, sequence)
    const expected = sequence.filter(isTap).reduce((sum, { by }) => sum + by, 50)
    expect(await quantities(device)).toEqual([expected, expected])
  })
  await fc.assert(property, { numRuns: runs })
})

it.each([1, 2, maxLineQuantity - 1, maxLineQuantity])(
  'repeated taps that start at %i keep the quantity between 1 and the maximum of a line',
  async (initial) => {
    const device = await openDevice()
    const { lineId } = await add(device, undefined, initial)
    const taps: StepEvent[] = ([1, 1, -1, 1, -1, -1, -1, -1, 1] as const).flatMap((by, index) => [
      { tab: index % 2 === 0 ? (0 as const) : (1 as const), by },
      'pause' as const,
    ])
    await play(device, lineId, taps)
    const expected = taps
      .filter(isTap)
      .reduce((sum, { by }) => Math.min(Math.max(sum + by, 1), maxLineQuantity), initial)
    expect(await quantities(device)).toEqual([expected, expected])
  },
)

it('a quantity step of a line that is not in the cart is rejected', async () => {
  const device = await openDevice()
  expect(await stepQuantity(device.db, device.stamp, { ...gallery, lineId: 'no such', by: 1 })).toMatchObject({
    ok: false,
    problem: 'line-unknown',
  })
})
