// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confirmClearDevice } from '#client/customer/shared/confirm-clear-device.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import { confirmPrompt } from '#ui/dialog/confirm.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const

beforeEach(async () => {
  await database.delete()
  await database.open()
  const line = { snapshot: snapshotOf(packageOf()), subjectId: 7, personId: null, quantity: 1, content: noContent }
  await addLine(database, stamp, { ...key, ...line })
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const waitForPrompt = async () => {
  await vi.waitFor(() => expect(confirmPrompt.current()?.open).toBe(true))
  const prompt = confirmPrompt.current()
  if (!prompt) throw new Error('there is no prompt')
  return prompt
}

test('the customer is warned of unsent changes before clearing, and declining keeps everything', async () => {
  const clearing = confirmClearDevice()
  const { request, answer } = await waitForPrompt()
  expect(request).toMatchObject({ confirmText: 'Finish and lose them', danger: true })
  expect(request.message).toContain('aren’t saved online yet and would be lost')
  answer(false)
  await clearing
  expect(await database.outbox.count()).toBe(1)
})

test('if everything was sent, no loss is mentioned', async () => {
  await database.outbox.clear()
  const clearing = confirmClearDevice()
  const { request, answer } = await waitForPrompt()
  expect(request).toMatchObject({ confirmText: 'Finish', danger: false })
  expect(request.message).toContain('Orders you placed are safe')
  answer(false)
  await clearing
})

test('confirming deletes everything and restarts the app', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
  sessionStorage.setItem('searched:an entry', '{"firstName":"A","lastName":"Lovelace"}')
  const clearing = confirmClearDevice()
  const { answer } = await waitForPrompt()
  answer(true)
  await clearing
  expect(reload).toHaveBeenCalledOnce()
  expect(location.pathname).toBe('/')
  expect(await database.outbox.count()).toBe(0)
  expect(sessionStorage.length).toBe(0)
})
