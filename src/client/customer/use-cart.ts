import { liveQuery } from 'dexie'
import { useObservable } from 'dexie-react-hooks'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { readCart } from '../../local/cart.ts'
import { type CartView, keepLines } from '../../local/cart-view.ts'
import { local } from '../device/local.ts'

type Observer = { next: (view: CartView) => void; error: (reason: unknown) => void }

/** One reading of a cart for all of the page that shows it: each change is read once, however many look on. */
const sharedReading = (jobId: number, orderMethod: OrderMethod) => {
  const observers = new Set<Observer>()
  let last: CartView | undefined
  let stop: (() => void) | undefined
  const read = async () => keepLines(await readCart(local, jobId, orderMethod), last)
  const start = () => {
    const reading = liveQuery(read).subscribe({
      next: (view) => {
        last = view
        for (const { next } of observers) next(view)
      },
      error: (reason) => {
        for (const { error } of observers) error(reason)
      },
    })
    return () => reading.unsubscribe()
  }
  return {
    hasValue: () => last !== undefined,
    getValue: () => last,
    subscribe: (next: Observer['next'], error: Observer['error']) => {
      const observer = { next, error }
      observers.add(observer)
      // It may have changed between the drawing and now.
      if (last) next(last)
      stop ??= start()
      return () => {
        observers.delete(observer)
        if (observers.size > 0) return
        stop?.()
        stop = undefined
        // Nobody listens any more: what is read next is the truth.
        last = undefined
      }
    },
  }
}

const readings = new Map<string, ReturnType<typeof sharedReading>>()

const readingOf = (jobId: number, orderMethod: OrderMethod) => {
  const name = `${jobId} ${orderMethod}`
  const reading = readings.get(name) ?? sharedReading(jobId, orderMethod)
  readings.set(name, reading)
  return reading
}

/** The cart as this device has it, kept current; undefined until it has been read. */
export const useCart = (jobId: number, orderMethod: OrderMethod): CartView | undefined =>
  useObservable(() => readingOf(jobId, orderMethod), [jobId, orderMethod])
