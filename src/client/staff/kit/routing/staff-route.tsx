import type { Permission } from '#contract/shapes/call.ts'
import { defineRoute, type Route } from '#platform/define-route.tsx'
import { idParam, optionalIdParam, type RouteInput } from '#platform/urls.ts'
import type { JobParams } from './staff-urls.ts'

/** The area of a screen: signed out (`open`), the user's own account (`account`), the platform (`system`), a studio, or a job. */
export type Area = 'open' | 'account' | 'system' | 'studio' | 'job'

/** What the guards check (sections 2 and 6). The server checks every call itself. */
export type RouteRequirements = {
  area: Area
  /** Any one of these permissions grants access. The default depends on the area. */
  needs?: readonly Permission[]
  /** The required feature, and the path below the job or the studio to redirect to without it. */
  feature?: { name: string; redirectTo: string | ((input: RouteInput) => string) }
  /** Only for verified studios. */
  isForVerified?: boolean
  /** Closed to administrators of the platform, who have the permissions of owners. */
  isForOwners?: boolean
  /** Also open to studios whose verification is pending. */
  isExempt?: boolean
}

export type StaffRoute = Route & RouteRequirements

/** Defines a staff route. Each feature exports a table of its routes; `client/app` combines them. */
export const staffRoute = <Props extends object>({
  area,
  needs,
  feature,
  isForOwners,
  isForVerified,
  isExempt,
  ...route
}: Parameters<typeof defineRoute<Props>>[0] & RouteRequirements): StaffRoute => ({
  ...defineRoute(route),
  area,
  ...(needs && { needs }),
  ...(feature && { feature }),
  ...(isForOwners && { isForOwners }),
  ...(isForVerified && { isForVerified }),
  ...(isExempt && { isExempt }),
})

export const readNoParams = (): Record<never, never> => ({})

/** Reads the parameters of a studio's screen. */
export const readStudioParams = (input: RouteInput): { studioId: number } => ({ studioId: idParam(input, 'studioId') })

/** Reads the parameters of a job's screen. */
export const readJobParams = (input: RouteInput): JobParams => ({
  ...readStudioParams(input),
  jobId: idParam(input, 'jobId'),
  organizationId: optionalIdParam(input, 'organizationId'),
})

/** Path parameters of an organization's screens. */
export type OrganizationParams = { studioId: number; organizationId: number }

/** Reads the parameters of an organization's screen. */
export const readOrganizationParams = (input: RouteInput): OrganizationParams => ({
  ...readStudioParams(input),
  organizationId: idParam(input, 'organizationId'),
})
