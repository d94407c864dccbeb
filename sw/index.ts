import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { ignoring } from '#domain/shared/ignoring.ts'
import { assetCache, syncTag } from '#local/store/cache-names.ts'
import { createImageCheck } from '#local/store/check-cached-images.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { notifyImagesVersion, onImagesVersion } from '#local/store/images-version.ts'
import { prefersReducedData } from '#local/transport/save-data.ts'
import { requestFromWorker } from '#local/transport/worker-http-client.ts'
import type { PageToWorkerMessage, RefreshJobRequest, WorkerToPageMessage } from '#local/transport/worker-messages.ts'
import { createBackgroundSender } from './background-sender.ts'
import {
  type CacheableRequest,
  deleteOutdatedCaches,
  entriesBeyond,
  isAsset,
  isCatalogue,
  maxAssets,
  nonShellPaths,
  parseImageUrl,
} from './cache-rules.ts'
import { canRestoreAccess } from './can-restore-access.ts'
import { createCatalogueCache } from './catalogue-cache.ts'
import { withFirstView } from './first-view-page.ts'
import { createGrantTracker, readImageCacheRules } from './grant-tracker.ts'
import { createImageCache } from './image-cache.ts'
import { createLandingPageCache, mayBeLandingPage } from './landing-page-cache.ts'
import { prefetch } from './prefetch.ts'
import { refreshJob } from './refresh-job.ts'

type AssetCacheDeps = { caches: CacheStorage; fetch: (request: Request) => Promise<Response> }

/**
 * Serves a hashed file, which never changes, from the cache, or fetches and stores it. Old tabs still request files of
 * earlier builds.
 */
const cachedAsset = async ({ caches, fetch }: AssetCacheDeps, request: Request): Promise<Response> => {
  const cache = await caches.open(assetCache)
  const cached = await cache.match(request, { ignoreVary: true })
  if (cached) return cached
  const response = await fetch(request)
  if (response.status !== 200) return response
  await cache.put(request, response.clone())
  for (const oldest of entriesBeyond(await cache.keys(), maxAssets)) await cache.delete(oldest)
  return response
}

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: PrecacheEntry[] }

const db = openLocalDatabase()
const clock = () => Date.now()
const backgroundSender = createBackgroundSender(db, (jobId) =>
  refreshJobNow({ jobId, urls: [], sparing: prefersReducedData() }),
)
const fetchAndWake = async (request: Request) => {
  const response = await fetch(request)
  notifyImagesVersion(response.headers)
  void backgroundSender.onAnswer().catch(console.warn)
  return response
}

const notifyPages = async (url: string | null): Promise<void> => {
  const pages = await self.clients.matchAll({ type: 'window' })
  for (const page of pages) page.postMessage({ type: 'changed', url } satisfies WorkerToPageMessage)
}

const images = createImageCache({ caches, fetch: fetchAndWake, clock, rules: () => readImageCacheRules(db, clock()) })
const grants = createGrantTracker({ db, clock, withdraw: images.tidy, notifyAllPages: () => notifyPages(null) })
const catalogue = createCatalogueCache({
  ...{ caches, fetch: fetchAndWake, notifyPages, listen: grants.listen },
  canRestoreAccess: (jobId, reason) => canRestoreAccess(db, jobId, reason),
})

const checkImages = createImageCheck({
  ...{ db, ask: requestFromWorker, notifyAllPages: () => notifyPages(null) },
  stored: async () => [...(await images.paths()), ...(await catalogue.cachedImageUrls())],
  remove: async (withdrawn) => {
    await images.withdraw(withdrawn)
    await catalogue.withdraw(withdrawn)
  },
})
onImagesVersion((state) => void checkImages(state).catch(console.warn))

const toCacheableRequest = ({ request, url }: { request: Request; url: URL }): CacheableRequest => ({
  method: request.method,
  url,
  hasToken: request.headers.has('authorization'),
})

const build = self.__WB_MANIFEST
precacheAndRoute(build, { cleanURLs: false })
cleanupOutdatedCaches()

