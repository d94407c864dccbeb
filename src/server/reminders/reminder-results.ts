import { subDays } from 'date-fns/subDays'
import { sql } from 'kysely'
import type { ReminderResults } from '#contract/studio/studio.ts'
import { earningDays } from '#domain/reminders/reminder-kinds.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Deps } from '../deps.ts'

/** The days that the results are about. */
const resultDays = 365

/** Reads what the reminders of a studio earned: each order counts once, and cancelled ones do not count. */
export const readReminderResults = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { studioId, user }: { readonly studioId: number; readonly user: Pick<User, 'permissions'> },
): Promise<ReminderResults> => {
  const from = subDays(clock(), resultDays)
  const { rows } = await sql<{ sentCount: number; orderCount: number; orderedCents: number }>`
    with sent as (
      select r.cart_id, m.sent_at from reminder_emails m
        join reminders r on r.studio_id = m.studio_id and r.id = m.reminder_id
       where m.studio_id = ${studioId} and m.sent_at >= ${from}::timestamptz
    ), earned as (
      select o.total_cents from orders o
       where o.studio_id = ${studioId} and o.state <> 'cancelled' and o.cart_id in (select cart_id from sent)
         and exists (select from sent where sent.cart_id = o.cart_id and sent.sent_at <= o.placed_at
                        and o.placed_at < sent.sent_at + make_interval(days => ${earningDays}))
    )
    select (select count(*)::integer from sent) as "sentCount", count(*)::integer as "orderCount",
           coalesce(sum(total_cents), 0)::bigint as "orderedCents" from earned`.execute(db)
  const [results = { sentCount: 0, orderCount: 0, orderedCents: 0 }] = rows
  const seesMoney = user.permissions.includes('studio.financials.read')
  return { ...results, orderedCents: seesMoney ? results.orderedCents : null }
}
