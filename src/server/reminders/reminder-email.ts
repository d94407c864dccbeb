import { orderByEnd, type ReminderFacts, type ReminderOccasion } from '#domain/reminders/due-reminder.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import type { Deps } from '../deps.ts'
import { emailBodies, singleLine } from '../mail/email-body.ts'
import type { Message } from '../ports/mail.ts'
import type { ReminderRow } from './reminder-facts.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** The last day before an end, in the studio's time zone: `04/16/2027` for the midnight after it. */
const lastDay = (endsAt: number, timeZone: string): string =>
  formatDate(wallClock(new Date(endsAt - 1).toISOString(), timeZone).slice(0, 10))

type ReminderText = { readonly subject: string; readonly text: string; readonly screen: '/cart' | '' }

type TextInput = {
  readonly job: string
  readonly studio: string
  /** The last day to order; empty if orders do not close. */
  readonly closingDay: string
  readonly orderByDay: string
}

const reminderTexts: Readonly<Record<ReminderOccasion, (input: TextInput) => ReminderText>> = {
  'images-online': ({ job, studio }) => ({
    subject: `New photos: ${job}`,
    text: `The photos of ${job} by ${studio} are online now.`,
    screen: '',
  }),
  'order-by': ({ job, studio, orderByDay }) => ({
    subject: `Order by ${orderByDay}: ${job}`,
    text: `The last day to order for ${job} by ${studio} is ${orderByDay}.`,
    screen: '',
  }),
  'cart-closing': ({ job, studio, closingDay }) => ({
    subject: `Your cart is waiting until ${closingDay}: ${job}`,
    text: `Your cart for ${job} by ${studio} is not ordered yet. The last day to order is ${closingDay}.`,
    screen: '/cart',
  }),
  'cart-left': ({ job, studio, closingDay }) => ({
    subject: `Your cart is waiting: ${job}`,
    text: `Your cart for ${job} by ${studio} is saved, and not ordered yet.${closingDay && ` The last day to order is ${closingDay}.`}`,
    screen: '/cart',
  }),
}

type Reminder = { readonly row: ReminderRow; readonly facts: ReminderFacts; readonly occasion: ReminderOccasion }

/** Writes the email of a reminder. It names no child, because anyone may have typed its address. */
export const reminderMessage = (
  deps: Pick<Deps, 'address' | 'settings'>,
  { row, facts, occasion }: Reminder,
): Message => {
  const { studioId, reminderId, email, jobId, jobName: job, studioName: studio, slug, timeZone } = row
  const dayOf = (endsAt: number | null): string => (endsAt === null ? '' : lastDay(endsAt, timeZone))
  const input = { job, studio, closingDay: dayOf(facts.closesAt), orderByDay: dayOf(orderByEnd(facts)) }
  const { subject, text, screen } = reminderTexts[occasion](input)
  const token = unsubscribeToken(deps, studioId, email)
  const unsubscribeUrl = `${deps.address()}/${slug}/unsubscribe/${token}`
  return {
    key: `reminder ${reminderId} ${occasion}`,
    studioId,
    kind: 'reminder',
    to: { name: '', email },
    subject: singleLine(subject),
    secrets: [token],
    unsubscribeUrl,
    ...emailBodies([
      text,
      { link: `${deps.address()}/${slug}/${jobId}${screen}` },
      'Your cart is on the phone or computer that you chose the photos on. On another one, enter your access code first.',
      `You asked for this reminder. To get no more reminders from ${studio}, open this link:`,
      { link: unsubscribeUrl },
    ]),
  }
}
