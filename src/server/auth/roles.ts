import type { Permission } from '../../contract/call.ts'

/** What each role may do (section 4). Owners and staff only within the studio their token names. */
export const permissionsOf = {
  administrator: ['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'],
  owner: ['studio.crud', 'studio.users.crud', 'studio.financials.read'],
  staff: ['studio.crud'],
} as const satisfies Record<string, readonly Permission[]>
