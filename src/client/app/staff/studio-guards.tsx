import { useAtomValue } from 'jotai'
import { type ReactNode, useContext, useEffect } from 'react'
import { Redirect } from 'wouter'
import { StudioContext, type StudioSummary } from '#client/staff/kit/routing/staff-context.ts'
import type { StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { studioNotLoaded } from '#platform/studio-load-error.ts'
import type { RouteInput } from '#platform/urls.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { RedirectWithToast } from './staff-guard.tsx'

/** What is said where a studio lacks a feature (sections 2 and 8). */
export const accessDeniedMessage = 'Access to Route Denied'
/** What is said where the partner has not verified the studio (sections 2 and 8). */
export const verificationRequiredMessage = 'This studio needs to be verified by the partner to access this feature'
/** Told to the window as somebody is turned away for it; `detail` is the studio's id. */
export const verificationRequiredEvent = 'studio:verification-required'

const VerificationRedirect = ({ studioId }: { studioId: number }) => {
  useEffect(() => {
    window.dispatchEvent(new CustomEvent(verificationRequiredEvent, { detail: { studioId } }))
  }, [studioId])
  return <RedirectWithToast to={staffUrls.studio(studioId, 'profile')} word={verificationRequiredMessage} />
}

/** Whether a studio waits to be verified: until then only what is exempt is open to it (section 2). */
export const isVerificationPending = ({ features, isMillersVerified }: StudioSummary): boolean =>
  features.has('studioVerification') && !isMillersVerified

type GuardInput = {
  route: StaffRoute
  found: RouteInput
  studio: StudioSummary
  /** The job the screen is of, where it is one's. */
  job?: JobParams | undefined
}

/** Which of the studio's guards turns a screen away (section 2); null where none does. */
export const guardRedirect = ({ route, found, studio, job }: GuardInput): ReactNode => {
  const { feature, isForVerified = false, isExempt = false } = route
  // Both lead to the same place; what only verified studios may is said, whoever waits for it.
  if (isForVerified && !studio.isMillersVerified) return <VerificationRedirect studioId={studio.id} />
  if (isVerificationPending(studio) && !isExempt)
    return <Redirect to={staffUrls.studio(studio.id, 'profile')} replace />
  // A job reached by way of its organization stands under that one's jobs, and behind the same feature (section 2).
  const { organizationId } = job ?? {}
  if (organizationId !== undefined && !studio.features.has('rspoJob'))
    return (
      <RedirectWithToast
        to={staffUrls.studio(studio.id, `organizations/${organizationId}/overview`)}
        word={accessDeniedMessage}
      />
    )
  if (feature && !studio.features.has(feature.name)) {
    const { instead } = feature
    const tail = typeof instead === 'string' ? instead : instead(found)
    return (
      <RedirectWithToast
        to={job ? staffUrls.job(job, tail) : staffUrls.studio(studio.id, tail)}
        word={accessDeniedMessage}
      />
    )
  }
  return null
}

/** Lets a studio's own people in only where it is enabled; administrators still reach it (decisions of section 5). */
export const StudioEnabledGuard = ({ enabled, children }: { enabled: boolean; children: ReactNode }) => {
  const claims = useAtomValue(claimsAtom)
  const studio = useContext(StudioContext)
  if (enabled || claims?.permissions.includes('studio.admin.crud')) return children
  return (
    <EmptyState level={1} title={studioNotLoaded}>
      <p>{studio?.name} is not open for ordering at the moment. The people who run this platform can tell you more.</p>
    </EmptyState>
  )
}
