import { readStudioParams } from '#client/staff/kit/routing/staff-route.tsx'
import { idParam, type RouteInput } from '#platform/urls.ts'

/** Path parameters of an organization's screens. */
export type OrganizationParams = { studioId: number; organizationId: number }

/** Reads the parameters from an address. */
export const readOrganizationParams = (input: RouteInput): OrganizationParams => ({
  ...readStudioParams(input),
  organizationId: idParam(input, 'organizationId'),
})
