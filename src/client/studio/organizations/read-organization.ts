import { type Found, idFrom } from '../../shell/urls.ts'
import { readStudio } from '../../staff/staff-route.tsx'

/** Which organization a screen is about. */
export type OrganizationPlace = { studioId: number; organizationId: number }

/** A screen of an organization. */
export const readOrganization = (found: Found): OrganizationPlace => ({
  ...readStudio(found),
  organizationId: idFrom(found, 'organizationId'),
})
