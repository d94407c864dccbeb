import { describe, expect, test } from 'vitest'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type Availability, chooseOrderMethod, closedReason } from '#domain/catalogue/job-availability.ts'

const openForBoth: Availability = {
  published: true,
  archived: false,
  prepay: { available: true },
  gallery: { available: true },
}
const openForPrepay: Availability = { ...openForBoth, gallery: { available: false } }
const openForGallery: Availability = { ...openForBoth, prepay: { available: false } }
const openForNeither: Availability = { ...openForPrepay, prepay: { available: false } }

describe('the customer entry guard (section 4)', () => {
  test.each<[string, Availability, OrderMethod, string | null]>([
    ['open', openForBoth, 'gallery', null],
    ['unpublished', { ...openForBoth, published: false }, 'gallery', 'unpublished'],
    ['archived', { ...openForBoth, archived: true }, 'prepay', 'archived'],
    ['closed for prepay', openForGallery, 'prepay', 'method-closed'],
    ['closed for the gallery', openForPrepay, 'gallery', 'method-closed'],
    ['archived and unpublished', { ...openForNeither, archived: true, published: false }, 'prepay', 'archived'],
  ])('the reason to reject customers of a job that is %s', (_name, availability, method, reason) =>
    expect(closedReason(availability, method)).toBe(reason),
  )
})

describe('the order method (section 4)', () => {
  test.each<[string, OrderMethod | null, Availability, boolean, string]>([
    ['that of the cart while it is open', 'prepay', openForBoth, true, 'prepay'],
    ['not that of the cart once it is closed', 'prepay', openForGallery, false, 'gallery'],
    ['gallery if only the gallery is open, even without images', null, openForGallery, false, 'gallery'],
    ['prepay if only prepay is open, even with images', null, openForPrepay, true, 'prepay'],
    ['gallery if both are open and images are published', null, openForBoth, true, 'gallery'],
    ['prepay if both are open without images', null, openForBoth, false, 'prepay'],
  ])('the order method is %s', (_name, preferredMethod, availability, hasPublishedImages, method) => {
    expect(chooseOrderMethod({ preferredMethod, availability, hasPublishedImages })).toEqual({ method })
  })

  test.each([openForNeither, { ...openForBoth, archived: true }])(
    'the order method is unknown, with a warning to log, if none is open (section 8)',
    (availability) => {
      const choice = chooseOrderMethod({ preferredMethod: 'gallery', availability, hasPublishedImages: true })
      expect(choice.method).toBe('unknown')
      expect(choice.warning).toMatch(/missing order method/)
    },
  )
})
