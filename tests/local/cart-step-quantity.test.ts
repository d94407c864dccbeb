import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { stepQuantity } from '#local/cart.ts'
import type { ServerFault } from '#support/cart-server/model-server.ts'
import { add, type Device, drainFully, gallery, openDevice, view } from './device-fixture.ts'

/** A tap in one of two tabs, or a request of the sender, which may fail; a pause waits until all of that has ended. */
type Event = { tab: 0 | 1; by: 1 | -1 } | { sends: ServerFault | 'well' } | 'pause'

const tap = fc.record({ tab: fc.constantFrom(0 as const, 1 as const), by: fc.constantFrom(1 as const, -1 as const) })
const sending = fc.record({ sends: fc.constantFrom<ServerFault | 'well'>('well', 'cut-before', 'cut-after', 503) })
const events = fc.array(
  fc.oneof({ weight: 6, arbitrary: tap }, { weight: 2, arbitrary: sending }, fc.constant('pause' as const)),
  { maxLength: 40 },
)

const runs = process.env.LONG === '1' ? 2_000 : 25

const play = async (device: Device, lineId: string, happening: readonly Event[]): Promise<void> => {
  const tabs = [device.db, device.anotherTab()] as const
  const senders = tabs.map(() => device.sender())
  let underWay: Promise<unknown>[] = []
  for (const event of happening) {
    if (event === 'pause') {
      await Promise.all(underWay)
      underWay = []
    } else if ('by' in event) {
      underWay.push(stepQuantity(tabs[event.tab], device.stamp, { ...gallery, lineId, by: event.by }))
    } else {
      if (event.sends !== 'well') device.server.faults.push(event.sends)
      underWay.push(...senders.map((sender) => sender.wake('tap')))
    }
  }
  await Promise.all(underWay)
  device.server.faults.length = 0
  await drainFully(device, device.sender())
  tabs[1].close()
}

const isTap = (event: Event): event is Event & { by: 1 | -1 } => typeof event === 'object' && 'by' in event

const quantities = async (device: Device): Promise<(number | undefined)[]> => {
  const { lines } = await view(device)
  return [lines[0]?.line.quantity, device.server.cart(1, 'gallery').cartPackages[0]?.quantity]
}

it('taps in two tabs add up, whatever is sent in between and whatever becomes of it', {
  timeout: runs * 2_000,
}, async () => {
  const held = fc.asyncProperty(events, async (happening) => {
    const device = await openDevice()
    const { lineId } = await add(device, undefined, 50)
    await play(device, lineId, happening)
    const wanted = happening.filter(isTap).reduce((sum, { by }) => sum + by, 50)
    expect(await quantities(device)).toEqual([wanted, wanted])
  })
  await fc.assert(held, { numRuns: runs })
})

it.each([1, 2, maxLineQuantity - 1, maxLineQuantity])(
  'taps one after the other stay from 1 to the most a line can hold, from %i on',
  async (first) => {
    const device = await openDevice()
    const { lineId } = await add(device, undefined, first)
    const inTurn: Event[] = ([1, 1, -1, 1, -1, -1, -1, -1, 1] as const).flatMap((by, place) => [
      { tab: place % 2 === 0 ? (0 as const) : (1 as const), by },
      'pause' as const,
    ])
    await play(device, lineId, inTurn)
    const wanted = inTurn.filter(isTap).reduce((sum, { by }) => Math.min(Math.max(sum + by, 1), maxLineQuantity), first)
    expect(await quantities(device)).toEqual([wanted, wanted])
  },
)

it('a step of a line that another tab took out is refused, and says why', async () => {
  const device = await openDevice()
  expect(await stepQuantity(device.db, device.stamp, { ...gallery, lineId: 'no such', by: 1 })).toMatchObject({
    ok: false,
    problem: 'line-unknown',
  })
})
