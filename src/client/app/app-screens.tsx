import { lazy } from 'react'
import { Redirect } from 'wouter'
import { RouteAnnouncer } from '#ui/page/route-announcer.tsx'
import { appRoutes } from './app-routes.tsx'
import { matchRoute } from './match-route.ts'
import { NotFoundScreen, preloadWithLayout, WithLayout } from './with-layout.tsx'

const loadStaff = () => import('./staff/staff-app.tsx')

const StaffScreens = lazy(async () => ({ default: (await loadStaff()).StaffApp }))

// Customers never open these, so their code is not in the customer bundle.
const isStaffUrl = (address: string): boolean =>
  /^\/(?:admin|account|login|logout|setup|forgot-password|reset-password)(?:[/?]|$)/i.test(address)

/** Moves the job id from the query into the path (section 5); null for any other URL. */
export const withJobInPath = (address: string): string | null => {
  const [path = '', search = ''] = address.split('?', 2)
  const query = new URLSearchParams(search)
  const [, studioSlug, firstSegment, ...others] = path.split('/')
  const jobId = query.get('jobId')
  if (!jobId || !firstSegment || /^\d+$/.test(firstSegment) || !/^\d+$/.test(jobId)) return null
  query.delete('jobId')
  const newAddress = `/${[studioSlug, jobId, firstSegment, ...others].join('/')}${query.size > 0 ? `?${query}` : ''}`
  return matchRoute(appRoutes, newAddress) ? newAddress : null
}

/** Renders any screen that is not a landing page, or the not-found screen if no route matches. */
export const AppScreens = ({ address }: { address: string }) => {
  if (isStaffUrl(address)) return <StaffScreens address={address} />
  const addressWithJobInPath = withJobInPath(address)
  if (addressWithJobInPath) return <Redirect to={addressWithJobInPath} replace />
  const match = matchRoute(appRoutes, address)
  return (
    <>
      {match ? <WithLayout {...match} /> : <NotFoundScreen />}
      <RouteAnnouncer address={address} title={match ? match.route.title : 'Not found'} />
    </>
  )
}

/** Loads the code of the screen at a URL. */
export const preloadAppScreen = async (address: string): Promise<void> => {
  if (isStaffUrl(address)) return (await loadStaff()).preloadStaff(address)
  const match = matchRoute(appRoutes, withJobInPath(address) ?? address)
  if (match) await preloadWithLayout(match)
}
