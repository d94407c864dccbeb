import type { OrganizationType } from '#domain/catalogue/catalogue.ts'

/** What each type of organization is called on screens. */
export const organizationTypeLabels: Readonly<Record<OrganizationType, string>> = { school: 'School', sport: 'Sport' }

/** The types to choose from. */
export const organizationTypeOptions = (['school', 'sport'] as const).map((value) => ({
  value,
  label: organizationTypeLabels[value],
}))
