import { useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { getHandOver, postHandOver } from '#contract/customer/hand-over.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'

/** Interval in milliseconds between polls for the acceptance. */
const lookAgainMs = 3_000

export type HandOver = Infer<(typeof postHandOver)['answer']>
/** `over`: it expired, or a newer one was created. */
export type HandOverStatus = 'waiting' | 'taken' | 'over'

type Made = { handOver: HandOver; standing: HandOverStatus }

/** Creates a hand-over once `may` is true, and polls its status; `again` creates the next one. */
export const useHandOver = (of: { jobId: number; orderMethod: OrderMethod }, may: boolean) => {
  const { jobId, orderMethod } = of
  const [made, setMade] = useState<Made | null>(null)
  const [problem, setProblem] = useState<CallFailure | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!may || made) return
    let left = false
    const make = async (_round: number) => {
      const answer = await callApi(postHandOver, { params: { jobId }, body: { orderMethod } })
      if (left) return
      if (answer.ok) setMade({ handOver: answer.data, standing: 'waiting' })
      setProblem(answer.ok ? null : answer)
    }
    void make(round)
    return () => {
      left = true
    }
  }, [jobId, orderMethod, may, made, round])

  const waitsFor = made?.standing === 'waiting' ? made.handOver : null
  useEffect(() => {
    if (!waitsFor) return
    let left = false
    const tell = (standing: HandOverStatus) => left || setMade({ handOver: waitsFor, standing })
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      const answer = await callApi(getHandOver, { params: { jobId } })
      if (answer.ok) {
        const standing = answer.data.id === waitsFor.id ? answer.data.state : 'over'
        if (standing !== 'waiting') tell(standing)
      } else if (answer.status === 404) tell('over')
    }
    const seen = () => void look()
    const timer = setInterval(seen, lookAgainMs)
    document.addEventListener('visibilitychange', seen)
    return () => {
      left = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [waitsFor, jobId])

  const again = () => {
    setMade(null)
    setProblem(null)
    setRound((before) => before + 1)
  }
  return { made, problem, again }
}
