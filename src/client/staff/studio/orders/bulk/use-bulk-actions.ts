import { useState } from 'react'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { moveOrders, placeMainPictures, submitReady, type WhichOrders } from '#contract/studio/order-lists.ts'
import { takePacketBack } from '#contract/studio/packets.ts'
import { toast } from '#ui/toast/toast.ts'
import { ordersWords } from '../order-format.ts'
import type { Outcome } from './bulk-result.tsx'

const restOf = (next: number | null, goOn: (after: number) => Promise<unknown>) =>
  next === null ? undefined : () => goOn(next)

/** What staff do with many orders at once, and what came of it. */
export const useMany = ({ studioId, jobId }: JobPlace) => {
  const params = { studioId, jobId }
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const submit = useChange(submitReady)
  const move = useChange(moveOrders)
  const place = useChange(placeMainPictures)
  const back = useChange(takePacketBack)

  const takeBack = async (packetId: number): Promise<boolean> => {
    const answer = await back.make({ params: { ...params, packetId }, body: {} })
    if (!answer.ok) return false
    setOutcome(null)
    toast(`${ordersWords(answer.data.orders)} taken back from the lab`, 'success')
    return true
  }
  /** True where some of them went. */
  const toLab = async (which: WhichOrders, after?: number): Promise<boolean> => {
    const answer = await submit.make({ params, body: { which, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { packet, after: next, ...stayed } = answer.data
    const words = packet ? `${ordersWords(packet.orderNumbers.length)} went to the lab.` : 'None of these could go.'
    const undo = packet ? async () => void (await takeBack(packet.id)) : undefined
    const goOn = restOf(next, (rest) => toLab(which, rest))
    setOutcome({ words, ...stayed, goOn, undo })
    return packet !== null
  }
  const moveTo = async (which: WhichOrders, to: 'inProduction' | 'shipped', after?: number): Promise<boolean> => {
    const answer = await move.make({ params, body: { which, to, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { moved, after: next, ...stayed } = answer.data
    const goOn = restOf(next, (rest) => moveTo(which, to, rest))
    setOutcome({ words: `${ordersWords(moved)} ${to === 'shipped' ? 'shipped' : 'in production'}.`, ...stayed, goOn })
    return true
  }
  const placePictures = async (which: WhichOrders, after?: number): Promise<boolean> => {
    const answer = await place.make({ params, body: { which, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { placed, after: next, ...stayed } = answer.data
    const goOn = restOf(next, (rest) => placePictures(which, rest))
    setOutcome({ words: `Main pictures placed on ${ordersWords(placed)}.`, ...stayed, goOn })
    return true
  }
  return {
    outcome,
    forget: () => setOutcome(null),
    toLab,
    moveTo,
    placePictures,
    takeBack,
    busy: submit.busy || move.busy || place.busy || back.busy,
  }
}

export type Many = ReturnType<typeof useMany>
