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

// No parent comes here, so what is behind these is none of a parent's bytes.
const isStaffs = (address: string): boolean =>
  /^\/(?:admin|account|login|logout|setup|forgot-password|reset-password)(?:[/?]|$)/i.test(address)

/** Every screen that is no landing page, and the one that says there is none. */
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

/** Fetches the code of the screen an address leads to. */
export const preloadAppScreen = async (address: string): Promise<void> => {
  if (isStaffs(address)) return (await loadStaff()).preloadStaff(address)
  const matched = matchRoute(appRoutes, withJobInPath(address) ?? address)
  if (matched) await preloadWithLayout(matched)
}
