import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ContinueLink } from '#client/customer/discovery/studio/continue-link.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { removeLine } from '#local/outbox/undoable-removals.ts'
import { saveLastOpenedJob } from '#local/session.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { render } from '#support/rendering/render.tsx'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'

const spring = { studioSlug: 'riverside', jobId: 1, studioName: 'Riverside Portraits' }

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
})

afterEach(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))

const renderLink = () => {
  render(<ContinueLink studioSlug="riverside" />)
  // Device data arrives asynchronously.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
}
const links = () =>
  [...document.querySelectorAll('a')].map((link) => `${link.textContent} ${link.getAttribute('href')}`)

const add = (jobId: number, orderMethod: OrderMethod, quantity: number) => {
  const line = { snapshot: snapshotOf(packageOf()), subjectId: 7, personId: null, quantity, content: noContent }
  return addLine(database, stamp, { jobId, orderMethod, ...line })
}

test.each([
  [2, 'Go to your cart (2 packages) /riverside/1/cart'],
  [1, 'Go to your cart (1 package) /riverside/1/cart'],
  [0, 'Continue /riverside/1/search'],
])('the continue link counts %s packages', async (packages, link) => {
  await saveLastOpenedJob(database, spring)
  if (packages > 0) await add(1, 'gallery', packages)
  renderLink()
  await vi.waitFor(() => expect(links()).toEqual([link]))
})

test('the continue link counts both carts of a job, since a closed one is shown too', async () => {
  await saveLastOpenedJob(database, spring)
  await add(1, 'prepay', 2)
  const galleryLine = await add(1, 'gallery', 1)
  renderLink()
  await vi.waitFor(() => expect(links()).toEqual(['Go to your cart (3 packages) /riverside/1/cart']))
  if (galleryLine.ok)
    await removeLine(database, stamp, { jobId: 1, orderMethod: 'gallery', lineId: galleryLine.lineId })
  await vi.waitFor(() => expect(links()).toEqual(['Go to your cart (2 packages) /riverside/1/cart']))
})

test('the continue link ignores carts of another job', async () => {
  await saveLastOpenedJob(database, spring)
  await add(2, 'gallery', 3)
  renderLink()
  await vi.waitFor(() => expect(links()).toEqual(['Continue /riverside/1/search']))
})

test('the continue link updates when packages are removed, and is not shown at another studio', async () => {
  await saveLastOpenedJob(database, spring)
  const addedLine = await add(1, 'gallery', 2)
  renderLink()
  await vi.waitFor(() => expect(links()).toHaveLength(1))
  if (addedLine.ok) await removeLine(database, stamp, { jobId: 1, orderMethod: 'gallery', lineId: addedLine.lineId })
  await vi.waitFor(() => expect(links()).toEqual(['Continue /riverside/1/search']))
  await saveLastOpenedJob(database, { ...spring, studioSlug: 'summit' })
  await vi.waitFor(() => expect(links()).toEqual([]))
})
