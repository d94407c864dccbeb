import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { syncTag } from '#local/store/cache-names.ts'
import { createImageCheck } from '#local/store/check-cached-images.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { saveImagesVersion, onImagesVersionChange } from '#local/store/images-version.ts'
import { prefersReducedData } from '#local/transport/save-data.ts'
import { requestFromWorker } from '#local/transport/worker-http-client.ts'
import type { PageToWorkerMessage, RefreshJobRequest, WorkerToPageMessage } from '#local/transport/worker-messages.ts'
import { cachedAsset } from './asset-cache.ts'
import { createBackgroundSender } from './background-sender.ts'
import { type CacheableRequest, isAsset, isCatalogue, nonShellPaths, parseImageUrl } from './cache-rules.ts'
import { canRestoreAccess } from './can-restore-access.ts'
import { createCatalogueCache } from './catalogue-cache.ts'
import { createGrantTracker, readImageCacheRules } from './grant-tracker.ts'
import { createImageCache } from './image-cache.ts'
import { createLandingPageCache, mayBeLandingPage } from './landing-page-cache.ts'
import { deleteOutdatedCaches } from './outdated-caches.ts'
import { prefetch } from './prefetch.ts'
import { refreshJob } from './refresh-job.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: PrecacheEntry[] }

const db = openLocalDatabase()
const clock = () => Date.now()
const sending = createBackgroundSender(db, (jobId) => refreshJobNow({ jobId, urls: [], sparing: prefersReducedData() }))
const fetchAndWake = async (request: Request) => {
  const response = await fetch(request)
  saveImagesVersion(response.headers)
  void sending.onAnswer().catch(console.warn)
  return response
}

const notifyPages = async (url: string | null): Promise<void> => {
  const pages = await self.clients.matchAll({ type: 'window' })
  for (const page of pages) page.postMessage({ type: 'changed', url } satisfies WorkerToPageMessage)
}

const photos = createImageCache({ caches, fetch: fetchAndWake, clock, rules: () => readImageCacheRules(db, clock()) })
const grants = createGrantTracker({ db, clock, withdraw: photos.tidy, notifyAllPages: () => notifyPages(null) })
const catalogue = createCatalogueCache({
  ...{ caches, fetch: fetchAndWake, notifyPages, listen: grants.listen },
  canRestoreAccess: (jobId, reason) => canRestoreAccess(db, jobId, reason),
})

const checkPhotos = createImageCheck({
  ...{ db, ask: requestFromWorker, tellAll: () => notifyPages(null) },
  stored: async () => [...(await photos.paths()), ...(await catalogue.photosNamed())],
  remove: async (withdrawn) => {
    await photos.withdraw(withdrawn)
    await catalogue.withdraw(withdrawn)
  },
})
onImagesVersionChange((state) => void checkPhotos(state).catch(console.warn))

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
const renewLanding = (pathname: string) => landing.renew(pathname).catch(() => undefined)

// A landing page as the server last filled it in; every other address of the product is the same small page, there without a network.
const shell = createHandlerBoundToURL('/app.html')
const openPage = async (options: Parameters<typeof shell>[0]): Promise<Response> => {
  const { pathname } = options.url
  if (!mayBeLandingPage(pathname)) return await shell(options)
  options.event.waitUntil(renewLanding(pathname))
  return (await landing.kept(pathname)) ?? (await shell(options))
}
registerRoute(new NavigationRoute(openPage, { denylist: nonShellPaths }))

// Files of this build and of those before it.
registerRoute(
  (given) => given.sameOrigin && isAsset(toCacheableRequest(given)),
  ({ request }) => cachedAsset({ caches, fetch: fetchAndWake }, request),
)

// What the studio offers: shown at once, renewed behind the screen.
registerRoute(
  (given) => given.sameOrigin && isCatalogue(toCacheableRequest(given)),
  async ({ request, event }) => {
    const answering = catalogue.answer(request)
    event.waitUntil(
      answering.then(
        ({ afterwards }) => afterwards,
        () => undefined,
      ),
    )
    return (await answering).response
  },
)

// Photos of children: kept here and nowhere else.
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && parseImageUrl(url) !== null,
  async ({ request, url }) => {
    const photo = parseImageUrl(url)
    return photo ? await photos.answer(request, photo) : await fetch(request)
  },
)

// Once for each time this worker wakes: photos whose time is over go, though no server was met.
let tidied = false
self.addEventListener('fetch', (event) => {
  if (tidied || event.request.mode !== 'navigate') return
  tidied = true
  event.waitUntil(photos.tidy(new Set()))
})

// The page somebody came by was filled in by the server: opened again, it is to be there as soon.
const cacheOpenPages = async (): Promise<void> => {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const opened = new Set(pages.map(({ url }) => new URL(url).pathname).filter(mayBeLandingPage))
  await Promise.all([...opened].map(renewLanding))
}

self.addEventListener('activate', (event) => {
  // The page that installed us is ours at once, so that the first visit works without a network too.
  event.waitUntil(Promise.all([self.clients.claim(), deleteOutdatedCaches(caches)]))
  // Not waited for: until this event is over nothing else is answered.
  void cacheOpenPages()
})

const prefetchDeps = ({ sparing = false }: { sparing?: boolean }) => ({
  ...{ sparing, origin: self.location.origin, photo: photos.answer },
  asset: (request: Request) => cachedAsset({ caches, fetch: fetchAndWake }, request),
})

const refreshJobNow = ({ jobId, urls, sparing }: RefreshJobRequest): Promise<void> =>
  refreshJob(jobId, urls, { ...prefetchDeps({ sparing }), caches, askAfresh: catalogue.askAfresh })

self.addEventListener('message', (event) => {
  const message: PageToWorkerMessage = event.data // only our own pages can post here
  // The new version takes over when the customer agrees, never by itself.
  if (message.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  if (message.type === 'warm')
    event.waitUntil(prefetch(message.urls, { ...prefetchDeps(message), catalogue: catalogue.answer }))
  if (message.type === 'renew') event.waitUntil(refreshJobNow(message))
  if (message.type === 'photos') event.waitUntil(checkPhotos(message.state))
  if (message.type === 'claim') event.waitUntil(self.clients.claim())
})

// The platform found a network: what waits on the device is sent, with no page open too.
self.addEventListener('sync', (event) => {
  if (isSync(event) && event.tag === syncTag) event.waitUntil(sending.onSync())
})

type SyncEvent = ExtendableEvent & { readonly tag: string }
const isSync = (event: Event): event is SyncEvent => 'tag' in event && 'waitUntil' in event
