import type { Stamp } from '#domain/cart/mutation.ts'
import { saveConfirmedCart } from './confirmed-cart.ts'
import type { LocalDatabase } from './database.ts'
import type { CartKey } from './rows.ts'

/** The URLs of customers' images in a text, without duplicates. */
export const imageUrlsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/"(\/photos\/[^"\\?]+)"/g)].map(([, path = '']) => path)),
]

type IsWithdrawn = (address: string) => boolean

const isWithdrawnUrl = (isWithdrawn: IsWithdrawn, value: unknown): boolean =>
  typeof value === 'string' && isWithdrawn(value)

const isWithdrawnImage = (isWithdrawn: IsWithdrawn, item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  (('thumbnailUrl' in item && isWithdrawnUrl(isWithdrawn, item.thumbnailUrl)) ||
    ('previewUrl' in item && isWithdrawnUrl(isWithdrawn, item.previewUrl)))

const removeImages = (value: unknown, isWithdrawn: IsWithdrawn): unknown => {
  if (typeof value === 'string') return isWithdrawn(value) ? null : value
  if (Array.isArray(value))
    return value.filter((item) => !isWithdrawnImage(isWithdrawn, item)).map((item) => removeImages(item, isWithdrawn))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, removeImages(part, isWithdrawn)]))
}

/** Removes withdrawn images from plain data: entries of lists are left out, single URLs become null. */
export const withoutImages = <Value>(value: Value, isWithdrawn: IsWithdrawn): Value =>
  removeImages(value, isWithdrawn) as Value // every image URL outside a list entry is nullable

const containsAny = (value: unknown, isWithdrawn: IsWithdrawn): boolean =>
  imageUrlsIn(JSON.stringify(value)).some(isWithdrawn)

/**
 * Removes the URLs of withdrawn images from every cart, mutation and order on the device, so that screens show none of
 * them, offline too. Returns the carts that contained one, and those with content marked as withdrawn before: the image
 * may be back, or its subject hidden.
 */
export const deleteImages = (db: LocalDatabase, stamp: Stamp, isWithdrawn: IsWithdrawn): Promise<CartKey[]> =>
  db.transaction('rw', db.carts, db.outbox, db.orders, async () => {
    const carts = await db.carts.toArray()
    const changed = carts.filter(({ cart }) => containsAny(cart, isWithdrawn))
    for (const stored of changed)
      await saveConfirmedCart(db, stamp, { ...stored, cart: withoutImages(stored.cart, isWithdrawn) })
    await db.outbox.toCollection().modify((row) => {
      if (containsAny(row.recorded, isWithdrawn)) row.recorded = withoutImages(row.recorded, isWithdrawn)
    })
    await db.orders.toCollection().modify((row) => {
      if (containsAny(row.order, isWithdrawn)) row.order = withoutImages(row.order, isWithdrawn)
    })
    return carts.filter((stored) => changed.includes(stored) || JSON.stringify(stored.cart).includes('"withdrawn"'))
  })
