import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { checkImages } from '#contract/customer/session-calls.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import { getHealth } from '#contract/system/health.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { callApi } from '#platform/api/api.ts'
import { onCacheUpdate } from '#platform/api/cache-updates.ts'
import { database } from '#platform/database.ts'

afterEach(() => vi.unstubAllGlobals())

const thumbnailUrl = '/photos/g1/501/thumb-01234567'
let imagesVersion: string
let withdrawnUrls: string[]
const requestedUrls: string[] = []

const stubServer = (): void => {
  requestedUrls.splice(0)
  vi.stubGlobal('fetch', async (address: string) => {
    requestedUrls.push(address)
    const data = address === checkImages.path ? { withdrawn: withdrawnUrls } : { status: 'ok', maintenance: false }
    return Response.json({ data }, { headers: { [imagesHeader]: imagesVersion } })
  })
}

test('without a worker the page checks its cart when the images version changes, and every screen reloads', async () => {
  stubServer()
  imagesVersion = 'one'
  withdrawnUrls = [thumbnailUrl]
  const subject = {
    subjectId: 7,
    personId: null,
    firstName: 'Ada',
    lastName: 'Lovelace',
    imageThumbnailUrl: thumbnailUrl,
  }
  const cart = { ...emptyCart(1, 'gallery'), id: 3, version: 1, subjects: [subject] }
  await database.carts.put({
    jobId: 1,
    orderMethod: 'gallery',
    cart,
    retiredCartId: null,
    writing: crypto.randomUUID(),
  })
  const onUpdate = vi.fn()
  onCacheUpdate(onUpdate)
  await callApi(getHealth)
  await callApi(getHealth)
  expect(requestedUrls).not.toContain(checkImages.path)
  imagesVersion = 'two'
  await callApi(getHealth)
  await vi.waitFor(() => expect(onUpdate).toHaveBeenCalledWith(null))
  expect(requestedUrls.filter((address) => address === checkImages.path)).toHaveLength(1)
  const [storedCart] = await database.carts.toArray()
  expect(storedCart?.cart.subjects[0]?.imageThumbnailUrl).toBeNull()
})

test('with a controlling worker the page passes the version on and requests nothing itself', async () => {
  stubServer()
  imagesVersion = 'three'
  const postMessage = vi.fn()
  vi.stubGlobal('navigator', { serviceWorker: { controller: { postMessage } }, onLine: true })
  await callApi(getHealth)
  expect(postMessage).toHaveBeenCalledWith({ type: 'photos', state: 'three' })
  expect(requestedUrls).toHaveLength(1)
})
