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
type Answered<Call extends Pricing> = {
  words: string
  priced: Infer<Call['answer']> | null
  problem: CallFailure | null
}
type OfOrder = { jobId: number; orderNumber: string }

/**
 * Quotes an order with changed quantities, requested at each change. A quote of an earlier choice is never shown with a
 * later one.
 */
export const useOrderQuote = <Call extends Pricing>(
  call: Call,
  { jobId, orderNumber }: OfOrder,
  wanted: LineQuantities,
) => {
  const words = JSON.stringify(wanted)
  const [answered, setAnswered] = useState<Answered<Call> | null>(null)
  const [round, setRound] = useState(0)
  const again = useCallback(() => {
    setAnswered(null)
    setRound((before) => before + 1)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies(round): a new round retries
  useEffect(() => {
    const packages = JSON.parse(words) as LineQuantities // serialized above
    if (packages.length === 0) return
    const leaving = new AbortController()
    const asking = async () => {
      const params = { jobId, orderId: orderNumber }
      const answer = await callApi<Pricing>(call, { params, body: { packages }, signal: leaving.signal })
      if (leaving.signal.aborted) return
      // The call's struct has validated the response.
      const priced = answer.ok ? (answer.data as Infer<Call['answer']>) : null
      setAnswered({ words, priced, problem: answer.ok ? null : answer })
    }
    void asking()
    return () => leaving.abort()
  }, [call, jobId, orderNumber, words, round])
  const current = answered?.words === words ? answered : null
  return { priced: current?.priced ?? null, problem: current?.problem ?? null, again }
}
