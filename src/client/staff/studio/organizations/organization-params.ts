import { readStudioParams } from '#client/staff/kit/routing/staff-route.tsx'
import { idParam, type RouteInput } from '#platform/urls.ts'

/** Which organization a screen is about. */
export type OrganizationParams = { studioId: number; organizationId: number }

/** A screen of an organization. */
export const readOrganizationParams = (found: RouteInput): OrganizationParams => ({
  ...readStudioParams(found),
  organizationId: idParam(found, 'organizationId'),
})
