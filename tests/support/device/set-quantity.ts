import { type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { type CartLineKey, type ChangeResult, changeCart } from '#local/cart.ts'
import type { LocalDatabase } from '#local/store/database.ts'

/** Sets a line's quantity in one mutation. Customers change it in steps. */
export const setQuantity = (
  db: LocalDatabase,
  stamp: Stamp,
  { lineId, quantity, ...key }: CartLineKey & { quantity: number },
): Promise<ChangeResult> =>
  changeCart(db, key, [{ mutation: stampChange({ do: 'line.quantity', lineId, quantity }, stamp), snapshot: null }])
