import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { ask } from '../../../src/client/device/ask.ts'
import { onChange } from '../../../src/client/device/changes.ts'
import { local } from '../../../src/client/device/local.ts'
import { photosHeader } from '../../../src/contract/answers.ts'
import { getHealth } from '../../../src/contract/health.ts'
import { checkPhotos } from '../../../src/contract/photos.ts'
import { emptyCart } from '../../../src/domain/cart.ts'

afterEach(() => vi.unstubAllGlobals())

const face = '/photos/g1/501/thumb-01234567'
let state: string
let withdrawn: string[]
const asked: string[] = []

const serve = (): void => {
  asked.splice(0)
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    const data = address === checkPhotos.path ? { withdrawn } : { status: 'ok', maintenance: false }
    return Response.json({ data }, { headers: { [photosHeader]: state } })
  })
}

test('without a worker the page checks its cart once the state of the photos changes, and every screen asks again', async () => {
  serve()
  state = 'one'
  withdrawn = [face]
  const subject = { subjectId: 7, personId: null, firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: face }
  const cart = { ...emptyCart(1, 'gallery'), id: 3, version: 1, subjects: [subject] }
  await local.carts.put({ jobId: 1, orderMethod: 'gallery', cart, retiredCartId: null })
  const changed = vi.fn()
  onChange(changed)
  await ask(getHealth)
  await ask(getHealth)
  expect(asked).not.toContain(checkPhotos.path)
  state = 'two'
  await ask(getHealth)
  await vi.waitFor(() => expect(changed).toHaveBeenCalledWith(null))
  expect(asked.filter((address) => address === checkPhotos.path)).toHaveLength(1)
  const [kept] = await local.carts.toArray()
  expect(kept?.cart.subjects[0]?.imageThumbnailUrl).toBeNull()
})

test('with a worker in control the page passes the state on to it, and asks nothing itself', async () => {
  serve()
  state = 'three'
  const postMessage = vi.fn()
  vi.stubGlobal('navigator', { serviceWorker: { controller: { postMessage } }, onLine: true })
  await ask(getHealth)
  expect(postMessage).toHaveBeenCalledWith({ type: 'photos', state: 'three' })
  expect(asked).toHaveLength(1)
})
