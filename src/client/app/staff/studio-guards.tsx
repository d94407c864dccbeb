import { useAtomValue } from 'jotai'
import { type ReactNode, useContext, useEffect } from 'react'
import { Redirect } from 'wouter'
import { StudioContext, type StudioFacts } from '#client/staff/kit/routing/staff-context.ts'
import type { StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { studioNotLoaded } from '#platform/studio-load-error.ts'
import type { Found } from '#platform/urls.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { TurnAway } from './staff-guard.tsx'

/** What is said where a studio lacks a feature (sections 2 and 8). */
export const accessDenied = 'Access to Route Denied'
/** What is said where the partner has not verified the studio (sections 2 and 8). */
export const verificationNeeded = 'This studio needs to be verified by the partner to access this feature'
/** Told to the window as somebody is turned away for it; `detail` is the studio's id. */
export const verificationRequired = 'studio:verification-required'

const TellVerification = ({ studioId }: { studioId: number }) => {
  useEffect(() => {
    window.dispatchEvent(new CustomEvent(verificationRequired, { detail: { studioId } }))
  }, [studioId])
  return <TurnAway to={staffUrls.studio(studioId, 'profile')} word={verificationNeeded} />
}

/** Whether a studio waits to be verified: until then only what is exempt is open to it (section 2). */
export const waitsForVerification = ({ features, isMillersVerified }: StudioFacts): boolean =>
  features.has('studioVerification') && !isMillersVerified

type Guarding = {
  route: StaffRoute
  found: Found
  studio: StudioFacts
  /** The job the screen is of, where it is one's. */
  job?: JobPlace | undefined
}

/** Which of the studio's guards turns a screen away (section 2); null where none does. */
export const turnedAway = ({ route, found, studio, job }: Guarding): ReactNode => {
  const { feature, isForVerified = false, isExempt = false } = route
  // Both lead to the same place; what only verified studios may is said, whoever waits for it.
  if (isForVerified && !studio.isMillersVerified) return <TellVerification studioId={studio.id} />
  if (waitsForVerification(studio) && !isExempt) return <Redirect to={staffUrls.studio(studio.id, 'profile')} replace />
  // A job reached by way of its organization stands under that one's jobs, and behind the same feature (section 2).
  const { organizationId } = job ?? {}
  if (organizationId !== undefined && !studio.features.has('rspoJob'))
    return <TurnAway to={staffUrls.studio(studio.id, `organizations/${organizationId}/overview`)} word={accessDenied} />
  if (feature && !studio.features.has(feature.name)) {
    const { instead } = feature
    const tail = typeof instead === 'string' ? instead : instead(found)
    return <TurnAway to={job ? staffUrls.job(job, tail) : staffUrls.studio(studio.id, tail)} word={accessDenied} />
  }
  return null
}

/** Lets a studio's own people in only where it is enabled; administrators still reach it (decisions of section 5). */
export const StudioLoaded = ({ enabled, children }: { enabled: boolean; children: ReactNode }) => {
  const claims = useAtomValue(claimsAtom)
  const studio = useContext(StudioContext)
  if (enabled || claims?.permissions.includes('studio.admin.crud')) return children
  return (
    <EmptyState level={1} title={studioNotLoaded}>
      <p>{studio?.name} is not open for ordering at the moment. The people who run this platform can tell you more.</p>
    </EmptyState>
  )
}
