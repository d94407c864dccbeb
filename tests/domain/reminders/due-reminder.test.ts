import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  kindOfOccasion,
  nextReminder,
  type ReminderFacts,
  type ReminderOccasion,
} from '#domain/reminders/due-reminder.ts'
import { offeredReminders, reminderKinds } from '#domain/reminders/reminder-kinds.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
const start = Date.parse('2027-04-01T12:00:00Z')

/** A cart with packages, left at the start, of an open job without dates. */
const leftCart = (overrides: Partial<ReminderFacts> = {}): ReminderFacts => ({
  kinds: ['cart', 'order-by', 'images-online'],
  requestedAt: start,
  sent: [],
  cart: { hasPackages: true, changedAt: start },
  isOpen: true,
  closesAt: null,
  orderByEndsAt: null,
  areImagesOnline: false,
  ...overrides,
})

const nextAfter = (hours: number, overrides: Partial<ReminderFacts> = {}): ReminderOccasion | undefined =>
  nextReminder(leftCart(overrides), new Date(start + hours * hour))

describe('a cart that was left', () => {
  test.each<[string, number, Partial<ReminderFacts>, ReminderOccasion | undefined]>([
    ['is not due before a day has passed', 23.9, {}, undefined],
    ['is due a day after its last change', 24, {}, 'cart-left'],
    [
      'is not due a day after an earlier change',
      24,
      { cart: { hasPackages: true, changedAt: start + hour } },
      undefined,
    ],
    ['is not due a day before the opt-in', 24, { requestedAt: start + hour }, undefined],
    ['is not due without packages', 48, { cart: { hasPackages: false, changedAt: start } }, undefined],
    ['is not due once orders have closed', 48, { isOpen: false }, undefined],
    ['is not due if the customer did not choose it', 48, { kinds: ['order-by'] }, undefined],
    ['is not due a second time', 72, { sent: [{ occasion: 'cart-left', at: start + day }] }, undefined],
    [
      'is not due after the reminder that orders close',
      72,
      { sent: [{ occasion: 'cart-closing', at: start }] },
      undefined,
    ],
  ])('%s', (_, hours, overrides, expected) => {
    expect(nextAfter(hours, overrides)).toBe(expected)
  })
})

describe('orders that close', () => {
  const closesAt = start + 10 * day
  const kinds = ['cart'] as const
  const sent = [{ occasion: 'cart-left' as const, at: start + day }]
  test.each<[string, number, Partial<ReminderFacts>, ReminderOccasion | undefined]>([
    ['are not due 65 hours before', 175, { closesAt, kinds, sent }, undefined],
    ['are due 64 hours before', 176, { closesAt, kinds, sent }, 'cart-closing'],
    ['are due with the last day to order', 176, { orderByEndsAt: closesAt, sent }, 'order-by'],
    [
      'are due before staff close them, if that is before the last day to order',
      176,
      { closesAt, orderByEndsAt: closesAt + day, sent },
      'order-by',
    ],
    ['are not due afterwards', 240, { closesAt, orderByEndsAt: closesAt, sent }, undefined],
    [
      'need no second email if they close with the last day to order',
      210,
      {
        ...{ closesAt, orderByEndsAt: closesAt },
        sent: [...sent, { occasion: 'order-by' as const, at: start + 176 * hour }],
      },
      undefined,
    ],
    ['are not due before halfway to the end after a late opt-in', 20, { closesAt: start + 2 * day, kinds }, undefined],
    ['are due halfway to the end after a late opt-in', 24, { closesAt: start + 2 * day, kinds }, 'cart-closing'],
    [
      'wait a day after another email',
      177,
      { closesAt, kinds, sent: [{ occasion: 'cart-left', at: start + 160 * hour }] },
      undefined,
    ],
  ])('%s', (_, hours, overrides, expected) => {
    expect(nextAfter(hours, overrides)).toBe(expected)
  })
})

it('online images are due at once, whatever is in the cart', () => {
  expect(nextAfter(0, { areImagesOnline: true, cart: { hasPackages: false, changedAt: start } })).toBe('images-online')
})

it('no occasion is due twice, no more than one a day, and none that was not chosen', () => {
  const instant = fc.integer({ min: 0, max: 30 * 24 }).map((hours) => start + hours * hour)
  const facts = fc.record({
    kinds: fc.subarray([...reminderKinds]),
    requestedAt: instant,
    cart: fc.record({ hasPackages: fc.boolean(), changedAt: instant }),
    isOpen: fc.boolean(),
    closesAt: fc.option(instant),
    orderByEndsAt: fc.option(instant),
    areImagesOnline: fc.boolean(),
  })
  fc.assert(
    fc.property(facts, (drawn) => {
      const sent: { occasion: ReminderOccasion; at: number }[] = []
      for (let at = start; at < start + 40 * day; at += 3 * hour) {
        const occasion = nextReminder({ ...drawn, sent }, new Date(at))
        if (occasion) sent.push({ occasion, at })
      }
      const occasions = sent.map(({ occasion }) => occasion)
      expect(occasions).toEqual([...new Set(occasions)])
      expect(occasions.filter((occasion) => !drawn.kinds.includes(kindOfOccasion[occasion]))).toEqual([])
      expect(sent.slice(1).every(({ at }, index) => at - (sent[index]?.at ?? 0) >= day)).toBe(true)
    }),
  )
})

describe('a customer can choose', () => {
  const all = { 'order-by': true, 'images-online': true, cart: true }
  const prepay = { preferences: all, orderMethod: 'prepay', hasOrderBy: true, areImagesOnline: false } as const
  test.each([
    ['everything before the picture day', prepay, ['order-by', 'images-online', 'cart']],
    ['no last day to order if the job has none', { ...prepay, hasOrderBy: false }, ['images-online', 'cart']],
    ['no wait for images that are online', { ...prepay, areImagesOnline: true }, ['order-by', 'cart']],
    ['no wait for images in a gallery', { ...prepay, orderMethod: 'gallery' as const }, ['order-by', 'cart']],
    [
      'nothing that the studio switched off',
      { ...prepay, preferences: { ...all, cart: false } },
      ['order-by', 'images-online'],
    ],
  ])('%s', (_, offer, expected) => {
    expect(offeredReminders(offer)).toEqual(expected)
  })
})
