import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { readSetting } from '#server/configuration/read-settings.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/** Days for which a session is stored after its last device left, in case a customer calls the studio about it. */
const retentionDays = 30
/** Days for which a session without a grant, a cart or a subject is stored after its last use. */
const unusedDays = 1
const batchSize = 500

/** Finds sessions to delete: expired, ended or unused ones that have neither an order nor an open payment. */
const findExpiredSessions = async (tx: Transaction, now: Date): Promise<number[]> => {
  const finishedBefore = subHours(now, retentionDays * 24)
  const unusedBefore = subHours(now, unusedDays * 24)
  const { rows } = await sql<{ id: number }>`
    select s.id from customer_sessions s
     where (s.expires_at <= ${now}::timestamptz or s.finished_at <= ${finishedBefore}::timestamptz
            or s.seen_at <= ${unusedBefore}::timestamptz
               and not exists (select from session_grants g where g.session_id = s.id)
               and not exists (select from carts c where c.session_id = s.id)
               and not exists (select from subjects u where u.person_session_id = s.id))
       and not exists (select from orders o where o.session_id = s.id)
       and not exists (select from checkouts k join payment_attempts a on a.studio_id = k.studio_id and a.checkout_id = k.id
                        where k.session_id = s.id and a.settled_at is null)
     order by s.id limit ${batchSize}`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Deletes sessions. Carts, checkouts, grants and mutations are deleted by cascade; grant links and subjects are not.
 */
const deleteSessions = async (tx: Transaction, sessionIds: readonly number[]): Promise<void> => {
  await tx
    .deleteFrom('grant_links')
    .where('grant_id', 'in', (eb) =>
      eb.selectFrom('session_grants').select('grant_id').where('session_id', 'in', sessionIds),
    )
    .execute()
  // A typed-in subject without an order is unknown to the studio.
  await tx.deleteFrom('subjects').where('person_session_id', 'in', sessionIds).where('state', '=', 'pending').execute()
  await tx.deleteFrom('customer_sessions').where('id', 'in', sessionIds).execute()
}

/**
 * Deletes typed-in subjects without an order, if neither they nor a cart with a package for them changed since
 * `cutoff`. Their lines are deleted too, and the cart gets a new version so that its devices reload it.
 */
const deletePendingSubjects = async (tx: Transaction, cutoff: Date): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    select u.id from subjects u
     where u.state = 'pending' and u.updated_at <= ${cutoff}::timestamptz
       and not exists (select from cart_packages l join carts c on c.studio_id = l.studio_id and c.id = l.cart_id
                        where l.studio_id = u.studio_id and l.subject_id = u.id
                          and (c.updated_at > ${cutoff}::timestamptz or c.state <> 'open'))
     order by u.id limit ${batchSize} for update of u skip locked`.execute(tx)
  const subjectIds = rows.map(({ id }) => id)
  if (subjectIds.length === 0) return 0
  await tx
    .updateTable('carts')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', (eb) => eb.selectFrom('cart_packages').select('cart_id').where('subject_id', 'in', subjectIds))
    .execute()
  await tx.deleteFrom('subjects').where('id', 'in', subjectIds).where('state', '=', 'pending').execute()
  return subjectIds.length
}

/** Runs the work in one transaction after another, until it finds fewer than `batchSize` rows. */
const inBatches = async (db: Deps['db'], work: (tx: Transaction) => Promise<number>): Promise<void> => {
  while ((await inTransaction(db, work)) === batchSize);
}

/** Deletes ended sessions without an order, with everything that belongs to them, in batches. */
export const purgeSessions = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const now = clock()
  await inBatches(db, async (tx) => {
    const sessionIds = await findExpiredSessions(tx, now)
    if (sessionIds.length > 0) await deleteSessions(tx, sessionIds)
    return sessionIds.length
  })
}

/** Deletes abandoned typed-in subjects, in batches. */
export const purgePendingSubjects = async (deps: Pick<Deps, 'db' | 'clock' | 'settings'>): Promise<void> => {
  const cutoff = subHours(deps.clock(), (await readSetting(deps.db, deps, 'typed-subject-days')) * 24)
  await inBatches(deps.db, (tx) => deletePendingSubjects(tx, cutoff))
}
