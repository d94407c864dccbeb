import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { RefusedList } from '#client/customer/cart/rejected-changes.tsx'
import { confirmSubject, redeemCode } from '#contract/customer/discovery-calls.ts'
import { readCart } from '#local/cart.ts'
import { rescue } from '#local/recovery/recovery.ts'
import { rememberCode } from '#local/session.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { askBy } from '#local/transport/request.ts'
import { createSender } from '#local/transport/sender.ts'
import { local, stamp } from '#platform/database.ts'
import { createModelServer, proofOf } from '#support/cart-server/model-server.ts'
import { addLine } from '#support/device/add-line.ts'
import { button, click, render } from '#support/rendering/render.tsx'
import { noContent, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'
import { deluxe, portrait, spring } from '../../../local/device-fixture.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const view = () => readCart(local, key.jobId, key.orderMethod)

test('What the server stumbles over is shown when all else is there, and goes when the customer tries again', async () => {
  const server = createModelServer(spring)
  const ask = askBy(server.carry)
  await rememberCode(local, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING' })
  await ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
  await ask(confirmSubject, { params: { jobId: 1 }, body: { subjectId: 7, proof: proofOf(7) } })
  for (const of of [deluxe, portrait]) {
    const line = { subjectId: 7, personId: null, snapshot: snapshotOf(of), quantity: 1, content: noContent }
    await addLine(local, stamp, { ...key, ...line })
  }
  const there = () => server.cart(1, 'gallery').cartPackages.map((line) => line.packageId)
  let now = Date.UTC(2027, 3, 1, 10)
  const timers = { after: () => () => {} }
  const sender = createSender({
    ...{
      db: local,
      ask,
      locks: tabLocks,
      clock: () => now,
      random: () => 0.5,
      timers,
      stamp,
      rescue: async () => rescue,
    },
  })
  server.breaks = (mutation) => mutation.do === 'line.add' && mutation.packageId === deluxe.id
  await sender.drain()
  expect(there()).toEqual([portrait.id])
  for (let round = 0; round < 3; round += 1) {
    now += 10_000
    await sender.drain()
  }
  render(<RefusedList cartKey={key} view={await view()} />)
  expect(document.body.textContent).toContain('Deluxe was not accepted')
  expect(document.body.textContent).toContain('The studio could not take this, though all else arrived')
  expect(button('Remove it')).toBeDefined()
  server.breaks = () => false
  click(button('Try again'))
  await vi.waitFor(async () => expect((await view()).refused).toEqual([]))
  await sender.drain()
  expect(there()).toEqual([portrait.id, deluxe.id])
  expect((await view()).status.words).toBe('Saved')
})