const files = new Set(build.map((entry) => `/${typeof entry === 'string' ? entry : entry.url}`))
const landing = createLandingPageCache({ caches, fetch: fetchAndWake, origin: self.location.origin, files })
const refreshLandingPage = (pathname: string) => ignoring('the cached page stays', () => landing.refresh(pathname))

// A landing page as the server last filled it in; every other URL of the app gets the same small page, also offline, with
// what a subject's screen showed last.
const shell = createHandlerBoundToURL('/app.html')
const openPage = async (options: Parameters<typeof shell>[0]): Promise<Response> => {
  const { pathname } = options.url
  if (!mayBeLandingPage(pathname)) return await withFirstView({ caches, files }, pathname, await shell(options))
  options.event.waitUntil(refreshLandingPage(pathname))
  return (await landing.cachedPage(pathname)) ?? (await shell(options))
}
registerRoute(new NavigationRoute(openPage, { denylist: nonShellPaths }))

// Files of this build and of earlier ones.
registerRoute(
  (options) => options.sameOrigin && isAsset(toCacheableRequest(options)),
  ({ request }) => cachedAsset({ caches, fetch: fetchAndWake }, request),
)

// The catalogue: shown at once, refreshed in the background.
registerRoute(
  (options) => options.sameOrigin && isCatalogue(toCacheableRequest(options)),
  async ({ request, event }) => {
    const result = catalogue.answer(request)
    event.waitUntil(
      result.then(
        ({ afterwards }) => afterwards,
        () => undefined,
      ),
    )
    return (await result).response
  },
)

// Images of children: stored here and nowhere else.
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && parseImageUrl(url) !== null,
  async ({ request, url }) => {
    const image = parseImageUrl(url)
    return image ? await images.answer(request, image) : await fetch(request)
  },
)

// Once each time this worker starts: expired images are removed even without contact with the server.
let isTidied = false
self.addEventListener('fetch', (event) => {
  if (isTidied || event.request.mode !== 'navigate') return
  isTidied = true
  event.waitUntil(images.tidy(new Set()))
})

// The first page was filled in by the server: it is cached, so that it opens as fast next time.
const cacheOpenPages = async (): Promise<void> => {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const opened = new Set(pages.map(({ url }) => new URL(url).pathname).filter(mayBeLandingPage))
  await Promise.all([...opened].map(refreshLandingPage))
}

self.addEventListener('activate', (event) => {
  // Claim the page that installed this worker at once, so that the first session works offline too.
  event.waitUntil(Promise.all([self.clients.claim(), deleteOutdatedCaches(caches)]))
  // Not awaited: nothing else is handled until this event ends.
  void cacheOpenPages()
})

const prefetchDeps = ({ sparing = false }: { sparing?: boolean }) => ({
  ...{ sparing, origin: self.location.origin, image: images.answer },
  asset: (request: Request) => cachedAsset({ caches, fetch: fetchAndWake }, request),
})

const refreshJobNow = ({ jobId, urls, sparing }: RefreshJobRequest): Promise<void> =>
  refreshJob(jobId, urls, { ...prefetchDeps({ sparing }), caches, refetch: catalogue.refetch })

self.addEventListener('message', (event) => {
  const message: PageToWorkerMessage = event.data // only our own pages can post here
  // The new version activates when the customer agrees, never by itself.
  if (message.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  if (message.type === 'warm')
    event.waitUntil(prefetch(message.urls, { ...prefetchDeps(message), catalogue: catalogue.answer }))
  if (message.type === 'renew') event.waitUntil(refreshJobNow(message))
  if (message.type === 'photos') event.waitUntil(checkImages(message.state))
  if (message.type === 'claim') event.waitUntil(self.clients.claim())
})

// The platform found a network: send the outbox, also without an open page.
self.addEventListener('sync', (event) => {
  if (isSync(event) && event.tag === syncTag) event.waitUntil(backgroundSender.onSync())
})

type SyncEvent = ExtendableEvent & { readonly tag: string }
const isSync = (event: Event): event is SyncEvent => 'tag' in event && 'waitUntil' in event
