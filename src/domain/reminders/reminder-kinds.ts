import type { OrderMethod } from '../catalogue/catalogue.ts'

/** What a customer can be reminded of. A studio can switch each kind off. */
export const reminderKinds = ['order-by', 'images-online', 'cart'] as const
export type ReminderKind = (typeof reminderKinds)[number]

/** The kinds that a studio has switched on. */
export type ReminderPreferences = Readonly<Record<ReminderKind, boolean>>

/** Used if the studio set no preferences. */
export const defaultReminderPreferences: ReminderPreferences = { 'order-by': true, 'images-online': true, cart: true }

export type ReminderOffer = {
  readonly preferences: ReminderPreferences
  readonly orderMethod: OrderMethod
  /** Whether the job has a last day to order that is not over. */
  readonly hasOrderBy: boolean
  readonly areImagesOnline: boolean
}

const isOffered: Readonly<Record<ReminderKind, (offer: ReminderOffer) => boolean>> = {
  'order-by': ({ hasOrderBy }) => hasOrderBy,
  'images-online': ({ orderMethod, areImagesOnline }) => orderMethod === 'prepay' && !areImagesOnline,
  cart: () => true,
}

/** The kinds that a customer can choose for a cart: those that the studio has switched on and whose time is still to come. */
export const offeredReminders = (offer: ReminderOffer): ReminderKind[] =>
  reminderKinds.filter((kind) => offer.preferences[kind] && isOffered[kind](offer))
