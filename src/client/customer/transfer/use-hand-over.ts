import { useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { getHandOver, postHandOver } from '#contract/customer/hand-over.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { usePolling } from '#platform/use-polling.ts'

/** Interval in milliseconds between polls for the acceptance. */
const pollMs = 3_000

export type HandOver = Infer<(typeof postHandOver)['answer']>
/** `over`: the code expired, or a newer one was created. */
export type HandOverStatus = 'waiting' | 'taken' | 'over'

type CreatedHandOver = { handOver: HandOver; status: HandOverStatus }

/** Creates a hand-over once `isAllowed` is true, and polls its status; `renew` creates the next one. */
export const useHandOver = (cart: { jobId: number; orderMethod: OrderMethod }, isAllowed: boolean) => {
  const { jobId, orderMethod } = cart
  const [created, setCreated] = useState<CreatedHandOver | null>(null)
  const [problem, setProblem] = useState<CallFailure | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (!isAllowed || created) return
    let isUnmounted = false
    const create = async (_attempt: number) => {
      const response = await callApi(postHandOver, { params: { jobId }, body: { orderMethod } })
      if (isUnmounted) return
      if (response.ok) setCreated({ handOver: response.data, status: 'waiting' })
      setProblem(response.ok ? null : response)
    }
    void create(attempt)
    return () => {
      isUnmounted = true
    }
  }, [jobId, orderMethod, isAllowed, created, attempt])

  const waitingHandOver = created?.status === 'waiting' ? created.handOver : null
  const poll = async (handOver: HandOver) => {
    const response = await callApi(getHandOver, { params: { jobId } })
    const isOver = response.ok ? response.data.id !== handOver.id : response.status === 404
    const status = isOver ? 'over' : response.ok ? response.data.state : 'waiting'
    // By now the customer may have created another one.
    if (status !== 'waiting') setCreated((current) => (current?.handOver === handOver ? { handOver, status } : current))
  }
  usePolling(waitingHandOver && (() => void poll(waitingHandOver)), pollMs)

  const renew = () => {
    setCreated(null)
    setProblem(null)
    setAttempt((before) => before + 1)
  }
  return { created, problem, renew }
}
