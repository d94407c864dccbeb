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
  touched: ChangedQuantities,
): LineQuantities =>
  lines.flatMap(({ lineId, quantity }) => {
    const wanted = touched[lineId] ?? quantity
    return wanted === quantity ? [] : [{ lineId, quantity: wanted }]
  })

type Pricing = typeof quoteReduction | typeof quoteIncrease
type QuoteResponse<Call extends Pricing> = {
  serialized: string
  priced: Infer<Call['answer']> | null
  problem: CallFailure | null
}
type OrderQuoteInput = { jobId: number; orderNumber: string }

/**
 * Quotes an order with changed quantities, requested at each change. A quote of an earlier choice is never shown with a
 * later one.
 */
export const useOrderQuote = <Call extends Pricing>(
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
      const result = await callApi<Pricing>(call, { params, body: { packages }, signal: controller.signal })
      if (controller.signal.aborted) return
      // The call's struct has validated the response.
      const priced = result.ok ? (result.data as Infer<Call['answer']>) : null
      setResponse({ serialized, priced, problem: result.ok ? null : result })
    }
    void load()
    return () => controller.abort()
  }, [call, jobId, orderNumber, serialized, attempt])
  const current = response?.serialized === serialized ? response : null
  return { priced: current?.priced ?? null, problem: current?.problem ?? null, again: retry }
}
