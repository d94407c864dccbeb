import { useCallback, useEffect, useRef, useState } from 'react'
import {
  type Checkout,
  type CheckoutDetails,
  getTotals,
  postCheckout,
  type Totals,
} from '#contract/customer/checkout-calls.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { checkoutIdFor } from '#local/checkout.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { CartKey } from '#local/store/database.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import type { CallFailure, RequestFunction } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { database, stamp } from '#platform/database.ts'
import { useOnline } from '#platform/online.ts'

export type CheckoutPricing = {
  /** The server's checkout: what may be chosen, and how it is paid. The last one known, until there is a newer. */
  checkout: Checkout | undefined
  /** Of exactly the details and the cart as they are; undefined while they are being asked for. */
  totals: Totals | undefined
  /** The last totals known, for what has to stay on the screen meanwhile. */
  lastTotals: Totals | undefined
  problem: CallFailure | undefined
  refetch: () => void
}

type Answer = { words: string; checkout?: Checkout; totals?: Totals; problem?: CallFailure }

/** Milliseconds after the last change before the server is told: typing an address is one change. */
const restMs = 500

/** Milliseconds until the server is asked once more after it could not be reached or was busy. */
const retryMs = 5000

type Question = { key: CartKey; cartVersion: number; details: CheckoutDetails; signal: AbortSignal }

/** Keeps the details on the server, then asks what the cart comes to with them. What costs nothing is paid with nothing. */
const priceCheckout = async (
  askServer: RequestFunction,
  checkoutId: string,
  { key, cartVersion, details, signal }: Question,
): Promise<Omit<Answer, 'words'>> => {
  const { jobId, orderMethod } = key
  const keep = (kept: CheckoutDetails) =>
    askServer(postCheckout, { params: { jobId }, body: { checkoutId, ...kept }, signal })
  const kept = await keep(details)
  if (!kept.ok) return { problem: kept }
  const checkout = kept.data
  if (checkout.orderNumber !== null) return { checkout }
  const priced = await askServer(getTotals, { params: { jobId }, query: { orderMethod }, signal })
  if (!priced.ok) return { checkout, problem: priced }
  // Its lines changed at the studio: the screen is to show them before they are paid.
  if (priced.data.cartVersion !== cartVersion)
    await withDatabaseRetry(database, () => refreshCart(database, askServer, key))
  if (priced.data.totalCents === 0) await keep({ ...details, payMethod: 'none' })
  return { checkout, totals: priced.data }
}

/**
 * The server's totals, live: asked for again whenever the details or the cart change, and when the network is back. The details may
 * depend on what the server offers. `cartVersion` null asks nothing: the cart is not there yet, or is being paid.
 */
export const useCheckoutPricing = (
  { jobId, orderMethod }: CartKey,
  cartVersion: number | null,
  detailsFor: (checkout: Checkout | undefined) => CheckoutDetails,
): CheckoutPricing => {
  const [answer, setAnswer] = useState<Answer>({ words: '' })
  const [round, setRound] = useState(0)
  const online = useOnline()
  const again = useCallback(() => setRound((before) => before + 1), [])
  const words = cartVersion === null ? null : JSON.stringify({ details: detailsFor(answer.checkout), cartVersion })
  const rest = answer.words === '' ? 0 : restMs

  // biome-ignore lint/correctness/useExhaustiveDependencies(round): a new round is exactly the wish to ask again
  // biome-ignore lint/correctness/useExhaustiveDependencies(online): a network that came back is a reason to ask again
  // biome-ignore lint/correctness/useExhaustiveDependencies(rest): how long to wait is no reason to ask
  useEffect(() => {
    if (words === null) return
    const leaving = new AbortController()
    const price = async () => {
      const { details, cartVersion: version } = JSON.parse(words) as Pick<Question, 'details' | 'cartVersion'> // our own words, just written
      const key = { jobId, orderMethod }
      const checkoutId = await withDatabaseRetry(database, () => checkoutIdFor(database, stamp, key))
      if (typeof checkoutId !== 'string') return
      const got = await priceCheckout(callApi, checkoutId, {
        key,
        cartVersion: version,
        details,
        signal: leaving.signal,
      })
      if (leaving.signal.aborted) return
      setAnswer((before) => ({ checkout: before.checkout, ...got, words }))
    }
    const timer = setTimeout(() => void price(), rest)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [jobId, orderMethod, words, round, online])

  const current = answer.words === words
  const problem = current ? answer.problem : undefined
  useEffect(() => {
    if (!problem || retryPolicy(problem.status, problem.problem) !== 'retry') return
    const timer = setTimeout(again, retryMs)
    return () => clearTimeout(timer)
  }, [problem, again])

  const totals = current ? answer.totals : undefined
  // Of what stood here once; an answer that the checkout's own offers overtook was of nothing anybody saw.
  const last = useRef<Totals>(undefined)
  if (totals) last.current = totals
  return { checkout: answer.checkout, totals, lastTotals: last.current, problem, refetch: again }
}
