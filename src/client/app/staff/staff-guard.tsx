import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { Redirect } from 'wouter'
import { staffFallbackUrl, staffHomeUrl } from '#client/staff/kit/routing/staff-home-url.ts'
import type { Area, RouteRequirements, StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import type { Claims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom, session } from '#client/staff/kit/session/current-session.ts'
import type { Permission } from '#contract/shapes/call.ts'
import { urls } from '#platform/urls.ts'
import { toast } from '#ui/toast/toast.ts'
import { NoAccessScreen } from './no-access-screen.tsx'
import { ResumeSession } from './resume-session.tsx'

/** What an area asks of whoever enters, where its screen asks for nothing else (section 6). */
const areaPermissions: Record<Area, readonly Permission[]> = {
  open: [],
  account: [],
  system: ['studio.admin.crud'],
  studio: ['studio.crud', 'studio.admin.crud'],
  job: ['studio.crud', 'studio.admin.crud'],
}

/** Somebody with any of the permissions is let through (section 6); where none is asked for, everybody is. */
export const canAccessRoute = (
  { permissions }: Claims,
  { area, needs = areaPermissions[area] }: RouteRequirements,
): boolean => needs.length === 0 || needs.some((need) => permissions.includes(need))

const canAccessStudio = ({ studioId, permissions }: Claims, asked: number): boolean =>
  studioId === asked || permissions.includes('studio.admin.crud')

/** Says something that passes, once, and goes elsewhere. */
export const RedirectWithToast = ({ to, word }: { to: string; word?: string }) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, as the person is turned away
  useEffect(() => {
    if (word) toast(word, 'error')
  }, [])
  return <Redirect to={to} replace />
}

// A session that ended by itself has taken the way to the login already, with its reason; what is shown follows a moment later.
const isHere = (address: string): boolean => window.location.pathname + window.location.search === address

type StaffGuardProps = { route: StaffRoute; address: string; studioId: number | undefined; children: ReactNode }

/**
 * The permission guard (section 2): nobody signed in goes to the login and comes back here; whoever holds none of what is asked for, or
 * works for another studio, goes to their own studio's start; who is there already and may not even see that goes where they may, or is
 * told that there is nothing. A courtesy: the server decides on each call.
 */
export const StaffGuard = ({ route, address, studioId, children }: StaffGuardProps) => {
  const claims = useAtomValue(claimsAtom)
  if (route.area === 'open') return children
  if (!claims && session.refreshToken()) return <ResumeSession />
  if (!claims) return isHere(address) ? <Redirect to={urls.login({ ret: address })} replace /> : null
  const start = staffHomeUrl(claims)
  if (!canAccessRoute(claims, route)) {
    if (address.split('?', 1)[0] !== start) return <Redirect to={start} replace />
    const beside = staffFallbackUrl(claims)
    return beside ? <Redirect to={beside} replace /> : <NoAccessScreen />
  }
  if (studioId !== undefined && !canAccessStudio(claims, studioId)) return <Redirect to={start} replace />
  return children
}
