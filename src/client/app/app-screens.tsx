import { lazy } from 'react'
import { Redirect } from 'wouter'
import { Arrived } from '#ui/page/route-announcer.tsx'
import { restRoutes } from './app-routes.tsx'
import { withEventInPath } from './job-in-path.ts'
import { matchAddress } from './match-route.ts'
import { NotFoundScreen } from './not-found-screen.tsx'
import { Framed, preloadFramed } from './with-layout.tsx'

const loadStaff = () => import('./staff/staff-app.tsx')

const StaffRest = lazy(async () => ({ default: (await loadStaff()).StaffRest }))

// No parent comes here, so what is behind these is none of a parent's bytes.
const isStaffs = (address: string): boolean =>
  /^\/(?:admin|account|login|logout|setup|forgot-password|reset-password)(?:[/?]|$)/i.test(address)

/** Every screen that is no landing page, and the one that says there is none. */
export const Rest = ({ address }: { address: string }) => {
  if (isStaffs(address)) return <StaffRest address={address} />
  const inPath = withEventInPath(address)
  if (inPath) return <Redirect to={inPath} replace />
  const matched = matchAddress(restRoutes, address)
  return (
    <>
      {matched ? <Framed {...matched} /> : <NotFoundScreen />}
      <Arrived address={address} title={matched ? matched.route.title : 'Not found'} />
    </>
  )
}

/** Fetches the code of the screen an address leads to. */
export const preloadRest = async (address: string): Promise<void> => {
  if (isStaffs(address)) return (await loadStaff()).preloadStaff(address)
  const matched = matchAddress(restRoutes, withEventInPath(address) ?? address)
  if (matched) await preloadFramed(matched)
}
