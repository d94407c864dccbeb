import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { handOverMinutes } from '#contract/customer/hand-over.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Session } from '../access/sessions/sessions.ts'
import type { Db, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from '../http/hash.ts'

/** The token of the URL, and the random secret that this device generated before its request. */
export type HandOverRecipient = { readonly token: string; readonly secret: string; readonly takerHash: string }

export type HandOverRow = {
  id: string
  sessionId: number
  studioId: number
  jobId: number
  orderMethod: OrderMethod
  takenBy: number | null
}

/** The minutes after its expiry in which the device that accepted a hand-over may retry because the response was lost. */
const retryMinutes = handOverMinutes

/** Accepted hand-overs that expired before this time can be deleted. */
export const handOverRetryCutoff = (now: Date): Date => new Date(now.getTime() - retryMinutes * 60_000)

/** Finds a hand-over that is unexpired and not accepted, or that this device accepted and whose response may have been lost. */
const findHandOverRow = async (
  db: Db | Transaction,
  { token, takerHash }: HandOverRecipient,
  { now, lock }: { now: Date; lock: boolean },
): Promise<HandOverRow | undefined> => {
  const { rows } = await sql<HandOverRow>`
    select h.id, h.session_id as "sessionId", l.studio_id as "studioId", h.job_id as "jobId", h.order_method as "orderMethod",
           h.taken_by as "takenBy"
      from hand_overs h
      join customer_sessions s on s.id = h.session_id
      join job_links l on l.job_id = h.job_id
      left join session_keys k on k.id = h.taken_by
     where h.token_hash = ${hashOf(token)} and s.expires_at > ${now} and s.finished_at is null
       and (h.taken_by is null and h.expires_at > ${now}
         or h.taker_hash = ${takerHash} and k.ended_at is null and h.expires_at > ${handOverRetryCutoff(now)})
     ${lock ? sql`for update of h` : sql``}`.execute(db)
  return rows[0]
}

/** Finds the hand-over of a token; undefined for a wrong, used or expired token, without revealing which of these it is. */
export const findHandOver = ({ db, clock }: Deps, recipient: HandOverRecipient): Promise<HandOverRow | undefined> =>
  findHandOverRow(db, recipient, { now: clock(), lock: false })

/**
 * The session cookie of the recipient. A retry of the same device gets the same cookie, so that two responses do not invalidate each other.
 * No script on the device can compute it from the secret of the device.
 */
const sessionKeyOf = ({ settings }: Pick<Deps, 'settings'>, { token, secret }: HandOverRecipient): string =>
  createHmac('sha256', settings.secret)
    .update(`hand-over:${token}:${secret}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')

/** Joins the session once and returns the cookie of the new device; undefined if the hand-over can no longer be used. */
export const acceptHandOver = (deps: Deps, recipient: HandOverRecipient): Promise<string | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const row = await findHandOverRow(tx, recipient, { now, lock: true })
    if (!row) return undefined
    const key = sessionKeyOf(deps, recipient)
    if (row.takenBy !== null) return key
    const { id } = await tx
      .insertInto('session_keys')
      .values({ session_id: row.sessionId, token_hash: hashOf(key), created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('hand_overs')
      .set({ taken_by: id, taker_hash: recipient.takerHash })
      .where('id', '=', row.id)
      .execute()
    return key
  })

/** Whether a session has a non-empty cart that is not an order yet, which the device would lose by joining another session. */
export const hasOwnCart = async (db: Db, session: Session): Promise<boolean> => {
  const { rows } = await sql`
    select from carts c
     where c.session_id = ${session.id} and c.state <> 'ordered'
       and (exists (select from cart_packages p where p.studio_id = c.studio_id and p.cart_id = c.id)
         or exists (select from cart_order_services o where o.studio_id = c.studio_id and o.cart_id = c.id))
     limit 1`.execute(db)
  return rows.length > 0
}
