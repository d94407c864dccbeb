import { useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { getHandOver, postHandOver } from '#contract/customer/hand-over.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'

/** Interval in milliseconds between polls for the acceptance. */
const pollMs = 3_000

export type HandOver = Infer<(typeof postHandOver)['answer']>
/** `over`: it expired, or a newer one was created. */
export type HandOverStatus = 'waiting' | 'taken' | 'over'

type CreatedHandOver = { handOver: HandOver; status: HandOverStatus }

/** Creates a hand-over once `may` is true, and polls its status; `again` creates the next one. */
export const useHandOver = (of: { jobId: number; orderMethod: OrderMethod }, may: boolean) => {
  const { jobId, orderMethod } = of
  const [created, setCreated] = useState<CreatedHandOver | null>(null)
  const [problem, setProblem] = useState<CallFailure | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (!may || created) return
    let left = false
    const make = async (_attempt: number) => {
      const response = await callApi(postHandOver, { params: { jobId }, body: { orderMethod } })
      if (left) return
      if (response.ok) setCreated({ handOver: response.data, status: 'waiting' })
      setProblem(response.ok ? null : response)
    }
    void make(attempt)
    return () => {
      left = true
    }
  }, [jobId, orderMethod, may, created, attempt])

  const waitsFor = created?.status === 'waiting' ? created.handOver : null
  useEffect(() => {
    if (!waitsFor) return
    let left = false
    const tell = (status: HandOverStatus) => left || setCreated({ handOver: waitsFor, status })
    const poll = async () => {
      if (document.visibilityState !== 'visible') return
      const response = await callApi(getHandOver, { params: { jobId } })
      if (response.ok) {
        const status = response.data.id === waitsFor.id ? response.data.state : 'over'
        if (status !== 'waiting') tell(status)
      } else if (response.status === 404) tell('over')
    }
    const onVisible = () => void poll()
    const timer = setInterval(onVisible, pollMs)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      left = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [waitsFor, jobId])

  const renew = () => {
    setCreated(null)
    setProblem(null)
    setAttempt((before) => before + 1)
  }
  return { made: created, problem, again: renew }
}
