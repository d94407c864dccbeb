import { subDays } from 'date-fns/subDays'
import { sql } from 'kysely'
import type { ReminderResults } from '#contract/studio/studio.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Deps } from '../deps.ts'
import { readEarnedOrders } from '../orders/store/read-earned-orders.ts'

/** The days that the results are about. */
const resultDays = 365

/** Reads what the reminders of a studio earned. */
export const readReminderResults = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { studioId, user }: { readonly studioId: number; readonly user: Pick<User, 'permissions'> },
): Promise<ReminderResults> => {
  const from = subDays(clock(), resultDays)
  const causes = sql`
    select o.id as order_id, m.sent_at as at from reminder_emails m
      join reminders r on r.studio_id = m.studio_id and r.id = m.reminder_id
      join orders o on o.studio_id = r.studio_id and o.cart_id = r.cart_id
     where m.studio_id = ${studioId} and m.sent_at >= ${from}::timestamptz`
  const { sentCount } = await db
    .selectFrom('reminder_emails')
    .select(sql<number>`count(*)::integer`.as('sentCount'))
    .where('studio_id', '=', studioId)
    .where('sent_at', '>=', from)
    .executeTakeFirstOrThrow()
  return { sentCount, ...(await readEarnedOrders(db, { studioId, user, causes })) }
}
