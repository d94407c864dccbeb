import type { Permission } from '#contract/shapes/call.ts'
import { defineRoute, type Route } from '#platform/define-route.tsx'
import { idParam, optionalIdParam, type RouteInput } from '#platform/urls.ts'
import type { JobParams } from './staff-urls.ts'

/**
 * Which part of the house a screen is in: before anybody signed in (`open`), the signed-in person's own (`account`), the platform's
 * (`system`), a studio's, or one of its jobs'.
 */
export type Area = 'open' | 'account' | 'system' | 'studio' | 'job'

/** What the guards of a screen go by (sections 2 and 6); the server decides again on each call. */
export type RouteRequirements = {
  area: Area
  /** Any of these lets somebody in; without it the area's own. */
  needs?: readonly Permission[]
  /** What the studio must have, and the screen that is shown instead: a tail under the job or the studio. */
  feature?: { name: string; instead: string | ((found: RouteInput) => string) }
  /** Only for studios that the partner verified. */
  isForVerified?: boolean
  /** Open to a studio that waits for its verification. */
  isExempt?: boolean
}

export type StaffRoute = Route & RouteRequirements

/** A screen of staff's: an entry in its errand's own table, which the shell puts together. */
export const staffRoute = <Props extends object>({
  area,
  needs,
  feature,
  isForVerified,
  isExempt,
  ...screen
}: Parameters<typeof defineRoute<Props>>[0] & RouteRequirements): StaffRoute => ({
  ...defineRoute(screen),
  area,
  ...(needs && { needs }),
  ...(feature && { feature }),
  ...(isForVerified && { isForVerified }),
  ...(isExempt && { isExempt }),
})

export const readNoParams = (): Record<never, never> => ({})

/** A screen of a studio. */
export const readStudioParams = (found: RouteInput): { studioId: number } => ({ studioId: idParam(found, 'studioId') })

/** A screen of a job. */
export const readJobParams = (found: RouteInput): JobParams => ({
  ...readStudioParams(found),
  jobId: idParam(found, 'jobId'),
  organizationId: optionalIdParam(found, 'organizationId'),
})
