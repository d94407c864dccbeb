import type { OrganizationType } from '#domain/catalogue/catalogue.ts'

/** Labels of the organization types. */
export const organizationTypeLabels: Readonly<Record<OrganizationType, string>> = { school: 'School', sport: 'Sport' }

/** Options of the type select. */
export const organizationTypeOptions = (['school', 'sport'] as const).map((value) => ({
  value,
  label: organizationTypeLabels[value],
}))
