// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confirmClearDevice } from '#client/customer/shared/confirm-clear-device.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { confirmQueue } from '#ui/dialog/confirm.ts'
import { noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'

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

const asked = async () => {
  await vi.waitFor(() => expect(confirmQueue.current()?.open).toBe(true))
  const shown = confirmQueue.current()
  if (!shown) throw new Error('nothing was asked')
  return shown
}

test('unsent changes are listed before clearing, and declining keeps everything', async () => {
  const finishing = confirmClearDevice()
  const { request, answer } = await asked()
  expect(request).toMatchObject({ confirmText: 'Finish and lose them', danger: true })
  expect(request.message).toContain('have not reached the studio yet and would be lost')
  answer(false)
  await finishing
  expect(await database.outbox.count()).toBe(1)
})

test('if everything was sent, no loss is mentioned', async () => {
  await database.outbox.clear()
  const finishing = confirmClearDevice()
  const { request, answer } = await asked()
  expect(request).toMatchObject({ confirmText: 'Finish', danger: false })
  expect(request.message).toContain('What was sent to the studio stays with the studio')
  answer(false)
  await finishing
})

test('confirming deletes everything and restarts the app', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
  sessionStorage.setItem('searched:an entry', '{"firstName":"A","lastName":"Lovelace"}')
  const finishing = confirmClearDevice()
  const { answer } = await asked()
  answer(true)
  await finishing
  expect(reload).toHaveBeenCalledOnce()
  expect(location.pathname).toBe('/')
  expect(await database.outbox.count()).toBe(0)
  expect(sessionStorage.length).toBe(0)
})
