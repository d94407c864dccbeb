import type { ReminderKind } from './reminder-kinds.ts'

/**
 * The occasions of an email, the most urgent first. Each is sent at most once per opt-in. A cart has two: a day after it
 * was left, and before its orders close.
 */
export const reminderOccasions = ['images-online', 'order-by', 'cart-closing', 'cart-left'] as const
export type ReminderOccasion = (typeof reminderOccasions)[number]

/** The kind that a customer must have chosen to be emailed on an occasion. */
export const kindOfOccasion: Readonly<Record<ReminderOccasion, ReminderKind>> = {
  'images-online': 'images-online',
  'order-by': 'order-by',
  'cart-closing': 'cart',
  'cart-left': 'cart',
}

/** A customer's opt-in, with its cart and job as they are now. Times are in milliseconds since 1970. */
export type ReminderFacts = {
  /** The kinds that the customer chose and the studio has switched on. */
  readonly kinds: readonly ReminderKind[]
  readonly requestedAt: number
  readonly sent: readonly { readonly occasion: ReminderOccasion; readonly at: number }[]
  readonly cart: { readonly hasPackages: boolean; readonly changedAt: number }
  /** Whether the cart's order method takes orders, and until when; null if it does not close. */
  readonly isOpen: boolean
  readonly closesAt: number | null
  /** The end of the last day to order; null if the job has none. */
  readonly orderByEndsAt: number | null
  readonly areImagesOnline: boolean
}

const hour = 60 * 60 * 1000
const day = 24 * hour

/** The time before an end: 8 a.m., two days before the last day, if that ends at midnight. */
const leadMs = 64 * hour

/** Whether it is time to remind of an end. A customer who opted in late is reminded halfway to the end, not at once. */
const isNearEnd = (endsAt: number | null, requestedAt: number, now: number): boolean =>
  endsAt !== null && now < endsAt && now >= Math.max(endsAt - leadMs, (requestedAt + endsAt) / 2)

/** The end of the last day to order, or when staff close orders before it; null if the job has no such day. */
export const orderByEnd = ({ closesAt, orderByEndsAt }: Pick<ReminderFacts, 'closesAt' | 'orderByEndsAt'>) =>
  orderByEndsAt !== null && closesAt !== null ? Math.min(closesAt, orderByEndsAt) : orderByEndsAt

const isDue: Readonly<Record<ReminderOccasion, (facts: ReminderFacts, now: number) => boolean>> = {
  'images-online': ({ areImagesOnline }) => areImagesOnline,
  'order-by': (facts, now) => facts.isOpen && isNearEnd(orderByEnd(facts), facts.requestedAt, now),
  // One email is enough if orders close with the last day to order, or before it.
  'cart-closing': (facts, now) =>
    facts.cart.hasPackages &&
    facts.isOpen &&
    isNearEnd(facts.closesAt, facts.requestedAt, now) &&
    !(facts.kinds.includes('order-by') && facts.closesAt === orderByEnd(facts)),
  'cart-left': ({ cart, isOpen, requestedAt, sent }, now) =>
    cart.hasPackages &&
    isOpen &&
    now >= Math.max(cart.changedAt, requestedAt) + day &&
    !sent.some(({ occasion }) => occasion === 'cart-closing'),
}

/** Whether an email of this occasion is still right, for one that is sent after a delay. */
export const isReminderDue = (occasion: ReminderOccasion, facts: ReminderFacts, now: Date): boolean =>
  facts.kinds.includes(kindOfOccasion[occasion]) && isDue[occasion](facts, now.getTime())

/** The occasion to email a customer on now: the most urgent one that was not sent before, and no more than one a day. */
export const nextReminder = (facts: ReminderFacts, now: Date): ReminderOccasion | undefined => {
  if (facts.sent.some(({ at }) => now.getTime() < at + day)) return undefined
  return reminderOccasions.find(
    (occasion) => facts.sent.every((email) => email.occasion !== occasion) && isReminderDue(occasion, facts, now),
  )
}
