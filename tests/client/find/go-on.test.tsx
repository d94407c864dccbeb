import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GoOn } from '../../../src/client/customer/find/go-on.tsx'
import { local } from '../../../src/client/device/local.ts'
import { rememberVisit } from '../../../src/local/visits.ts'
import { render } from '../../support/render.tsx'

const spring = { studioSlug: 'riverside', jobId: 1, studioName: 'Riverside Portraits' }

beforeEach(async () => {
  document.body.replaceChildren()
  await local.delete()
  await local.open()
})

afterEach(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))

const draw = () => {
  render(<GoOn studioSlug="riverside" />)
  // What comes from the device comes by itself.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
}
const links = () =>
  [...document.querySelectorAll('a')].map((link) => `${link.textContent} ${link.getAttribute('href')}`)

const holds = (cartJobId: number, cartPackageCount: number) =>
  local.device.put({ key: 'cart', value: { cartJobId, orderMethod: 'gallery', cartPackageCount } })

test.each([
  [2, 'Go to your cart (2 packages) /riverside/1/cart'],
  [1, 'Go to your cart (1 package) /riverside/1/cart'],
  [0, 'Go on where you were /riverside/1/search'],
])('leads back to what was chosen: %s packages', async (packages, link) => {
  await rememberVisit(local, spring)
  await holds(1, packages)
  draw()
  await vi.waitFor(() => expect(links()).toEqual([link]))
})

test('A cart of another event is not this one’s', async () => {
  await rememberVisit(local, spring)
  await holds(2, 3)
  draw()
  await vi.waitFor(() => expect(links()).toEqual(['Go on where you were /riverside/1/search']))
})

test('Follows what another tab takes out, and leads nowhere at another studio’s', async () => {
  await rememberVisit(local, spring)
  await holds(1, 2)
  draw()
  await vi.waitFor(() => expect(links()).toHaveLength(1))
  await holds(1, 0)
  await vi.waitFor(() => expect(links()).toEqual(['Go on where you were /riverside/1/search']))
  await rememberVisit(local, { ...spring, studioSlug: 'summit' })
  await vi.waitFor(() => expect(links()).toEqual([]))
})
