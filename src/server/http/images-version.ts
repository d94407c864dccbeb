import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { sessionTokenHash } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { imagesVersionOf } from '../jobs/store/order-availability.ts'

/** Reads the version of all images that the session of a request may see; undefined without a valid session. */
export const imagesVersion = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  request: FastifyRequest,
): Promise<string | undefined> => {
  const hash = sessionTokenHash(request)
  if (!hash) return undefined
  const now = clock()
  const { rows } = await sql<{ version: string }>`
    select ${imagesVersionOf(now)} as version
      from session_keys k join customer_sessions v on v.id = k.session_id
     where k.token_hash = ${hash} and k.ended_at is null and v.expires_at > ${now}::timestamptz and v.finished_at is null`.execute(
    db,
  )
  return rows[0]?.version
}
