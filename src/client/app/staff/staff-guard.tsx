import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { Redirect } from 'wouter'
import { staffFallbackUrl, staffHomeUrl } from '#client/staff/kit/routing/staff-home-url.ts'
import type { Area, RouteRequirements, StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import type { Claims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom, session } from '#client/staff/kit/session/current-session.ts'
import type { Permission } from '#contract/shapes/call.ts'
import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './no-access-screen.module.css'
import { ResumeSession } from './resume-session.tsx'

/** Shown to users who may not see even their own studio's home screen. A redirect there would loop. */
const NoAccessScreen = () => (
  <PlainPage title="You don’t have access to this page">
    <p>Ask a studio owner for the permission you need.</p>
    <div className={styles.actions}>
      <ButtonLink href={urls.account()}>Your account</ButtonLink>
      <ButtonLink variant="secondary" href={urls.logout()}>
        Sign out
      </ButtonLink>
    </div>
  </PlainPage>
)

/** Permissions an area requires if the route names none (section 6). Any one of them is enough. */
const areaPermissions: Record<Area, readonly Permission[]> = {
  open: [],
  account: [],
  system: ['studio.admin.crud'],
  studio: ['studio.crud', 'studio.admin.crud'],
  job: ['studio.crud', 'studio.admin.crud'],
}

/** Whether the user has at least one of the required permissions (section 6). No required permission means that everyone has access. */
export const canAccessRoute = (
  { permissions }: Claims,
  { area, needs = areaPermissions[area] }: RouteRequirements,
): boolean => needs.length === 0 || needs.some((permission) => permissions.includes(permission))

const canAccessStudio = ({ studioId, permissions }: Claims, requestedId: number): boolean =>
  studioId === requestedId || permissions.includes('studio.admin.crud')

/** Shows a toast once and redirects. */
export const RedirectWithToast = ({ to, message }: { to: string; message?: string }) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the toast is shown once, when the redirect mounts
  useEffect(() => {
    if (message) toast(message, 'error')
  }, [])
  return <Redirect to={to} replace />
}

// When a session expires, the address already is the login with its reason. This component renders once more before it unmounts.
const isCurrentAddress = (address: string): boolean => window.location.pathname + window.location.search === address

type StaffGuardProps = { route: StaffRoute; address: string; studioId: number | undefined; children: ReactNode }

/**
 * The permission guard (section 2). A signed-out user is redirected to the login and returns here afterwards. A user without the required
 * permission, or of another studio, is redirected to their studio's home. If that is where they are, they get the fallback screen or the
 * no-access screen. The guard is a convenience: the server checks every call.
 */
export const StaffGuard = ({ route, address, studioId, children }: StaffGuardProps) => {
  const claims = useAtomValue(claimsAtom)
  if (route.area === 'open') return children
  if (!claims && session.refreshToken()) return <ResumeSession />
  if (!claims) return isCurrentAddress(address) ? <Redirect to={urls.login({ ret: address })} replace /> : null
  const homeUrl = staffHomeUrl(claims)
  if (!canAccessRoute(claims, route)) {
    if (address.split('?', 1)[0] !== homeUrl) return <Redirect to={homeUrl} replace />
    const fallback = staffFallbackUrl(claims)
    return fallback ? <Redirect to={fallback} replace /> : <NoAccessScreen />
  }
  if (studioId !== undefined && !canAccessStudio(claims, studioId)) return <Redirect to={homeUrl} replace />
  return children
}
