import type { ImageFact } from '../../../domain/cart.ts'
import { addLine } from '../../../local/cart.ts'
import type { CartKey } from '../../../local/database.ts'
import { local, stamp } from '../../device/local.ts'
import type { Person } from '../person.ts'
import { inOrder } from './choosing.ts'
import { contentOf, type Part, snapshotOf } from './part.ts'

export type Added = { ok: true } | { ok: false; sentence: string; added: number }

/** Puts finished packages into the cart, one line each, those that carry others first. Stops at the first that may not stand. */
export const addToCart = async (
  key: CartKey,
  { parts, person, facts }: { parts: readonly Part[]; person: Person; facts: readonly ImageFact[] },
): Promise<Added> => {
  const order = inOrder(parts.map((part) => part.package))
  const sorted = [...parts].sort((one, other) => order.indexOf(one.package) - order.indexOf(other.package))
  let added = 0
  for (const part of sorted) {
    const { subjectId, personId } = person
    const snapshot = snapshotOf(part, person, facts)
    const answer = await addLine(local, stamp, {
      ...key,
      snapshot,
      subjectId,
      personId,
      quantity: part.quantity,
      content: contentOf(part),
    })
    if (!answer.ok) return { ok: false, sentence: answer.sentence, added }
    added += 1
  }
  return { ok: true }
}
