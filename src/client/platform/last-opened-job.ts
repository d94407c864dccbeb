import { useLiveQuery } from 'dexie-react-hooks'
import { database } from './database.ts'
import { type CustomerRoute, urls } from './urls.ts'

const eventIn = (path: string) => {
  const [, studioSlug, jobId] = /^\/([^/?]+)\/(\d+)(?:[/?]|$)/.exec(path) ?? []
  return studioSlug && jobId ? { studioSlug: decodeURIComponent(studioSlug), jobId: Number(jobId) } : null
}

/** The job this device opened last; null if none. */
export const lastOpenedJob = async (): Promise<CustomerRoute | null> => {
  const fact = await database.device.get('visit')
  const visit = fact?.key === 'visit' ? fact.value : null
  return visit && visit.jobId !== null ? { studioSlug: visit.studioSlug, jobId: visit.jobId } : null
}

/** The URL of the current cart: of the job in the path, else of the last opened job. */
export const useCartUrl = (path: string): string | null => {
  const visit = useLiveQuery(lastOpenedJob, []) ?? null
  const event = eventIn(path) ?? visit
  return event && urls.cart(event)
}
