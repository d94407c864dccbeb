import { type ReactNode, useContext, useEffect } from 'react'
import { Redirect } from 'wouter'
import { StudioContext, type StudioSummary } from '#client/staff/kit/routing/staff-context.ts'
import type { StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { useIsAdministrator } from '#client/staff/kit/session/current-session.ts'
import { studioNotLoaded } from '#local/transport/failure-cause.ts'
import type { RouteInput } from '#platform/urls.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { RedirectWithToast } from './staff-guard.tsx'

/** Shown when a studio lacks a feature (sections 2 and 8). */
export const accessDeniedMessage = 'Access to Route Denied'
/** Shown when the partner has not verified the studio (sections 2 and 8). */
export const verificationRequiredMessage = 'This studio needs to be verified by the partner to access this feature'
/** Dispatched on the window when a route is denied because the studio is unverified. `detail` holds the studio's id. */
export const verificationRequiredEvent = 'studio:verification-required'

const VerificationRedirect = ({ studioId }: { studioId: number }) => {
  useEffect(() => {
    window.dispatchEvent(new CustomEvent(verificationRequiredEvent, { detail: { studioId } }))
  }, [studioId])
  return <RedirectWithToast to={staffUrls.studio(studioId, 'profile')} message={verificationRequiredMessage} />
}

/** Whether the studio waits for its verification. Until then only exempt routes are open (section 2). */
export const isVerificationPending = ({ features, isMillersVerified }: StudioSummary): boolean =>
  features.has('studioVerification') && !isMillersVerified

type GuardInput = {
  route: StaffRoute
  input: RouteInput
  studio: StudioSummary
  /** The job of the screen, if it has one. */
  job?: JobParams | undefined
}

/** Redirect of the first studio guard that denies the route (section 2); null if all pass. */
export const guardRedirect = ({ route, input, studio, job }: GuardInput): ReactNode => {
  const { feature, isForVerified = false, isExempt = false } = route
  // Both guards redirect to the profile. The check of `isForVerified` comes first because it shows a message.
  if (isForVerified && !studio.isMillersVerified) return <VerificationRedirect studioId={studio.id} />
  if (isVerificationPending(studio) && !isExempt)
    return <Redirect to={staffUrls.studio(studio.id, 'profile')} replace />
  // A job below an organization needs the same feature as the organization's job list (section 2).
  const { organizationId } = job ?? {}
  if (organizationId !== undefined && !studio.features.has('rspoJob'))
    return (
      <RedirectWithToast
        to={staffUrls.studio(studio.id, `organizations/${organizationId}/overview`)}
        message={accessDeniedMessage}
      />
    )
  if (feature && !studio.features.has(feature.name)) {
    const { redirectTo } = feature
    const tail = typeof redirectTo === 'string' ? redirectTo : redirectTo(input)
    return (
      <RedirectWithToast
        to={job ? staffUrls.job(job, tail) : staffUrls.studio(studio.id, tail)}
        message={accessDeniedMessage}
      />
    )
  }
  return null
}

type OwnersGuardProps = { route: StaffRoute; studioId: number; children: ReactNode }

/**
 * Closes the screens for owners to administrators of the platform, even where an owner allows them changes. Otherwise they would see actions
 * that the server refuses.
 */
export const OwnersGuard = ({ route, studioId, children }: OwnersGuardProps) => {
  const isAdministrator = useIsAdministrator()
  if (!(route.isForOwners && isAdministrator)) return children
  return (
    <StaffScreen
      title={route.title ?? ''}
      trail={[{ label: 'Settings', href: staffUrls.studio(studioId, 'settings') }]}
    >
      <EmptyState title="For the owners only">
        <p>
          What is changed here stays in effect after your access has ended, so administrators cannot open this page.
        </p>
      </EmptyState>
    </StaffScreen>
  )
}

/** Opens a studio to its own staff only if it is enabled (section 5). Administrators always have access. */
export const StudioEnabledGuard = ({ enabled, children }: { enabled: boolean; children: ReactNode }) => {
  const isAdministrator = useIsAdministrator()
  const studio = useContext(StudioContext)
  if (enabled || isAdministrator) return children
  return (
    <EmptyState level={1} title={studioNotLoaded}>
      <p>{studio?.name} is not open for ordering at the moment. Ask the platform’s administrators.</p>
    </EmptyState>
  )
}
