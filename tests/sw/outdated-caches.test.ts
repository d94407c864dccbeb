import { expect, it } from 'vitest'
import { assetCache, catalogueCache, imageCache } from '#local/store/cache-names.ts'
import { deleteOutdatedCaches } from '#sw/cache-rules.ts'
import { createCaches } from './memory-cache-storage.ts'

const shell = 'workbox-precache-v2-https://fieldproof.test/'

it('deletes the image, catalogue and asset caches with other numbers, and no others', async () => {
  const caches = createCaches()
  const current = [assetCache, catalogueCache, imageCache]
  for (const name of [shell, ...current, 'photos-v0', 'catalogue-v0', 'assets-v12']) await caches.open(name)
  await deleteOutdatedCaches(caches)
  expect(await caches.keys()).toEqual([shell, ...current])
})
