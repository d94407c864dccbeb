import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { assignMainImages, moveOrders, type SelectedOrders, submitReadyOrders } from '#contract/studio/order-lists.ts'
import { recallPacket } from '#contract/studio/packets.ts'
import { toast } from '#ui/toast/toast.ts'
import { formatOrderCount } from '../order-format.ts'
import type { BulkResult } from './bulk-result.tsx'

const restOf = (next: number | null, continueWith: (after: number) => Promise<unknown>) =>
  next === null ? undefined : () => continueWith(next)

/** Bulk actions on orders and the result of the last one. */
export const useBulkActions = ({ studioId, jobId }: JobParams) => {
  const params = { studioId, jobId }
  const [result, setResult] = useState<BulkResult | null>(null)
  const submit = useStaffMutation(submitReadyOrders)
  const move = useStaffMutation(moveOrders)
  const assignImages = useStaffMutation(assignMainImages)
  const recall = useStaffMutation(recallPacket)

  const recallOrders = async (packetId: number): Promise<boolean> => {
    const answer = await recall.mutate({ params: { ...params, packetId }, body: {} })
    if (!answer.ok) return false
    setResult(null)
    toast(`${formatOrderCount(answer.data.orders)} taken back from the lab`, 'success')
    return true
  }
  /** True if any order was submitted. */
  const submitToLab = async (which: SelectedOrders, after?: number): Promise<boolean> => {
    const answer = await submit.mutate({ params, body: { which, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { packet, after: next, ...skipped } = answer.data
    const message = packet
      ? `${formatOrderCount(packet.orderNumbers.length)} went to the lab.`
      : 'None of these could go.'
    const undo = packet ? async () => void (await recallOrders(packet.id)) : undefined
    const continueWith = restOf(next, (rest) => submitToLab(which, rest))
    setResult({ message, ...skipped, runRest: continueWith, undo })
    return packet !== null
  }
  const moveTo = async (which: SelectedOrders, to: 'inProduction' | 'shipped', after?: number): Promise<boolean> => {
    const answer = await move.mutate({ params, body: { which, to, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { moved, after: next, ...skipped } = answer.data
    const continueWith = restOf(next, (rest) => moveTo(which, to, rest))
    setResult({
      message: `${formatOrderCount(moved)} ${to === 'shipped' ? 'shipped' : 'in production'}.`,
      ...skipped,
      runRest: continueWith,
    })
    return true
  }
  const assignPrimaryImages = async (which: SelectedOrders, after?: number): Promise<boolean> => {
    const answer = await assignImages.mutate({ params, body: { which, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { placed, after: next, ...skipped } = answer.data
    const continueWith = restOf(next, (rest) => assignPrimaryImages(which, rest))
    setResult({ message: `Main pictures placed on ${formatOrderCount(placed)}.`, ...skipped, runRest: continueWith })
    return true
  }
  return {
    result,
    dismissResult: () => setResult(null),
    submitToLab,
    moveTo,
    assignPrimaryImages,
    recallOrders,
    busy: submit.busy || move.busy || assignImages.busy || recall.busy,
  }
}

export type BulkActions = ReturnType<typeof useBulkActions>
