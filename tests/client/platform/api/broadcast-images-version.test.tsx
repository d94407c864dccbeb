import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { checkImages } from '#contract/customer/check-images.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import { getHealth } from '#contract/system/health.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { callApi } from '#platform/api/api.ts'
import { onCacheUpdate } from '#platform/api/cache-updates.ts'
import { database } from '#platform/database.ts'

afterEach(() => vi.unstubAllGlobals())

const face = '/photos/g1/501/thumb-01234567'
let state: string
let withdrawn: string[]
const asked: string[] = []

const serve = (): void => {
  asked.splice(0)
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    const data = address === checkImages.path ? { withdrawn } : { status: 'ok', maintenance: false }
    return Response.json({ data }, { headers: { [imagesHeader]: state } })
  })
}

test('without a worker the page checks its cart when the images version changes, and every screen reloads', async () => {
  serve()
  state = 'one'
  withdrawn = [face]
  const subject = { subjectId: 7, personId: null, firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: face }
  const cart = { ...emptyCart(1, 'gallery'), id: 3, version: 1, subjects: [subject] }
  await database.carts.put({
    jobId: 1,
    orderMethod: 'gallery',
    cart,
    retiredCartId: null,
    writing: crypto.randomUUID(),
  })
  const changed = vi.fn()
  onCacheUpdate(changed)
  await callApi(getHealth)
  await callApi(getHealth)
  expect(asked).not.toContain(checkImages.path)
  state = 'two'
  await callApi(getHealth)
  await vi.waitFor(() => expect(changed).toHaveBeenCalledWith(null))
  expect(asked.filter((address) => address === checkImages.path)).toHaveLength(1)
  const [kept] = await database.carts.toArray()
  expect(kept?.cart.subjects[0]?.imageThumbnailUrl).toBeNull()
})

test('with a controlling worker the page passes the version on and requests nothing itself', async () => {
  serve()
  state = 'three'
  const postMessage = vi.fn()
  vi.stubGlobal('navigator', { serviceWorker: { controller: { postMessage } }, onLine: true })
  await callApi(getHealth)
  expect(postMessage).toHaveBeenCalledWith({ type: 'photos', state: 'three' })
  expect(asked).toHaveLength(1)
})
