import type { Cart, LineSnapshot } from '../domain/cart.ts'
import type { Recorded, Stamp } from '../domain/mutation.ts'
import type { LocalDatabase } from './database.ts'
import { keepCart } from './kept-cart.ts'

/**
 * Removes the addresses of photos under withdrawn grants from every cart and every change that waits: a screen that shows a cart draws it
 * without them at once, offline too.
 */
export const forgetPhotosOf = (
  db: LocalDatabase,
  stamp: Stamp,
  { grants, jobId }: { grants: ReadonlySet<string>; jobId: number },
): Promise<void> =>
  db.transaction('rw', db.carts, db.outbox, async () => {
    const isGone = (address: string | null): boolean => grants.has(address?.split('/')[2] ?? '')
    for (const kept of await db.carts.where({ jobId }).toArray()) {
      const cart = withoutPhotos(kept.cart, isGone)
      if (JSON.stringify(cart) !== JSON.stringify(kept.cart)) await keepCart(db, stamp, { ...kept, cart })
    }
    await db.outbox.where({ jobId }).modify((row) => {
      row.recorded = recordedWithout(row.recorded, isGone)
    })
  })

type IsGone = (address: string | null) => boolean

const faceWithout = <Person extends { imageThumbnailUrl: string | null }>(person: Person, isGone: IsGone): Person =>
  isGone(person.imageThumbnailUrl) ? { ...person, imageThumbnailUrl: null } : person

const snapshotWithout = (snapshot: LineSnapshot, isGone: IsGone): LineSnapshot => ({
  ...snapshot,
  subject: faceWithout(snapshot.subject, isGone),
  images: snapshot.images.filter(({ thumbnailUrl }) => !isGone(thumbnailUrl)),
})

const withoutPhotos = (cart: Cart, isGone: IsGone): Cart => ({
  ...cart,
  subjects: cart.subjects.map((one) => faceWithout(one, isGone)),
  cartPackages: cart.cartPackages.map((line) => ({
    ...line,
    snapshot: snapshotWithout(line.snapshot, isGone),
    cartPackageItems: line.cartPackageItems.map((item) => ({
      ...item,
      imageNodes: item.imageNodes.map((node) => faceWithout(node, isGone)),
    })),
  })),
})

const recordedWithout = (recorded: Recorded, isGone: IsGone): Recorded => {
  const { snapshot } = recorded
  return snapshot && 'images' in snapshot ? { ...recorded, snapshot: snapshotWithout(snapshot, isGone) } : recorded
}
