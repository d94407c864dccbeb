import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { RejectedChanges } from '#client/customer/cart/rejected-changes.tsx'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { readCart } from '#local/cart.ts'
import { recovery } from '#local/recovery/recovery.ts'
import { saveAccessCode } from '#local/session.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { createRequest } from '#local/transport/request.ts'
import { createSender } from '#local/transport/sender.ts'
import { database, stamp } from '#platform/database.ts'
import { createModelServer, searchProofOf } from '#support/cart-server/model-server.ts'
import { addLine } from '#support/device/add-line.ts'
import { click, getButton, render } from '#support/rendering/render.tsx'
import { noContent, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import { deluxe, portrait, spring } from '#tests/local/device-fixture.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const view = () => readCart(database, key.jobId, key.orderMethod)

test('a change that causes a server error is reported after all others are sent, and disappears on retry', async () => {
  const server = createModelServer(spring)
  const request = createRequest(server.send)
  await saveAccessCode(database, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING' })
  await request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
  await request(confirmSubject, { params: { jobId: 1 }, body: { subjectId: 7, proof: searchProofOf(7) } })
  for (const addedPackage of [deluxe, portrait]) {
    const line = { subjectId: 7, personId: null, snapshot: snapshotOf(addedPackage), quantity: 1, content: noContent }
    await addLine(database, stamp, { ...key, ...line })
  }
  const packageIdsAtServer = () => server.cart(1, 'gallery').cartPackages.map((line) => line.packageId)
  let now = Date.UTC(2027, 3, 1, 10)
  const timers = { after: () => () => {} }
  const sender = createSender({
    ...{
      db: database,
      ask: request,
      locks: tabLocks,
      clock: () => now,
      random: () => 0.5,
      timers,
      stamp,
      loadRecovery: async () => recovery,
    },
  })
  server.failsAt = (mutation) => mutation.do === 'line.add' && mutation.packageId === deluxe.id
  await sender.drain()
  expect(packageIdsAtServer()).toEqual([portrait.id])
  for (let attempt = 0; attempt < 3; attempt += 1) {
    now += 10_000
    await sender.drain()
  }
  render(<RejectedChanges cartKey={key} view={await view()} />)
  expect(document.body.textContent).toContain('Deluxe was not accepted')
  expect(document.body.textContent).toContain('The studio couldn’t accept this change')
  expect(getButton('Remove it')).toBeDefined()
  server.failsAt = () => false
  click(getButton('Try again'))
  await vi.waitFor(async () => expect((await view()).rejected).toEqual([]))
  await sender.drain()
  expect(packageIdsAtServer()).toEqual([portrait.id, deluxe.id])
  expect((await view()).status.label).toBe('Saved')
})
