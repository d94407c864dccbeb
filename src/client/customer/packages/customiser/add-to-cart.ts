import type { ImageFact } from '#domain/cart/cart.ts'
import { addLines, type LinesAdded } from '#local/cart.ts'
import type { CartKey } from '#local/store/database.ts'
import { local, stamp } from '#platform/database.ts'
import type { Person } from '../package-subject.ts'
import { inOrder } from '../selection/package-selection.ts'
import { contentOf, type Part, snapshotOf } from './customised-package.ts'

/** Puts finished packages into the cart, one line each: all of them or, where one may not stand, none. */
export const addToCart = async (
  key: CartKey,
  { parts, person, facts }: { parts: readonly Part[]; person: Person; facts: readonly ImageFact[] },
): Promise<LinesAdded> => {
  const order = inOrder(parts.map((part) => part.package))
  const sorted = [...parts].sort((one, other) => order.indexOf(one.package) - order.indexOf(other.package))
  const { subjectId, personId } = person
  const lines = sorted.map((part) => ({
    snapshot: snapshotOf(part, person, facts),
    subjectId,
    personId,
    quantity: part.quantity,
    content: contentOf(part),
  }))
  return await addLines(local, stamp, { ...key, lines })
}
