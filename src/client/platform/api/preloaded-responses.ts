import { catalogueCache } from '#local/store/cache-names.ts'
import { studioUrl } from './preload-studio.ts'

/** Cached responses of a job by URL, read once while the job's screens are loading. */
const texts = new Map<string, string>()
let reading: Promise<void> | undefined

type PreloadedRoute = { studioSlug: string; jobId: number; subjectId?: number | undefined }

/** Responses of another job, another subject or a search are not needed by the first screen. */
const isShown = (path: string, { studioSlug, jobId, subjectId }: PreloadedRoute): boolean => {
  if (path === studioUrl(studioSlug)) return true
  const [, ofEvent] = new RegExp(`/jobs/${jobId}(/[^?]*|$)`).exec(path.replace(/\?.*/, '')) ?? []
  if (ofEvent === undefined) return false
  const [, person] = /\/subjects(?:\/(\d+))?/.exec(ofEvent) ?? [null, null]
  return !ofEvent.startsWith('/subjects') || (person !== undefined && Number(person) === subjectId)
}

const pathOf = ({ url }: Request): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const read = async (place: PreloadedRoute): Promise<void> => {
  if (!('caches' in globalThis) || !(await caches.has(catalogueCache))) return
  const cache = await caches.open(catalogueCache)
  const requests = (await cache.keys()).filter((request) => isShown(pathOf(request), place))
  await Promise.all(
    requests.map(async (request) => {
      const cached = await cache.match(request, { ignoreVary: true })
      if (cached) texts.set(pathOf(request), await cached.text())
    }),
  )
}

/**
 * Reads the cached responses of a job while the code of its screens loads, so that they need not ask the worker for
 * each one. Unreadable responses are requested as usual.
 */
export const preloadResponses = (place: PreloadedRoute): Promise<void> => {
  reading ??= read(place).catch(console.warn)
  return reading
}

/** Resolves when the current read is complete. */
export const responsesPreloaded = (): Promise<void> => reading ?? Promise.resolve()

/** A preloaded response, once: later ones are newer. */
export const takePreloadedResponse = (address: string): string | undefined => {
  const text = texts.get(address)
  texts.delete(address)
  return text
}

export const clearPreloadedResponses = (): void => texts.clear()
