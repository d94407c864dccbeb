import { type RawBuilder, sql } from 'kysely'
import type { Permission } from '#contract/shapes/call.ts'
import type { User } from '../tokens/access-token.ts'

/** The permissions of each role (section 4). Those of owners and staff apply only within the studio of their token. */
export const permissionsOf = {
  administrator: ['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'],
  owner: ['studio.crud', 'studio.users.crud', 'studio.financials.read'],
  staff: ['studio.crud'],
} as const satisfies Record<string, readonly Permission[]>

/** The roles that have each of these permissions. */
export const rolesWith = (permissions: readonly Permission[]): string[] =>
  Object.entries(permissionsOf).flatMap(([role, granted]: [string, readonly Permission[]]) =>
    permissions.every((permission) => granted.includes(permission)) ? role : [],
  )

/**
 * SQL for whether a token still matches its user: they may sign in, belong to the same studio, their role has each
 * permission in the token, and their sign-ins were not ended since it was signed. A stale token is refused as expired, so that the client refreshes it.
 */
export const isCurrent = ({
  id,
  studioId,
  permissions,
  issuedAt = new Date(0),
}: User): RawBuilder<boolean> => sql`exists (
    select from users w where w.id = ${id} and w.disabled_at is null and w.role = any(${rolesWith(permissions)}::text[])
       and w.studio_id is not distinct from ${studioId}::bigint
       and coalesce(w.sessions_ended_at <= ${issuedAt}::timestamptz, true))`
