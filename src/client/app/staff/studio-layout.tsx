import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'
import { Redirect } from 'wouter'
import { notReachedTitle } from '#client/staff/kit/query/connection-error.ts'
import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { type Reading, useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { JobContext, type JobFacts, StudioContext, type StudioFacts } from '#client/staff/kit/routing/staff-context.ts'
import type { StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import type { Claims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { getStaffJob, type StaffJob } from '#contract/studio/jobs.ts'
import { getStudio, listFeatures } from '#contract/studio/studio.ts'
import { pageIn } from '#domain/shared/paging.ts'
import { studioNotLoaded } from '#platform/studio-load-error.ts'
import type { Found } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useStateTitle } from '#ui/page/state-title.ts'
import { matchAddress } from '../match-route.ts'
import { jobSections, type Section, studioSections } from './navigation-items.ts'
import { mayEnter } from './staff-guard.tsx'
import { type Place, StaffLayout } from './staff-layout.tsx'
import { NothingInStudio } from './staff-not-found-screen.tsx'
import { StudioLoaded, turnedAway, waitsForVerification } from './studio-guards.tsx'

/** Where a screen stands: in a studio, and perhaps in one of its jobs. */
export type StudioPlace = { studioId: number; job?: JobPlace | undefined }

type StudioFrameProps = {
  routes: readonly StaffRoute[]
  route: StaffRoute
  found: Found
  address: string
  place: StudioPlace
  children: ReactNode
}

const useStudioFacts = (studioId: number) => {
  const details = useAnswer(getStudio, { params: { studioId }, storeFor: studioId })
  const features = useAnswer(listFeatures, { params: { studioId }, storeFor: studioId })
  const { data: studio } = details
  const { data: given } = features
  const facts = useMemo<StudioFacts | undefined>(() => {
    if (!studio || !given) return undefined
    const { id, name, slug, timeZone, isMillersVerified } = studio
    const identifiers = pageIn(given).resultItems.map(({ identifier }) => identifier)
    return { id, name, slug, timeZone, isMillersVerified, features: new Set(identifiers) }
  }, [studio, given])
  return { facts, enabled: studio?.rspoEnabled ?? true, failing: details.failed ? details : features }
}

const factsOf = (
  { id, name, organizationId, organizationName, publishedAt, archivedAt }: StaffJob,
  place: JobPlace,
): JobFacts => ({
  id,
  place,
  name,
  organizationId,
  organizationName,
  isPublished: publishedAt !== null,
  isArchived: archivedAt !== null,
})

const useJobFacts = (job: JobPlace | undefined) => {
  const { studioId = 0, jobId = 0, organizationId } = job ?? {}
  const reading = useAnswer(getStaffJob, { params: { studioId, jobId }, when: job !== undefined, storeFor: studioId })
  const { data } = reading
  const facts = useMemo(
    () => data && factsOf(data, { studioId, jobId, ...(organizationId !== undefined && { organizationId }) }),
    [data, studioId, jobId, organizationId],
  )
  // The job check: that studio's, and that organization's where the address names one.
  const isElsewhere = facts !== undefined && organizationId !== undefined && facts.organizationId !== organizationId
  const hasMoved = useWasSo(jobId, facts !== undefined && !isElsewhere) && isElsewhere
  return { reading, facts, hasMoved, isMissing: isElsewhere || reading.failed?.status === 404 }
}

/** Whether something was so at some time while the screens of this job were open. */
const useWasSo = (jobId: number, isSo: boolean): boolean => {
  const [soFor, setSoFor] = useState<number | null>(null)
  if (isSo && soFor !== jobId) setSoFor(jobId)
  return soFor === jobId
}

/** The same screen of a job that was given to another organization meanwhile. */
const movedAddress = (address: string, { place, organizationId }: JobFacts): string => {
  const before = staffUrls.job(place)
  return staffUrls.job({ ...place, organizationId: organizationId ?? undefined }) + address.slice(before.length)
}

/** What was said by the server about the studio, or that the server was not reached: the studio itself is then as it was. */
const Failed = ({ reading }: { reading: Reading<unknown> }) => {
  const notReached = reading.failed && notReachedTitle(reading.failed)
  const title = notReached ?? studioNotLoaded
  useStateTitle(title)
  return (
    <EmptyState
      level={1}
      title={title}
      action={
        <Button variant="secondary" loading={reading.isAsking} onClick={reading.again}>
          Try again
        </Button>
      }
    >
      <p>
        {notReached
          ? 'This page needs the network, and opens by itself once it is back. What you typed is kept.'
          : reading.failed?.errors.join(' ')}
      </p>
    </EmptyState>
  )
}

type Seen = {
  routes: readonly StaffRoute[]
  address: string
  studio: StudioFacts | undefined
  claims: Claims | null
  to: (tail: string) => string
}

/** Screens that are there, that the studio has, and that whoever looks may enter. */
const placesOf = (sections: readonly Section[], { routes, address, studio, claims, to }: Seen): Place[] => {
  const [path = ''] = address.split('?', 1)
  const isAt = (tail: string): boolean => path === to(tail) || (tail !== '' && path.startsWith(`${to(tail)}/`))
  const deepest = sections
    .filter(({ tail, also = [] }) => [tail, ...also].some(isAt))
    .toSorted((one, other) => other.tail.length - one.tail.length)[0]
  const isOpen = (tail: string): boolean => {
    const route = matchAddress(routes, to(tail))?.route
    if (!route || !claims || !mayEnter(claims, route)) return false
    return route.isExempt === true || !studio || !waitsForVerification(studio)
  }
  return sections
    .filter(({ tail, feature }) => isOpen(tail) && (!feature || studio?.features.has(feature)))
    .map((section) => ({
      label: section.label,
      href: to(section.tail),
      icon: section.icon,
      current: section === (deepest ?? sections[0]),
    }))
}

/**
 * What stands around a studio's screens: its facts and its job's, the guards that go by them, the rail. The studio is read again when its
 * id changes.
 */
export const StudioFrame = ({ routes, route, found, address, place, children }: StudioFrameProps) => {
  const { studioId, job } = place
  const { facts: studio, enabled, failing } = useStudioFacts(studioId)
  const { reading, facts, hasMoved, isMissing } = useJobFacts(job)
  const toStudio = (tail: string) => staffUrls.studio(studioId, tail)
  const toJob = (tail: string) => (job ? staffUrls.job(job, tail) : toStudio(tail))
  const claims = useAtomValue(claimsAtom)
  const seen = { routes, address, studio, claims }
  const within = job && { label: facts?.name ?? 'Job', places: placesOf(jobSections, { ...seen, to: toJob }) }
  const isFirst = studioSections.some(({ tail }) => address.split('?', 1)[0] === toStudio(tail))
  const jobsIn = job?.organizationId === undefined ? 'jobs' : 'organizations'
  const places = placesOf(studioSections, {
    ...seen,
    address: job && !isFirst ? toStudio(jobsIn) : address,
    to: toStudio,
  })

  const screen = (): ReactNode => {
    if (!studio) return failing.failed ? <Failed reading={failing} /> : <Loader />
    if (facts && hasMoved) return <Redirect to={movedAddress(address, facts)} replace />
    if (isMissing) return <NothingInStudio />
    const away = turnedAway({ route, found, studio, job })
    if (away) return away
    if (!job) return children
    return <Answered reading={reading}>{() => children}</Answered>
  }
  return (
    <StudioContext value={studio ?? null}>
      <JobContext value={(job && facts) ?? null}>
        <StaffLayout name={studio?.name ?? ''} home={toStudio('')} places={places} {...(within && { within })}>
          <StudioLoaded enabled={enabled}>{screen()}</StudioLoaded>
        </StaffLayout>
      </JobContext>
    </StudioContext>
  )
}
