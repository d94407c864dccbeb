import { catalogueCache } from '#local/store/cache-names.ts'
import { studioUrl } from './preload-studio.ts'

/** Cached responses of a job by URL, read once while the job's screens are loading. */
const texts = new Map<string, string>()
let reading: Promise<void> | undefined

type PreloadedRoute = { studioSlug: string; jobId: number; subjectId?: number | undefined }

/** Whether the first screen needs a response: not those of another job, another subject or a search. */
const isNeededByFirstScreen = (path: string, { studioSlug, jobId, subjectId }: PreloadedRoute): boolean => {
  if (path === studioUrl(studioSlug)) return true
  const [, jobPath] = new RegExp(`/jobs/${jobId}(/[^?]*|$)`).exec(path.replace(/\?.*/, '')) ?? []
  if (jobPath === undefined) return false
  const [, subjectInPath] = /\/subjects(?:\/(\d+))?/.exec(jobPath) ?? [null, null]
  return !jobPath.startsWith('/subjects') || (subjectInPath !== undefined && Number(subjectInPath) === subjectId)
}

const pathOf = ({ url }: Request): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const read = async (route: PreloadedRoute): Promise<void> => {
  if (!('caches' in globalThis) || !(await caches.has(catalogueCache))) return
  const cache = await caches.open(catalogueCache)
  const requests = (await cache.keys()).filter((request) => isNeededByFirstScreen(pathOf(request), route))
  await Promise.all(
    requests.map(async (request) => {
      const cached = await cache.match(request, { ignoreVary: true })
      if (cached) texts.set(pathOf(request), await cached.text())
    }),
  )
}

/**
 * Reads the cached responses of a job while the code of its screens loads, so that the screens need not request each
 * one from the worker. Unreadable responses are requested as usual.
 */
export const preloadResponses = (route: PreloadedRoute): Promise<void> => {
  reading ??= read(route).catch(console.warn)
  return reading
}

/** Resolves when the current read is complete. */
export const responsesPreloaded = (): Promise<void> => reading ?? Promise.resolve()

/** Returns a preloaded response and removes it, because later responses are newer. */
export const takePreloadedResponse = (address: string): string | undefined => {
  const text = texts.get(address)
  texts.delete(address)
  return text
}

export const clearPreloadedResponses = (): void => texts.clear()
