import { useObservable } from 'dexie-react-hooks'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type CartSubscription, createCartSubscription } from '#local/store/cart-subscription.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { database } from '#platform/database.ts'

const subscriptions = new Map<string, CartSubscription>()

const subscriptionOf = (jobId: number, orderMethod: OrderMethod): CartSubscription => {
  const name = `${jobId} ${orderMethod}`
  const subscription = subscriptions.get(name) ?? createCartSubscription(database, { jobId, orderMethod })
  subscriptions.set(name, subscription)
  return subscription
}

/**
 * Shows "Saving…" in the header until a change of this cart, already visible on the screen, is stored and the cart has
 * updated.
 */
export const withSavingStatus = <Value>({ jobId, orderMethod }: CartKey, work: () => Promise<Value>): Promise<Value> =>
  subscriptionOf(jobId, orderMethod).saving(work)

/** A live view of the cart on this device; undefined until it has been read. */
export const useCart = (jobId: number, orderMethod: OrderMethod): CartView | undefined =>
  useObservable(() => subscriptionOf(jobId, orderMethod), [jobId, orderMethod])
