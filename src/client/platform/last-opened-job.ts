import { useLiveQuery } from 'dexie-react-hooks'
import { database } from './database.ts'
import { type CustomerRoute, urls } from './urls.ts'

const jobInPath = (path: string) => {
  const [, studioSlug, jobId] = /^\/([^/?]+)\/(\d+)(?:[/?]|$)/.exec(path) ?? []
  return studioSlug && jobId ? { studioSlug: decodeURIComponent(studioSlug), jobId: Number(jobId) } : null
}

/** The job that was opened last on this device; null if none. */
export const lastOpenedJob = async (): Promise<CustomerRoute | null> => {
  const entry = await database.device.get('visit')
  const stored = entry?.key === 'visit' ? entry.value : null
  return stored && stored.jobId !== null ? { studioSlug: stored.studioSlug, jobId: stored.jobId } : null
}

/** The URL of the current cart: of the job in the path, else of the last opened job. */
export const useCartUrl = (path: string): string | null => {
  const route = useLiveQuery(lastOpenedJob, []) ?? null
  const job = jobInPath(path) ?? route
  return job && urls.cart(job)
}
