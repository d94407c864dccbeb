import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type ImageUsage, moveImages } from '#contract/studio/images/image-lookups.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import type { ImageParams } from './use-image-list.ts'

export type MoveTarget = { subjectId: number } | { groupId: number } | { nobody: boolean }

const affectedMessage = (affected: readonly ImageUsage[]): string => {
  const orderLabels = affected.flatMap(({ orders }) =>
    orders.map(({ orderNumber, customerName }) => `${orderNumber} (${customerName})`),
  )
  const cartCount = affected.reduce((sum, { carts }) => sum + carts, 0)
  const messages = [
    ...(orderLabels.length > 0
      ? [`Orders ${[...new Set(orderLabels)].join(', ')} use it and keep it: contact these customers.`]
      : []),
    ...(cartCount > 0
      ? [`${cartCount} ${cartCount === 1 ? 'cart loses' : 'carts lose'} it, and their customers choose again.`]
      : []),
  ]
  return messages.join(' ')
}

/** Moves images to another owner. If one of them is ordered or in a cart, lists the orders and carts, and asks for confirmation first. */
export const useMoveImages = (job: ImageParams) => {
  const { mutate, busy } = useStaffMutation(moveImages)
  /** Returns whether the images were moved. */
  const move = async (imageIds: number[], to: MoveTarget): Promise<boolean> => {
    const answer = await mutate({ params: job, body: { imageIds, to } })
    if (!answer.ok) return false
    if (answer.data.moved) return true
    const isSure = await confirm({
      title: 'This image was ordered',
      message: affectedMessage(answer.data.affected),
      confirmText: 'Move it',
      danger: true,
    })
    if (!isSure) return false
    const confirmedAnswer = await mutate({ params: job, body: { imageIds, to, evenIfOrdered: true } })
    if (confirmedAnswer.ok) toast('Moved', 'success')
    return confirmedAnswer.ok
  }
  return { move, busy }
}
