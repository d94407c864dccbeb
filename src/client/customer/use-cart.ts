import { useLiveQuery } from 'dexie-react-hooks'
import { useRef } from 'react'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { readCart } from '../../local/cart.ts'
import { type CartView, keepLines } from '../../local/cart-view.ts'
import { local } from '../device/local.ts'

/** The cart as this device has it, kept current; undefined until it has been read. */
export const useCart = (jobId: number, orderMethod: OrderMethod): CartView | undefined => {
  const last = useRef<CartView>(undefined)
  return useLiveQuery(async () => {
    last.current = keepLines(await readCart(local, jobId, orderMethod), last.current)
    return last.current
  }, [jobId, orderMethod])
}
