import type { Cart } from '#domain/cart/cart.ts'
import { saveFieldAnswers } from '#server/carts/store/save-field-answers.ts'
import type { Transaction } from '#server/database/database.ts'

/** Lists subjects that were typed in by the customer, and saves the fields answered before picture day. */
export const saveOrderedSubjects = async (tx: Transaction, studioId: number, cart: Cart): Promise<void> => {
  const fieldsBySubject = new Map(cart.cartPackages.map(({ subjectId, dataFields }) => [subjectId, dataFields]))
  for (const [subjectId, dataFields] of fieldsBySubject) {
    if (subjectId === null) continue
    await tx
      .updateTable('subjects')
      .set({ state: 'listed' })
      .where('studio_id', '=', studioId)
      .where('id', '=', subjectId)
      .where('state', '=', 'pending')
      .execute()
    if (cart.orderMethod === 'prepay') await saveFieldAnswers(tx, { studioId, subjectId, dataFields })
  }
}
