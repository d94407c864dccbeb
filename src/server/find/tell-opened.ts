import { sql } from 'kysely'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { orderMethods } from '../../domain/catalogue.ts'
import { type OpeningRow, openingColumns, openingOf } from '../admission/opening.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { queues } from '../jobs/queues.ts'
import { letterOf } from '../mail/letter.ts'
import { oneLine } from '../mail/one-line.ts'

/** Somebody's wish to be told of an event. */
export type WishKey = { readonly studioId: number; readonly wishId: number }

type Waiting = OpeningRow & WishKey & { order_method: OrderMethod | null }

/** So many are looked at in one transaction; the next ones in the next. */
const most = 500

const nextWaiting = async (tx: Transaction, { studioId, wishId }: WishKey, now: Date): Promise<Waiting[]> => {
  const { rows } = await sql<Waiting>`
    select w.studio_id as "studioId", w.id as "wishId", w.order_method, ${openingColumns(now)}
      from notify_me w
      join jobs j on j.studio_id = w.studio_id and j.id = w.job_id
      join studios s on s.id = w.studio_id
     where (w.studio_id, w.id) > (${studioId}::bigint, ${wishId}::bigint)
       and w.notified_at is null and j.archived_at is null and (j.prepay_enabled or j.gallery_enabled)
     order by w.studio_id, w.id limit ${most} for update of w skip locked`.execute(tx)
  return rows
}

/** Whether orders can be placed as somebody asked about: in one way, or in any. */
export const isOpenTo = (asked: OpeningRow & { order_method: OrderMethod | null }, now: Date): boolean => {
  const opening = openingOf(asked, now)
  const methods = asked.order_method === null ? orderMethods : [asked.order_method]
  return methods.some((method) => opening[method].available)
}

/**
 * Looks through everybody who waits for an event; each whose event takes orders by now is mailed by a job of its own, so that one
 * address that cannot be written to holds up nobody else's, and however many wait for events still closed.
 */
export const findOpened = async (deps: Deps): Promise<void> => {
  const now = deps.clock()
  let last: WishKey | undefined = { studioId: 0, wishId: 0 }
  while (last) {
    const after: WishKey = last
    last = await inTransaction(deps.db, async (tx) => {
      const waiting = await nextWaiting(tx, after, now)
      for (const one of waiting.filter((each) => isOpenTo(each, now))) {
        const { studioId, wishId } = one
        await tx
          .updateTable('notify_me')
          .set({ notified_at: now })
          .where('studio_id', '=', studioId)
          .where('id', '=', wishId)
          .execute()
        await deps.jobs.enqueue(tx, 'mail-opened', { studioId, wishId })
      }
      return waiting.at(-1)
    })
  }
}

/** Tells one of them, by a link to the event; again, it is the same message under the same key. */
export const mailOpened = async (deps: Deps, { studioId, wishId }: WishKey): Promise<void> => {
  const wish = await deps.db
    .selectFrom('notify_me as w')
    .innerJoin('jobs as j', (join) => join.onRef('j.studio_id', '=', 'w.studio_id').onRef('j.id', '=', 'w.job_id'))
    .innerJoin('studios as s', 's.id', 'w.studio_id')
    .select(['w.email', 'w.job_id', 'j.name as event', 's.name as studio', 's.slug'])
    .where('w.studio_id', '=', studioId)
    .where('w.id', '=', wishId)
    .executeTakeFirst()
  if (!wish) return
  const { email, event, studio, slug, job_id: jobId } = wish
  const link = `${deps.address()}/${slug}/${jobId}`
  const sentence = `You can order for ${event} by ${studio} now. You asked us to tell you; this is the only mail about it.`
  await deps.mail.send({
    key: `event-opened ${studioId} ${wishId}`,
    studioId,
    kind: 'event-opened',
    to: { name: '', email },
    subject: oneLine(`${event} is open`),
    secrets: [],
    ...letterOf([sentence, { link }]),
  })
}

const keptDays = 30

/** Forgets whom it told; so long their mail may still be on its way, and be asked about. */
export const forgetTold = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const before = new Date(clock().getTime() - keptDays * 24 * 60 * 60 * 1000)
  await db.deleteFrom('notify_me').where('notified_at', '<=', before).execute()
}

export const workOnOpened = async (jobs: Jobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('tell-opened', 1, () => findOpened(deps))
  await jobs.work('mail-opened', 2, ({ payload }) => mailOpened(deps, payload))
}
