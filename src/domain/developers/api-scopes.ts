/** The areas of the API that a token can be given access to. */
export const apiAreas = ['orders', 'jobs', 'catalogue', 'reports'] as const
export type ApiArea = (typeof apiAreas)[number]

/** What a token may do: read an area, or change it. Changing does not include reading. */
export const apiScopes = [
  'orders:read',
  'orders:write',
  'jobs:read',
  'jobs:write',
  'catalogue:read',
  'catalogue:write',
  'reports:read',
  'reports:write',
] as const satisfies readonly `${ApiArea}:${'read' | 'write'}`[]
export type ApiScope = (typeof apiScopes)[number]

/** What belongs to each area, for owners. */
export const apiAreaLabels: Readonly<Record<ApiArea, { name: string; about: string }>> = {
  orders: { name: 'Orders', about: 'Orders, batches, files for the lab, and order entry' },
  jobs: { name: 'Jobs', about: 'Jobs, subjects, images and organizations' },
  catalogue: { name: 'Catalog', about: 'Packages, package sets, products and coupon codes' },
  reports: { name: 'Reports', about: 'Reports, payouts and commissions' },
}

/** The days after which a token can expire. */
export const apiTokenDays = [30, 90, 365] as const

/** The beginning of every API token, so that a search finds tokens in code and logs that must not contain them. */
export const apiTokenPrefix = 'fp_'

/** The limit on a studio's tokens, above what a studio needs. */
export const maxApiTokens = 50
