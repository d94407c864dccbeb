import type { Stamp } from '#domain/cart/mutation.ts'
import { saveConfirmedCart } from './confirmed-cart.ts'
import type { CartKey, LocalDatabase } from './database.ts'

/** The addresses of customers' photos that a text names, each once. */
export const imageUrlsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/"(\/photos\/[^"\\?]+)"/g)].map(([, path = '']) => path)),
]

type IsGone = (address: string) => boolean

const isAddressOf = (isGone: IsGone, value: unknown): boolean => typeof value === 'string' && isGone(value)

const isGonePhoto = (isGone: IsGone, item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  (('thumbnailUrl' in item && isAddressOf(isGone, item.thumbnailUrl)) ||
    ('previewUrl' in item && isAddressOf(isGone, item.previewUrl)))

const without = (value: unknown, isGone: IsGone): unknown => {
  if (typeof value === 'string') return isGone(value) ? null : value
  if (Array.isArray(value))
    return value.filter((item) => !isGonePhoto(isGone, item)).map((item) => without(item, isGone))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, without(part, isGone)]))
}

/** Removes withdrawn photos from plain data: entries of lists are left out, single addresses become null. */
export const withoutImages = <Value>(value: Value, isGone: IsGone): Value => without(value, isGone) as Value // addresses are nullable wherever they are no part of a listed photo

const namesAny = (value: unknown, isGone: IsGone): boolean => imageUrlsIn(JSON.stringify(value)).some(isGone)

/**
 * Removes the addresses of withdrawn photos from every cart, mutation and order on the device: a screen that shows one draws it without
 * them at once, offline too. Answers the carts that named one, and those that lack one already: it may be back, or its person gone.
 */
export const deleteImages = (db: LocalDatabase, stamp: Stamp, isGone: IsGone): Promise<CartKey[]> =>
  db.transaction('rw', db.carts, db.outbox, db.orders, async () => {
    const carts = await db.carts.toArray()
    const changed = carts.filter(({ cart }) => namesAny(cart, isGone))
    for (const stored of changed)
      await saveConfirmedCart(db, stamp, { ...stored, cart: withoutImages(stored.cart, isGone) })
    await db.outbox.toCollection().modify((row) => {
      if (namesAny(row.recorded, isGone)) row.recorded = withoutImages(row.recorded, isGone)
    })
    await db.orders.toCollection().modify((row) => {
      if (namesAny(row.order, isGone)) row.order = withoutImages(row.order, isGone)
    })
    return carts.filter((kept) => changed.includes(kept) || JSON.stringify(kept.cart).includes('"withdrawn"'))
  })
