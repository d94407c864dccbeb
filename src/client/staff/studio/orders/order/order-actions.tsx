import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { addToBatch, removeFromBatch } from '#contract/studio/batches.ts'
import { moveOrder, resendReceipt } from '#contract/studio/order-actions.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { isCustomerEditable } from '#domain/orders/order-states.ts'
import { Button } from '#ui/button/button.tsx'
import type { ControlSize } from '#ui/form/control-size.ts'
import { Menu } from '#ui/popover/menu.tsx'
import type { MenuItem } from '#ui/popover/menu-entry.tsx'
import { toast } from '#ui/toast/toast.ts'
import { useBulkActions } from '../bulk/use-bulk-actions.ts'
import { CancelOrderDialog } from './cancel-order-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { ShippedDialog } from './shipped-dialog.tsx'
import { useCanRefund } from './use-can-refund.ts'

type OrderActionsProps = { job: JobParams; order: StaffOrder; size: ControlSize }

const useOrderMoves = ({ studioId, jobId }: JobParams, { orderNumber }: StaffOrder) => {
  const params = { studioId, jobId, orderNumber }
  const move = useStaffMutation(moveOrder)
  const mail = useStaffMutation(resendReceipt)
  const putIn = useStaffMutation(addToBatch)
  const takeOut = useStaffMutation(removeFromBatch)
  const toastSuccess = (answer: { ok: boolean }, message: string) => void (answer.ok && toast(message, 'success'))
  return {
    begin: async () => toastSuccess(await move.mutate({ params, body: { to: 'inProduction' } }), 'It is in production'),
    mail: async () => toastSuccess(await mail.mutate({ params, body: {} }), 'The receipt is on its way'),
    putIn: async () => toastSuccess(await putIn.mutate({ params, body: {} }), 'It is in the open batch'),
    takeOut: async () => toastSuccess(await takeOut.mutate({ params }), 'It waits by itself'),
    busy: move.busy || mail.busy || putIn.busy || takeOut.busy,
  }
}

type OpenDialog = 'refund' | 'cancel' | 'shipped'

/** Actions of an order: the next step as a button, all others in a menu. */
export const OrderActions = ({ job, order, size }: OrderActionsProps) => {
  const { state, isToStudio, batch, customer, refundableCents, orderNumber } = order
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const moves = useOrderMoves(job, order)
  const bulkActions = useBulkActions(job)
  const mayGiveBack = useCanRefund()
  const close = () => setOpened(null)
  const submit = async () => {
    if (await bulkActions.submitToLab({ orderNumbers: [orderNumber] })) toast('It is with the lab', 'success')
  }
  const isWaiting = isCustomerEditable(order)
  const isInBatch = isWaiting && batch !== null
  const items: readonly (MenuItem | false)[] = [
    isWaiting && isToStudio && batch === null && { label: 'Put into the batch', onSelect: () => void moves.putIn() },
    isInBatch && { label: 'Take out of the batch', onSelect: () => void moves.takeOut() },
    state === 'inProduction' && { label: 'Mark as shipped', onSelect: () => setOpened('shipped') },
    state === 'shipped' && { label: 'Tracking number', onSelect: () => setOpened('shipped') },
    customer.email !== '' && { label: 'Mail the receipt again', onSelect: () => void moves.mail() },
    mayGiveBack && refundableCents > 0 && { label: 'Give money back', onSelect: () => setOpened('refund') },
    mayGiveBack &&
      (isWaiting || state === 'submitted') && {
        label: 'Cancel the order',
        danger: true,
        onSelect: () => setOpened('cancel'),
      },
  ]
  const possible = items.filter((item) => item !== false)
  const dialog = { job, order, onClose: close }
  return (
    <>
      {isWaiting && !isInBatch && order.why === null && (
        <Button variant="secondary" size={size} loading={bulkActions.busy} onClick={() => void submit()}>
          Submit to the lab
        </Button>
      )}
      {state === 'submitted' && (
        <Button variant="secondary" size={size} loading={moves.busy} onClick={() => void moves.begin()}>
          Mark in production
        </Button>
      )}
      {possible.length > 0 && <Menu label="What else" variant="secondary" size={size} align="end" items={possible} />}
      {opened === 'refund' && <RefundDialog {...dialog} />}
      {opened === 'cancel' && <CancelOrderDialog {...dialog} />}
      {opened === 'shipped' && <ShippedDialog {...dialog} />}
    </>
  )
}
