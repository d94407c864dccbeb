import { useCallback, useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import type { quoteIncrease, quoteReduction } from '#contract/customer/order-adjustment-calls.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'

/** The new quantity of each changed line. */
export type ChangedQuantities = Readonly<Record<number, number>>
export type LineQuantities = { lineId: number; quantity: number }[]

/** The lines whose quantity differs from the order. */
export const changedLines = (
  lines: readonly { lineId: number; quantity: number }[],
  changedQuantities: ChangedQuantities,
): LineQuantities =>
  lines.flatMap(({ lineId, quantity }) => {
    const newQuantity = changedQuantities[lineId] ?? quantity
    return newQuantity === quantity ? [] : [{ lineId, quantity: newQuantity }]
  })

type QuoteCall = typeof quoteReduction | typeof quoteIncrease
type QuoteResponse<Call extends QuoteCall> = {
  serialized: string
  quote: Infer<Call['answer']> | null
  problem: CallFailure | null
}
type OrderQuoteInput = { jobId: number; orderNumber: string }

/**
 * Quotes an order with changed quantities, requested at each change. A quote of an earlier choice is never shown with a
 * later one.
 */
export const useOrderQuote = <Call extends QuoteCall>(
  call: Call,
  { jobId, orderNumber }: OrderQuoteInput,
  quantities: LineQuantities,
) => {
  const serialized = JSON.stringify(quantities)
  const [response, setResponse] = useState<QuoteResponse<Call> | null>(null)
  const [attempt, setAttempt] = useState(0)
  const retry = useCallback(() => {
    setResponse(null)
    setAttempt((before) => before + 1)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies(attempt): a new attempt retries
  useEffect(() => {
    const packages = JSON.parse(serialized) as LineQuantities // serialized above
    if (packages.length === 0) return
    const controller = new AbortController()
    const load = async () => {
      const params = { jobId, orderId: orderNumber }
      const result = await callApi<QuoteCall>(call, { params, body: { packages }, signal: controller.signal })
      if (controller.signal.aborted) return
      // The call's struct has validated the response.
      const quote = result.ok ? (result.data as Infer<Call['answer']>) : null
      setResponse({ serialized, quote, problem: result.ok ? null : result })
    }
    void load()
    return () => controller.abort()
  }, [call, jobId, orderNumber, serialized, attempt])
  const current = response?.serialized === serialized ? response : null
  return { quote: current?.quote ?? null, problem: current?.problem ?? null, retry }
}
