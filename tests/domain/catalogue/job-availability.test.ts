import { describe, expect, test } from 'vitest'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type Availability, chooseOrderMethod, closedReason } from '#domain/catalogue/job-availability.ts'

const both: Availability = {
  published: true,
  archived: false,
  prepay: { available: true },
  gallery: { available: true },
}
const onlyPrepay: Availability = { ...both, gallery: { available: false } }
const onlyGallery: Availability = { ...both, prepay: { available: false } }
const neither: Availability = { ...onlyPrepay, prepay: { available: false } }

describe('the customer entry guard (section 4)', () => {
  test.each<[string, Availability, OrderMethod, string | null]>([
    ['open', both, 'gallery', null],
    ['unpublished', { ...both, published: false }, 'gallery', 'unpublished'],
    ['archived', { ...both, archived: true }, 'prepay', 'archived'],
    ['prepay not available', onlyGallery, 'prepay', 'method-closed'],
    ['gallery not available', onlyPrepay, 'gallery', 'method-closed'],
    ['archived and unpublished', { ...neither, archived: true, published: false }, 'prepay', 'archived'],
  ])('%s', (_name, availability, method, reason) => expect(closedReason(availability, method)).toBe(reason))
})

describe('the order method (section 4)', () => {
  test.each<[string, OrderMethod | null, Availability, boolean, string]>([
    ["the cart's, while open", 'prepay', both, true, 'prepay'],
    ["not the cart's once closed", 'prepay', onlyGallery, false, 'gallery'],
    ['the only open one: gallery, images or not', null, onlyGallery, false, 'gallery'],
    ['the only open one: prepay, even with images', null, onlyPrepay, true, 'prepay'],
    ['both open with images', null, both, true, 'gallery'],
    ['both open without images', null, both, false, 'prepay'],
  ])('%s', (_name, cartWithLines, availability, hasPublishedImages, method) => {
    expect(chooseOrderMethod({ cartWithLines, availability, hasPublishedImages })).toEqual({ method })
  })

  test.each([neither, { ...both, archived: true }])(
    'none: unknown, with a warning to log (section 8)',
    (availability) => {
      const choice = chooseOrderMethod({ cartWithLines: 'gallery', availability, hasPublishedImages: true })
      expect(choice.method).toBe('unknown')
      expect(choice.warning).toMatch(/missing order method/)
    },
  )
})
