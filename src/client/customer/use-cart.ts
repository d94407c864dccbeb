import { useLiveQuery } from 'dexie-react-hooks'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { readCart } from '../../local/cart.ts'
import type { CartView } from '../../local/cart-view.ts'
import { local } from '../device/local.ts'

/** The cart as this device has it, kept current; undefined until it has been read. */
export const useCart = (jobId: number, orderMethod: OrderMethod): CartView | undefined =>
  useLiveQuery(() => readCart(local, jobId, orderMethod), [jobId, orderMethod])
