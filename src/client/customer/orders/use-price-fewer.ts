import { useCallback, useEffect, useState } from 'react'
import type { Order } from '../../../contract/checkout.ts'
import { priceFewer, type SmallerOrder } from '../../../contract/order-changes.ts'
import type { Failed } from '../../../local/ask.ts'
import { ask } from '../../device/ask.ts'

/** How many are kept of each line that was touched. */
export type Kept = Readonly<Record<number, number>>
export type Wanted = { lineId: number; quantity: number }[]

/** What is wanted otherwise than it was ordered. */
export const wantedOf = (lines: readonly { lineId: number; quantity: number }[], kept: Kept): Wanted =>
  lines.flatMap(({ lineId, quantity }) => {
    const left = kept[lineId] ?? quantity
    return left === quantity ? [] : [{ lineId, quantity: left }]
  })

type Answered = { words: string; priced: SmallerOrder | null; problem: Failed | null }

/** What an order would come to with fewer packages, asked of the server at each change; nothing of an earlier choice shows with a later one. */
export const usePriceFewer = ({ jobId, orderNumber }: Order, wanted: Wanted) => {
  const words = JSON.stringify(wanted)
  const [answered, setAnswered] = useState<Answered | null>(null)
  const [round, setRound] = useState(0)
  const again = useCallback(() => {
    setAnswered(null)
    setRound((before) => before + 1)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies(round): a new round is exactly the wish to ask again
  useEffect(() => {
    const packages = JSON.parse(words) as Wanted // our own words, just written
    if (packages.length === 0) return
    const leaving = new AbortController()
    const asking = async () => {
      const params = { jobId, orderId: orderNumber }
      const answer = await ask(priceFewer, { params, body: { packages }, signal: leaving.signal })
      if (leaving.signal.aborted) return
      setAnswered(answer.ok ? { words, priced: answer.data, problem: null } : { words, priced: null, problem: answer })
    }
    void asking()
    return () => leaving.abort()
  }, [jobId, orderNumber, words, round])
  const current = answered?.words === words ? answered : null
  return { priced: current?.priced ?? null, problem: current?.problem ?? null, again }
}
