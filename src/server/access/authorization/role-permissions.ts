import { type RawBuilder, sql } from 'kysely'
import type { Permission } from '#contract/shapes/call.ts'
import type { User } from '../tokens/access-token.ts'

/** What each role may do (section 4). Owners and staff only within the studio their token names. */
export const permissionsOf = {
  administrator: ['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'],
  owner: ['studio.crud', 'studio.users.crud', 'studio.financials.read'],
  staff: ['studio.crud'],
} as const satisfies Record<string, readonly Permission[]>

/**
 * SQL for whether a token is still true of its user: they may sign in, belong to the same studio, and their role has each permission in the
 * token. A stale token is refused as expired, so that the client refreshes it.
 */
export const isCurrent = ({ id, studioId, permissions }: User): RawBuilder<boolean> => {
  const roles = Object.entries(permissionsOf).flatMap(([role, held]: [string, readonly Permission[]]) =>
    permissions.every((permission) => held.includes(permission)) ? role : [],
  )
  return sql`exists (
    select from users w where w.id = ${id} and w.disabled_at is null and w.role = any(${roles}::text[])
       and w.studio_id is not distinct from ${studioId}::bigint)`
}
