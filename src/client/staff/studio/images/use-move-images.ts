import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type ImageUsage, moveImages } from '#contract/studio/image-lookups.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import type { ImageParams } from './image-params.ts'

export type MoveTarget = { subjectId: number } | { groupId: number } | { nobody: boolean }

const affectedMessage = (affected: readonly ImageUsage[]): string => {
  const orders = affected.flatMap((one) =>
    one.orders.map(({ orderNumber, customerName }) => `${orderNumber} (${customerName})`),
  )
  const carts = affected.reduce((sum, one) => sum + one.carts, 0)
  const customers = [
    ...(orders.length > 0
      ? [`Orders ${[...new Set(orders)].join(', ')} have it and stay as they are: write to these customers.`]
      : []),
    ...(carts > 0
      ? [`${carts} ${carts === 1 ? 'cart loses' : 'carts lose'} it, and their customers choose again.`]
      : []),
  ]
  return customers.join(' ')
}

/** Moves images. If an image has been ordered, asks for confirmation and lists the orders first. */
export const useMoveImages = (job: ImageParams) => {
  const { mutate, busy } = useStaffMutation(moveImages)
  const move = async (imageIds: number[], to: MoveTarget): Promise<boolean> => {
    const answer = await mutate({ params: job, body: { imageIds, to } })
    if (!answer.ok) return false
    if (answer.data.moved) return true
    const isSure = await confirm({
      title: 'Somebody ordered this picture',
      message: affectedMessage(answer.data.affected),
      confirmText: 'Move it',
      danger: true,
    })
    if (!isSure) return false
    const moved = await mutate({ params: job, body: { imageIds, to, evenIfOrdered: true } })
    if (moved.ok) toast('Moved', 'success')
    return moved.ok
  }
  return { move, busy }
}
