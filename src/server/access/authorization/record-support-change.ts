import type { FastifyRequest } from 'fastify'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { User } from '../tokens/access-token.ts'
import type { OpenAccess } from './open-access.ts'

/**
 * Records that an administrator changes something in a studio, before it is changed, so that no change is without an entry. Entries that
 * the change itself writes have both names too.
 */
export const recordSupportChange = (
  deps: Deps,
  { method, url, params }: Pick<FastifyRequest, 'method' | 'url' | 'params'>,
  { user, support }: { readonly user: User; readonly support: OpenAccess },
): Promise<void> =>
  inTransaction(deps.db, (tx) =>
    recordAudit(tx, deps, {
      studioId: Number((params as { studioId: string }).studioId), // an access is to the studio of the path
      action: 'support-access.used',
      entityId: String(support.id),
      detail: { request: `${method} ${url.split('?', 1)[0]}` },
      userId: user.id,
      consentedBy: support.grantedBy,
    }),
  )
