import type { Permission } from '#contract/shapes/call.ts'
import { type Route, route } from '#platform/define-route.tsx'
import { type Found, idFrom, optionalIdFrom } from '#platform/urls.ts'
import type { JobPlace } from './staff-urls.ts'

/**
 * Which part of the house a screen is in: before anybody signed in (`open`), the signed-in person's own (`account`), the platform's
 * (`system`), a studio's, or one of its jobs'.
 */
export type Area = 'open' | 'account' | 'system' | 'studio' | 'job'

/** What the guards of a screen go by (sections 2 and 6); the server decides again on each call. */
export type Guarded = {
  area: Area
  /** Any of these lets somebody in; without it the area's own. */
  needs?: readonly Permission[]
  /** What the studio must have, and the screen that is shown instead: a tail under the job or the studio. */
  feature?: { name: string; instead: string | ((found: Found) => string) }
  /** Only for studios that the partner verified. */
  isForVerified?: boolean
  /** Open to a studio that waits for its verification. */
  isExempt?: boolean
}

export type StaffRoute = Route & Guarded

/** A screen of staff's: an entry in its errand's own table, which the shell puts together. */
export const staffRoute = <Props extends object>({
  area,
  needs,
  feature,
  isForVerified,
  isExempt,
  ...screen
}: Parameters<typeof route<Props>>[0] & Guarded): StaffRoute => ({
  ...route(screen),
  area,
  ...(needs && { needs }),
  ...(feature && { feature }),
  ...(isForVerified && { isForVerified }),
  ...(isExempt && { isExempt }),
})

export const readNothing = (): Record<never, never> => ({})

/** A screen of a studio. */
export const readStudio = (found: Found): { studioId: number } => ({ studioId: idFrom(found, 'studioId') })

/** A screen of a job. */
export const readJob = (found: Found): JobPlace => ({
  ...readStudio(found),
  jobId: idFrom(found, 'jobId'),
  organizationId: optionalIdFrom(found, 'organizationId'),
})
