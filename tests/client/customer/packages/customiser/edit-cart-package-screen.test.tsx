import 'fake-indexeddb/auto'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { EditCartPackageScreen } from '#client/customer/packages/customiser/edit-cart-package-screen.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { removeLine } from '#local/outbox/undoable-removals.ts'
import { database, stamp } from '#platform/database.ts'
import { urls } from '#platform/urls.ts'
import { addLine } from '#support/device/add-line.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { imageChoice, noContent, snapshotOf, textChoice } from '#tests/domain/cart/cart-fixtures.ts'
import { toastLog } from '#ui/toast/toast.ts'
import { familyPackage } from '../package-examples.ts'

const cartKey = { jobId: 1, orderMethod: 'gallery' as OrderMethod }

/** Adds a package for Ada to a cart on this device. */
const addPackage = async (key = cartKey, content = noContent) => {
  const line = { subjectId: 7, personId: null, snapshot: snapshotOf(familyPackage), content }
  const result = await addLine(database, stamp, { ...key, ...line, quantity: 1 })
  if (!result.ok) throw new Error(result.message)
  return result
}

const openScreen = (cartPackageId: number) => {
  const route = { studioSlug: 'riverside', jobId: 1 }
  history.pushState(null, '', urls.editCartPackage({ ...route, cartPackageId }))
  render(
    <JobContext value={springJobContext()}>
      <BottomBarSlot value={document.body.appendChild(document.createElement('div'))}>
        <EditCartPackageScreen {...route} cartPackageId={cartPackageId} />
      </BottomBarSlot>
    </JobContext>,
  )
}

let lastToastId = 0
const newToasts = () => toastLog.current().filter(({ id }) => id > lastToastId)

/** Checks for one message, and that the cart replaces the invalid URL in the history, so that Back does not return to it. */
const expectCartScreen = async () => {
  const historyLength = history.length
  await waitForPage(() => expect(location.pathname).toBe('/riverside/1/cart'))
  expect(history.length).toBe(historyLength)
  expect(newToasts()).toMatchObject([{ tone: 'error', text: 'That item is not in this cart' }])
}

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  lastToastId = toastLog.current().at(-1)?.id ?? 0
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})

afterAll(() => vi.unstubAllGlobals())

test.each([
  ['never existed', async () => 99],
  ['belongs to another job’s cart', async () => (await addPackage({ ...cartKey, jobId: 2 })).number],
  [
    'belongs to a removed package',
    async () => {
      const { number, lineId } = await addPackage()
      await removeLine(database, stamp, { ...cartKey, lineId })
      return number
    },
  ],
])('a number that %s shows a message and leads to the cart', async (_, number) => {
  openScreen(await number())
  await expectCartScreen()
})

test.each(['gallery', 'prepay'] as const)('a package of the job’s %s cart is opened', async (orderMethod) => {
  openScreen((await addPackage({ ...cartKey, orderMethod })).number)
  await waitForPage(() => expect(getElement('h1').textContent).toBe('Make it yours'))
  expect(location.pathname).toContain('edit-cart-package')
  expect(newToasts()).toEqual([])
})

test('a package removed in another tab while open leads to the cart too', async () => {
  const { number, lineId } = await addPackage()
  openScreen(number)
  await waitForPage(() => expect(getElement('h1').textContent).toBe('Make it yours'))
  await removeLine(database, stamp, { ...cartKey, lineId })
  await expectCartScreen()
})

test('changes that cannot be stored show why, and stay on the screen for a retry (section 8)', async () => {
  const line = { imageNodes: [411, 421, 431, 441].map((id) => imageChoice(id)), textNodes: [textChoice(413, 'Ada')] }
  const { number } = await addPackage(cartKey, { ...noContent, ...line })
  openScreen(number)
  await waitForPage(() => expect(getElement('h1').textContent).toBe('Make it yours'))
  const failWrite = () => {
    throw new DOMException('no room', 'QuotaExceededError')
  }
  database.outbox.hook('updating', failWrite)
  onTestFinished(() => database.outbox.hook('updating').unsubscribe(failWrite))
  type(getElement<HTMLInputElement>('#text-0-414'), 'Onward')
  click(getButton('Save changes'))
  await waitForPage(() =>
    expect(newToasts()).toMatchObject([{ tone: 'error', text: expect.stringContaining('out of space') }]),
  )
  expect(location.pathname).toContain('edit-cart-package')
  expect(getElement<HTMLInputElement>('#text-0-414').value).toBe('Onward')
})
