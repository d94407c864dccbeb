import { subDays } from 'date-fns/subDays'
import { type RawBuilder, sql } from 'kysely'
import { isReminderDue, nextReminder, type ReminderOccasion } from '#domain/reminders/due-reminder.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { queues } from '../queue/queues.ts'
import { reminderMessage } from './reminder-email.ts'
import { activeReminders, factsOf, type ReminderKey, type ReminderRow } from './reminder-facts.ts'

/** The number of opt-ins that one transaction examines. */
const batchSize = 500

/** An email that is due. */
export type DueReminder = ReminderKey & { readonly occasion: ReminderOccasion }

/** Examines the opt-ins after a key, and enqueues what is due. Returns the last opt-in; undefined after the last batch. */
const enqueueBatch = (deps: Deps, after: ReminderKey, now: Date): Promise<ReminderKey | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const isAfter = sql`(r.studio_id, r.id) > (${after.studioId}::bigint, ${after.reminderId}::bigint)`
    const { rows } = await sql<ReminderRow>`
      ${activeReminders(now, isAfter)}
       order by r.studio_id, r.id limit ${batchSize} for update of r skip locked`.execute(tx)
    for (const row of rows) {
      const { studioId, reminderId } = row
      const occasion = nextReminder(factsOf(row, now), now)
      if (!occasion) continue
      const inserted = await tx
        .insertInto('reminder_emails')
        .values({ studio_id: studioId, reminder_id: reminderId, occasion, enqueued_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning('occasion')
        .executeTakeFirst()
      if (inserted) await deps.jobs.enqueue(tx, 'send-reminder', { studioId, reminderId, occasion })
    }
    return rows.at(-1)
  })

/**
 * Examines all opt-ins. Each reminder that is due gets its own mail job, so that an address that fails does not delay the
 * others.
 */
export const enqueueReminders = async (deps: Deps): Promise<void> => {
  const now = deps.clock()
  let last: ReminderKey | undefined = { studioId: 0, reminderId: 0 }
  while (last) last = await enqueueBatch(deps, last, now)
}

/** SQL for the row of an email that was not sent yet. */
const isUnsent = ({ studioId, reminderId, occasion }: DueReminder): RawBuilder<boolean> => sql`(
  studio_id = ${studioId} and reminder_id = ${reminderId} and occasion = ${occasion} and sent_at is null)`

/** Days after which the address of an opt-in is deleted that has no more use: its cart is ordered, it was stopped, or its job is archived. */
const addressDays = 30

/** Deletes the addresses of old opt-ins. What they earned is still counted. */
export const purgeReminderAddresses = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subDays(clock(), addressDays)
  await sql`
    update reminders r set email = '' from carts c, jobs j
     where r.email <> '' and c.studio_id = r.studio_id and c.id = r.cart_id and j.studio_id = r.studio_id and j.id = r.job_id
       and (r.unsubscribed_at < ${cutoff}::timestamptz or j.archived_at < ${cutoff}::timestamptz
            or (c.state = 'ordered' and c.updated_at < ${cutoff}::timestamptz))`.execute(db)
}

/**
 * Emails one reminder, unless its reason has gone: the customer ordered or unsubscribed, or orders closed. A retry has the
 * same key, so the email is sent once.
 */
export const sendReminder = async (deps: Deps, due: DueReminder): Promise<void> => {
  const now = deps.clock()
  const { studioId, reminderId, occasion } = due
  const isThis = sql`r.studio_id = ${studioId} and r.id = ${reminderId}`
  const { rows } = await sql<ReminderRow>`${activeReminders(now, isThis)}`.execute(deps.db)
  const [row] = rows
  const facts = row && factsOf(row, now)
  if (!row || !facts || !isReminderDue(occasion, facts, now)) {
    // The occasion may come again.
    await deps.db.deleteFrom('reminder_emails').where(isUnsent(due)).execute()
    return
  }
  await deps.mail.send(reminderMessage(deps, { row, facts, occasion }))
  await deps.db.updateTable('reminder_emails').set({ sent_at: now }).where(isUnsent(due)).execute()
}

export const startReminderWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('enqueue-reminders', 1, () => enqueueReminders(deps))
  await jobs.work('send-reminder', 2, ({ payload }) => sendReminder(deps, payload))
}
