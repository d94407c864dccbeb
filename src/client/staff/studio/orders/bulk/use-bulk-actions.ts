import { useState } from 'react'
import type { ListSelection } from '#client/staff/kit/list/use-list-selection.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatOrderCount } from '#client/staff/kit/screen/format.ts'
import { assignMainImages, moveOrders, type SelectedOrders, submitReadyOrders } from '#contract/studio/order-lists.ts'
import { recallPacket } from '#contract/studio/packets.ts'
import { toast } from '#ui/toast/toast.ts'
import type { BulkResult } from './bulk-result.tsx'

/** The selected orders of a list, with the argument that selects them in bulk calls. */
export type OrderSelection = ListSelection & { selectedOrders: SelectedOrders }

/** A function that runs the action on the remaining orders; undefined if there are none. */
const createRunRest = (nextAfter: number | null, run: (cursor: number) => Promise<unknown>) =>
  nextAfter === null ? undefined : () => run(nextAfter)

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
    toast(`${formatOrderCount(answer.data.orders)} recalled from the lab`, 'success')
    return true
  }
  /** Returns whether any order was submitted. */
  const submitToLab = async (orders: SelectedOrders, after?: number): Promise<boolean> => {
    const answer = await submit.mutate({ params, body: { which: orders, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { packet, after: nextAfter, ...rejections } = answer.data
    const message = packet
      ? `${formatOrderCount(packet.orderNumbers.length)} went to the lab.`
      : 'None of these could be submitted.'
    const undo = packet ? async () => void (await recallOrders(packet.id)) : undefined
    const runRest = createRunRest(nextAfter, (cursor) => submitToLab(orders, cursor))
    setResult({ message, ...rejections, runRest, undo })
    return packet !== null
  }
  const moveTo = async (orders: SelectedOrders, to: 'inProduction' | 'shipped', after?: number): Promise<boolean> => {
    const answer = await move.mutate({ params, body: { which: orders, to, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { moved, after: nextAfter, ...rejections } = answer.data
    const runRest = createRunRest(nextAfter, (cursor) => moveTo(orders, to, cursor))
    setResult({
      message: `${formatOrderCount(moved)} ${to === 'shipped' ? 'shipped' : 'in production'}.`,
      ...rejections,
      runRest,
    })
    return true
  }
  const assignPrimaryImages = async (orders: SelectedOrders, after?: number): Promise<boolean> => {
    const answer = await assignImages.mutate({ params, body: { which: orders, ...(after !== undefined && { after }) } })
    if (!answer.ok) return false
    const { placed, after: nextAfter, ...rejections } = answer.data
    const runRest = createRunRest(nextAfter, (cursor) => assignPrimaryImages(orders, cursor))
    setResult({ message: `Main images placed on ${formatOrderCount(placed)}.`, ...rejections, runRest })
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
