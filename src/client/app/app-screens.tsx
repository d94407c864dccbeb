import { lazy } from 'react'
import { Redirect } from 'wouter'
import { RouteAnnouncer } from '#ui/page/route-announcer.tsx'
import { appRoutes } from './app-routes.tsx'
import { withJobInPath } from './job-in-path.ts'
import { matchRoute } from './match-route.ts'
import { NotFoundScreen } from './not-found-screen.tsx'
import { preloadWithLayout, WithLayout } from './with-layout.tsx'

const loadStaff = () => import('./staff/staff-app.tsx')

const StaffRest = lazy(async () => ({ default: (await loadStaff()).StaffApp }))

// Customers never open these, so their code is not in the customer bundle.
const isStaffs = (address: string): boolean =>
  /^\/(?:admin|account|login|logout|setup|forgot-password|reset-password)(?:[/?]|$)/i.test(address)

/** Renders every screen except the landing pages, and the not-found screen. */
export const AppScreens = ({ address }: { address: string }) => {
  if (isStaffs(address)) return <StaffRest address={address} />
  const inPath = withJobInPath(address)
  if (inPath) return <Redirect to={inPath} replace />
  const matched = matchRoute(appRoutes, address)
  return (
    <>
      {matched ? <WithLayout {...matched} /> : <NotFoundScreen />}
      <RouteAnnouncer address={address} title={matched ? matched.route.title : 'Not found'} />
    </>
  )
}

/** Loads the code of the screen at a URL. */
export const preloadAppScreen = async (address: string): Promise<void> => {
  if (isStaffs(address)) return (await loadStaff()).preloadStaff(address)
  const matched = matchRoute(appRoutes, withJobInPath(address) ?? address)
  if (matched) await preloadWithLayout(matched)
}
