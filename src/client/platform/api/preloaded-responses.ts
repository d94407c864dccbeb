import { catalogueCache } from '#local/store/cache-names.ts'
import { studioUrl } from './preload-studio.ts'

/** What the device keeps of an event, by address, as it was answered: read once, as the event's screens are still on their way. */
const texts = new Map<string, string>()
let reading: Promise<void> | undefined

type Place = { studioSlug: string; jobId: number; subjectId?: number | undefined }

/** Answers of another event, of another person, or of a search are not what the first screen shows. */
const isShown = (path: string, { studioSlug, jobId, subjectId }: Place): boolean => {
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

const read = async (place: Place): Promise<void> => {
  if (!('caches' in globalThis) || !(await caches.has(catalogueCache))) return
  const cache = await caches.open(catalogueCache)
  const wanted = (await cache.keys()).filter((request) => isShown(pathOf(request), place))
  await Promise.all(
    wanted.map(async (request) => {
      const kept = await cache.match(request, { ignoreVary: true })
      if (kept) texts.set(pathOf(request), await kept.text())
    }),
  )
}

/**
 * Reads what is kept of an event beside the code of its screens: they begin with all of it, instead of asking the worker for one answer
 * after the other. What cannot be read is asked for as ever.
 */
export const preloadResponses = (place: Place): Promise<void> => {
  reading ??= read(place).catch(console.warn)
  return reading
}

/** Until what was begun to be read is here. */
export const responsesPreloaded = (): Promise<void> => reading ?? Promise.resolve()

/** What was read of an address; once, since from then on there are newer answers. */
export const takePreloadedResponse = (address: string): string | undefined => {
  const text = texts.get(address)
  texts.delete(address)
  return text
}

export const clearPreloadedResponses = (): void => texts.clear()
