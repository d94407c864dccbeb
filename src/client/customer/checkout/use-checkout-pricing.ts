import { useCallback, useEffect, useRef, useState } from 'react'
import { type Checkout, type CheckoutDetails, getTotals, postCheckout } from '#contract/customer/checkout-calls.ts'
import type { Totals } from '#contract/shapes/order-structs.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { checkoutIdFor } from '#local/checkout.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { CartKey } from '#local/store/rows.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import type { CallFailure, RequestFunction } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { database, stamp } from '#platform/database.ts'
import { useOnline } from '#platform/online.ts'

export type CheckoutPricing = {
  /** The server's checkout: the options and the payment provider. Holds the last known one until a newer one loads. */
  checkout: Checkout | undefined
  /** Totals for exactly the current details and cart; undefined while they load. */
  totals: Totals | undefined
  /** The last known totals, shown meanwhile. */
  lastTotals: Totals | undefined
  problem: CallFailure | undefined
  refetch: () => void
}

type PricingResponse = { serialized: string; checkout?: Checkout; totals?: Totals; problem?: CallFailure }

/** Debounce in milliseconds before the details are sent to the server. */
const debounceMs = 500

/** Milliseconds before a retry if the server was unreachable or busy. */
const retryMs = 5000

type PricingInput = { key: CartKey; cartVersion: number; details: CheckoutDetails; signal: AbortSignal }

/** Stores the details on the server, then requests the cart's totals. A free order needs no payment. */
const priceCheckout = async (
  askServer: RequestFunction,
  checkoutId: string,
  { key, cartVersion, details, signal }: PricingInput,
): Promise<Omit<PricingResponse, 'serialized'>> => {
  const { jobId, orderMethod } = key
  const storeDetails = (detailsToStore: CheckoutDetails) =>
    askServer(postCheckout, { params: { jobId }, body: { checkoutId, ...detailsToStore }, signal })
  const response = await storeDetails(details)
  if (!response.ok) return { problem: response }
  const checkout = response.data
  if (checkout.orderNumber !== null) return { checkout }
  const totalsResponse = await askServer(getTotals, { params: { jobId }, query: { orderMethod }, signal })
  if (!totalsResponse.ok) return { checkout, problem: totalsResponse }
  // The server has another version of the cart: the screen must show it before it is paid.
  if (totalsResponse.data.cartVersion !== cartVersion)
    await withDatabaseRetry(database, () => refreshCart(database, askServer, key))
  if (totalsResponse.data.totalCents === 0) await storeDetails({ ...details, payMethod: 'none' })
  return { checkout, totals: totalsResponse.data }
}

/**
 * The server's totals, requested whenever the details or the cart change, and when the network is back. The details may
 * depend on the server's options. A null `cartVersion` requests nothing: the cart is not loaded, or is being paid.
 */
export const useCheckoutPricing = (
  { jobId, orderMethod }: CartKey,
  cartVersion: number | null,
  detailsFor: (checkout: Checkout | undefined) => CheckoutDetails,
): CheckoutPricing => {
  const [response, setResponse] = useState<PricingResponse>({ serialized: '' })
  const [attempt, setAttempt] = useState(0)
  const online = useOnline()
  const retry = useCallback(() => setAttempt((before) => before + 1), [])
  const serialized =
    cartVersion === null ? null : JSON.stringify({ details: detailsFor(response.checkout), cartVersion })
  const delayMs = response.serialized === '' ? 0 : debounceMs

  // biome-ignore lint/correctness/useExhaustiveDependencies(attempt): a new attempt requests again
  // biome-ignore lint/correctness/useExhaustiveDependencies(online): request again when the network is back
  // biome-ignore lint/correctness/useExhaustiveDependencies(delayMs): a changed delay alone needs no request
  useEffect(() => {
    if (serialized === null) return
    const controller = new AbortController()
    const price = async () => {
      const { details, cartVersion: version } = JSON.parse(serialized) as Pick<PricingInput, 'details' | 'cartVersion'> // serialized above
      const key = { jobId, orderMethod }
      const checkoutId = await withDatabaseRetry(database, () => checkoutIdFor(database, stamp, key))
      if (typeof checkoutId !== 'string') return
      const result = await priceCheckout(callApi, checkoutId, {
        key,
        cartVersion: version,
        details,
        signal: controller.signal,
      })
      if (controller.signal.aborted) return
      setResponse((before) => ({ checkout: before.checkout, ...result, serialized }))
    }
    const timer = setTimeout(() => void price(), delayMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [jobId, orderMethod, serialized, attempt, online])

  const isCurrent = response.serialized === serialized
  const problem = isCurrent ? response.problem : undefined
  useEffect(() => {
    if (!problem || retryPolicy(problem.status, problem.problem) !== 'retry') return
    const timer = setTimeout(retry, retryMs)
    return () => clearTimeout(timer)
  }, [problem, retry])

  const totals = isCurrent ? response.totals : undefined
  // Remembers only totals that were shown, not those computed before the server's options arrived.
  const lastTotals = useRef<Totals>(undefined)
  if (totals) lastTotals.current = totals
  return { checkout: response.checkout, totals, lastTotals: lastTotals.current, problem, refetch: retry }
}
