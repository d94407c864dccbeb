import { useObservable } from 'dexie-react-hooks'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { type CartReading, cartReading } from '../../local/cart-reading.ts'
import type { CartView } from '../../local/cart-view.ts'
import type { CartKey } from '../../local/database.ts'
import { local } from '../device/local.ts'

const readings = new Map<string, CartReading>()

const readingOf = (jobId: number, orderMethod: OrderMethod): CartReading => {
  const name = `${jobId} ${orderMethod}`
  const reading = readings.get(name) ?? cartReading(local, { jobId, orderMethod })
  readings.set(name, reading)
  return reading
}

/** Says "Saving…" in the header until a change of this cart, which the screen already shows, is written and the cart has followed. */
export const whileSaving = <Value>({ jobId, orderMethod }: CartKey, work: () => Promise<Value>): Promise<Value> =>
  readingOf(jobId, orderMethod).saving(work)

/** The cart as this device has it, kept current; undefined until it has been read. */
export const useCart = (jobId: number, orderMethod: OrderMethod): CartView | undefined =>
  useObservable(() => readingOf(jobId, orderMethod), [jobId, orderMethod])
