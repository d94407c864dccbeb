import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { RefusedList } from '../../../src/client/customer/cart/refused-list.tsx'
import { local, stamp } from '../../../src/client/device/local.ts'
import { confirmSubject, redeemCode } from '../../../src/contract/customer-find.ts'
import { askBy } from '../../../src/local/ask.ts'
import { readCart } from '../../../src/local/cart.ts'
import { tabLocks } from '../../../src/local/locks.ts'
import { rescue } from '../../../src/local/rescue.ts'
import { createSender } from '../../../src/local/sender.ts'
import { rememberCode } from '../../../src/local/visits.ts'
import { noContent, snapshotOf } from '../../domain/examples.ts'
import { deluxe, portrait, spring } from '../../local/a-device.ts'
import { addLine } from '../../support/add-line.ts'
import { createModelServer, proofOf } from '../../support/model-server.ts'
import { button, click, render } from '../../support/render.tsx'

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
