import { type RawBuilder, sql } from 'kysely'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { ReminderFacts, ReminderOccasion } from '#domain/reminders/due-reminder.ts'
import {
  defaultReminderPreferences,
  type ReminderKind,
  type ReminderPreferences,
} from '#domain/reminders/reminder-kinds.ts'
import {
  endOfDay,
  hasPublishedImages,
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '../jobs/store/order-availability.ts'
import { isUnsubscribed } from './unsubscribe.ts'

/** The key of an opt-in to reminders of a cart. */
export type ReminderKey = { readonly studioId: number; readonly reminderId: number }

export type ReminderRow = OrderAvailabilityRow &
  ReminderKey & {
    jobId: number
    email: string
    kinds: ReminderKind[]
    preferences: Partial<ReminderPreferences>
    requestedAt: Date
    orderMethod: OrderMethod
    hasPackages: boolean
    changedAt: Date
    orderByEndsAt: Date | null
    isPublished: boolean
    sent: { occasion: ReminderOccasion; at: string }[]
    jobName: string
    studioName: string
    slug: string
    timeZone: string
  }

/**
 * SQL for the opt-ins `r` that may be emailed, with what decides it: not those of a cart that is ordered or being paid, of a
 * customer who left or unsubscribed, of an archived job, or of a disabled studio. `condition` restricts the opt-ins.
 */
export const activeReminders = (now: Date, condition: RawBuilder<unknown>): RawBuilder<ReminderRow> => sql`
  select r.studio_id as "studioId", r.id as "reminderId", r.job_id as "jobId", r.email, r.kinds, r.created_at as "requestedAt",
         s.reminder_preferences as preferences, c.order_method as "orderMethod", c.updated_at as "changedAt",
         exists (select from cart_packages l where l.studio_id = c.studio_id and l.cart_id = c.id) as "hasPackages",
         ${orderAvailabilityColumns(now)}, ${endOfDay(sql`j.order_by`)} as "orderByEndsAt",
         case when r.kinds ? 'images-online' then ${hasPublishedImages(now)} else false end as "isPublished",
         (select coalesce(json_agg(json_build_object('occasion', m.occasion, 'at', m.enqueued_at)), '[]') from reminder_emails m
           where m.studio_id = r.studio_id and m.reminder_id = r.id) as sent,
         j.name as "jobName", s.name as "studioName", s.slug, s.time_zone as "timeZone"
    from reminders r
    join carts c on c.studio_id = r.studio_id and c.id = r.cart_id
    join customer_sessions v on v.id = c.session_id
    join jobs j on j.studio_id = r.studio_id and j.id = r.job_id
    join studios s on s.id = r.studio_id
   where ${condition} and r.email <> '' and r.unsubscribed_at is null and not ${isUnsubscribed} and c.state = 'open' and v.finished_at is null
     and j.archived_at is null and s.rspo_enabled`

/** The facts of an opt-in for the rules, and when the orders of its cart close. */
export const factsOf = (row: ReminderRow, now: Date): ReminderFacts => {
  const availability = orderAvailabilityOf(row, now)
  const { available, closes } = availability[row.orderMethod]
  const preferences = { ...defaultReminderPreferences, ...row.preferences }
  return {
    kinds: row.kinds.filter((kind) => preferences[kind]),
    requestedAt: row.requestedAt.getTime(),
    sent: row.sent.map(({ occasion, at }) => ({ occasion, at: Date.parse(at) })),
    cart: { hasPackages: row.hasPackages, changedAt: row.changedAt.getTime() },
    isOpen: available,
    closesAt: closes?.getTime() ?? null,
    orderByEndsAt: row.orderByEndsAt?.getTime() ?? null,
    areImagesOnline: row.isPublished && availability.gallery.available,
  }
}
