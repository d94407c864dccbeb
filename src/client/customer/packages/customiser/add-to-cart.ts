import type { SnapshotImage } from '#domain/cart/cart.ts'
import { type AddLinesResult, addLines } from '#local/cart.ts'
import type { CartKey } from '#local/store/rows.ts'
import { database, stamp } from '#platform/database.ts'
import { sortForCart } from '../offers/package-selection.ts'
import type { PackageSubject } from '../package-context.ts'
import { type CustomisedPackage, toLineContent, toLineSnapshot } from './customised-package.ts'

/** Adds finished packages to the cart, one line each: all of them, or none if one is not allowed. */
export const addToCart = async (
  key: CartKey,
  {
    parts,
    subject,
    images,
  }: { parts: readonly CustomisedPackage[]; subject: PackageSubject; images: readonly SnapshotImage[] },
): Promise<AddLinesResult> => {
  const order = sortForCart(parts.map((part) => part.package))
  const sortedParts = [...parts].sort((first, second) => order.indexOf(first.package) - order.indexOf(second.package))
  const { subjectId, personId } = subject
  const lines = sortedParts.map((part) => ({
    snapshot: toLineSnapshot(part, subject, images),
    subjectId,
    personId,
    quantity: part.quantity,
    content: toLineContent(part),
  }))
  return await addLines(database, stamp, { ...key, lines })
}
