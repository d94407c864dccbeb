import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { handOverMinutes } from '#contract/customer/hand-over.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Session } from '../access/sessions/sessions.ts'
import type { Db, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from '../http/hash.ts'

/** Who asks for what: the token of the address, and what this device drew for itself before it asked. */
export type HandOverRecipient = { readonly token: string; readonly secret: string; readonly takerHash: string }

export type HandOverRow = {
  id: string
  sessionId: number
  studioId: number
  jobId: number
  orderMethod: OrderMethod
  takenBy: number | null
}

/** So long after its end the one device that took a hand-over may still ask again for the answer that was lost. */
const againMinutes = handOverMinutes

/** One that was taken, and whose end was by then, is of no use to anybody any more. */
export const spentHandOverDeadline = (now: Date): Date => new Date(now.getTime() - againMinutes * 60_000)

/** A token that nobody took and whose time is not over; or that this very device took, whose answer may have been lost. */
const find = async (
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
         or h.taker_hash = ${takerHash} and k.ended_at is null and h.expires_at > ${spentHandOverDeadline(now)})
     ${lock ? sql`for update of h` : sql``}`.execute(db)
  return rows[0]
}

/** What a token leads to; undefined for a wrong, a spent and a late one alike. */
export const findHandOver = ({ db, clock }: Deps, taker: HandOverRecipient): Promise<HandOverRow | undefined> =>
  find(db, taker, { now: clock(), lock: false })

/**
 * The cookie of whoever takes a hand-over: the same for the same device asking again, so that of two answers neither undoes the other.
 * No script on the device can work it out from what it drew.
 */
const keyOf = ({ settings }: Pick<Deps, 'settings'>, { token, secret }: HandOverRecipient): string =>
  createHmac('sha256', settings.secret)
    .update(`hand-over:${token}:${secret}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')

/** Joins the visit once, for good: gives the new device's cookie. Undefined when another device was quicker. */
export const acceptHandOver = (deps: Deps, taker: HandOverRecipient): Promise<string | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const found = await find(tx, taker, { now, lock: true })
    if (!found) return undefined
    const key = keyOf(deps, taker)
    if (found.takenBy !== null) return key
    const { id } = await tx
      .insertInto('session_keys')
      .values({ session_id: found.sessionId, token_hash: hashOf(key), created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('hand_overs')
      .set({ taken_by: id, taker_hash: taker.takerHash })
      .where('id', '=', found.id)
      .execute()
    return key
  })

/** Whether a visit has a cart of its own, with something in it, that is no order yet: joining another would leave it behind. */
export const hasOwnCart = async (db: Db, session: Session): Promise<boolean> => {
  const { rows } = await sql`
    select from carts c
     where c.session_id = ${session.id} and c.state <> 'ordered'
       and (exists (select from cart_packages p where p.studio_id = c.studio_id and p.cart_id = c.id)
         or exists (select from cart_order_services o where o.studio_id = c.studio_id and o.cart_id = c.id))
     limit 1`.execute(db)
  return rows.length > 0
}
