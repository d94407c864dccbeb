import { readStudio } from '#client/staff/kit/routing/staff-route.tsx'
import { type Found, idFrom } from '#platform/urls.ts'

/** Which organization a screen is about. */
export type OrganizationPlace = { studioId: number; organizationId: number }

/** A screen of an organization. */
export const readOrganization = (found: Found): OrganizationPlace => ({
  ...readStudio(found),
  organizationId: idFrom(found, 'organizationId'),
})
