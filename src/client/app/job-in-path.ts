import { appRoutes } from './app-routes.tsx'
import { matchRoute } from './match-route.ts'

/** Moves the job id from the query into the path (section 5); null for any other URL. */
export const withJobInPath = (address: string): string | null => {
  const [path = '', search = ''] = address.split('?', 2)
  const query = new URLSearchParams(search)
  const [, studioSlug, first, ...others] = path.split('/')
  const jobId = query.get('jobId')
  if (!jobId || !first || /^\d+$/.test(first) || !/^\d+$/.test(jobId)) return null
  query.delete('jobId')
  const moved = `/${[studioSlug, jobId, first, ...others].join('/')}${query.size > 0 ? `?${query}` : ''}`
  return matchRoute(appRoutes, moved) ? moved : null
}
