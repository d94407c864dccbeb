import { createHmac, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from '../http/hash.ts'
import { type Problem, problem } from '../http/problem.ts'

/** An address as a studio's list of unsubscribed addresses has it. */
type Address = { readonly studioId: number; readonly addressHash: string }

const signatureBytes = 16

const signatureOf = ({ settings }: Pick<Deps, 'settings'>, { studioId, addressHash }: Address): Buffer =>
  createHmac('sha256', settings.secret)
    .update(`unsubscribe:${studioId}:${addressHash}`)
    .digest()
    .subarray(0, signatureBytes)

const addressOf = (studioId: number, email: string): Address => ({
  studioId,
  addressHash: hashOf(`${studioId} ${email}`),
})

/** The token of the link that unsubscribes an address. It does not expire, and works after the opt-in was deleted. */
export const unsubscribeToken = (deps: Pick<Deps, 'settings'>, studioId: number, email: string): string => {
  const address = addressOf(studioId, email)
  return `${studioId}-${address.addressHash}-${signatureOf(deps, address).toString('base64url')}`
}

const addressOfToken = (deps: Pick<Deps, 'settings'>, token: string): Address | undefined => {
  const [, studio, addressHash, signature] = /^(\d{1,15})-([\da-f]{64})-([\w-]{22})$/.exec(token) ?? []
  if (studio === undefined || addressHash === undefined || signature === undefined) return undefined
  const address = { studioId: Number(studio), addressHash }
  const received = Buffer.from(signature, 'base64url')
  return received.length === signatureBytes && timingSafeEqual(received, signatureOf(deps, address))
    ? address
    : undefined
}

/** SQL for whether the address of opt-in `r` is unsubscribed. */
export const isUnsubscribed: RawBuilder<boolean> = sql`exists (
  select from reminder_unsubscribes x
   where x.studio_id = r.studio_id and x.address_hash = encode(sha256(convert_to(r.studio_id || ' ' || r.email, 'UTF8')), 'hex'))`

/** Ends all reminders of a studio to an address, for good. A repeated request changes nothing. */
export const unsubscribeAddress = async (
  deps: Deps,
  token: string,
): Promise<{ studioName: string; wasDone: boolean } | Problem<'not-found'>> => {
  const address = addressOfToken(deps, token)
  if (!address) return problem('not-found')
  const { studioId, addressHash } = address
  return await inTransaction(deps.db, async (tx) => {
    const studio = await tx.selectFrom('studios').select('name').where('id', '=', studioId).executeTakeFirst()
    if (!studio) return problem('not-found')
    const now = deps.clock()
    const inserted = await tx
      .insertInto('reminder_unsubscribes')
      .values({ studio_id: studioId, address_hash: addressHash, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('address_hash')
      .executeTakeFirst()
    if (inserted)
      await sql`update reminders r set unsubscribed_at = ${now}
                 where r.studio_id = ${studioId} and r.unsubscribed_at is null and ${isUnsubscribed}`.execute(tx)
    return { studioName: studio.name, wasDone: inserted === undefined }
  })
}
