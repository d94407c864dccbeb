import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useIsFinanceStaff } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { addToBatch, removeFromBatch } from '#contract/studio/batches.ts'
import { moveOrder, resendReceipt } from '#contract/studio/order-actions.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { isCustomerEditable } from '#domain/orders/order-states.ts'
import { Button, type ControlSize } from '#ui/button/button.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { MenuItem } from '#ui/popover/menu-entry.tsx'
import { toast } from '#ui/toast/toast.ts'
import { useBulkActions } from '../bulk/use-bulk-actions.ts'
import { CancelOrderDialog } from './cancel-order-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { ShippedDialog } from './shipped-dialog.tsx'

type OrderActionsProps = { job: JobParams; order: StaffOrder; size: ControlSize }

const useOrderMutations = ({ studioId, jobId }: JobParams, { orderNumber }: StaffOrder) => {
  const params = { studioId, jobId, orderNumber }
  const move = useStaffMutation(moveOrder)
  const mail = useStaffMutation(resendReceipt)
  const addition = useStaffMutation(addToBatch)
  const removal = useStaffMutation(removeFromBatch)
  const toastSuccess = (answer: { ok: boolean }, message: string) => void (answer.ok && toast(message, 'success'))
  return {
    startProduction: async () =>
      toastSuccess(await move.mutate({ params, body: { to: 'inProduction' } }), 'It is in production'),
    resendReceipt: async () => toastSuccess(await mail.mutate({ params, body: {} }), 'The receipt is on its way'),
    addToBatch: async () => toastSuccess(await addition.mutate({ params, body: {} }), 'It is in the open batch'),
    removeFromBatch: async () => toastSuccess(await removal.mutate({ params }), 'It is an individual order now'),
    busy: move.busy || mail.busy || addition.busy || removal.busy,
  }
}

type DialogName = 'refund' | 'cancel' | 'shipped'

/** Actions of an order: the next step as a button, all other actions in a menu. */
export const OrderActions = ({ job, order, size }: OrderActionsProps) => {
  const { state, isToStudio, batch, customer, refundableCents, orderNumber } = order
  const [openDialog, setOpenDialog] = useState<DialogName | null>(null)
  const mutations = useOrderMutations(job, order)
  const bulkActions = useBulkActions(job)
  const canRefund = useIsFinanceStaff()
  const close = () => setOpenDialog(null)
  const submit = async () => {
    if (await bulkActions.submitToLab({ orderNumbers: [orderNumber] })) toast('It is with the lab', 'success')
  }
  const isEditable = isCustomerEditable(order)
  const isInBatch = isEditable && batch !== null
  const items: readonly (MenuItem | false)[] = [
    isEditable &&
      isToStudio &&
      batch === null && { label: 'Add to the batch', onSelect: () => void mutations.addToBatch() },
    isInBatch && { label: 'Take out of the batch', onSelect: () => void mutations.removeFromBatch() },
    state === 'inProduction' && { label: 'Mark as shipped', onSelect: () => setOpenDialog('shipped') },
    state === 'shipped' && { label: 'Tracking number', onSelect: () => setOpenDialog('shipped') },
    customer.email !== '' && { label: 'Email the receipt again', onSelect: () => void mutations.resendReceipt() },
    canRefund && refundableCents > 0 && { label: 'Refund', onSelect: () => setOpenDialog('refund') },
    canRefund &&
      (isEditable || state === 'submitted') && {
        label: 'Cancel the order',
        danger: true,
        onSelect: () => setOpenDialog('cancel'),
      },
  ]
  const availableItems = items.filter((item) => item !== false)
  const dialogProps = { job, order, onClose: close }
  return (
    <>
      {isEditable && !isInBatch && order.why === null && (
        <Button variant="secondary" size={size} loading={bulkActions.busy} onClick={() => void submit()}>
          Submit to the lab
        </Button>
      )}
      {state === 'submitted' && (
        <Button
          variant="secondary"
          size={size}
          loading={mutations.busy}
          onClick={() => void mutations.startProduction()}
        >
          Mark in production
        </Button>
      )}
      {availableItems.length > 0 && (
        <Menu label="More actions" icon={Ellipsis} variant="secondary" size={size} align="end" items={availableItems} />
      )}
      {openDialog === 'refund' && <RefundDialog {...dialogProps} />}
      {openDialog === 'cancel' && <CancelOrderDialog {...dialogProps} />}
      {openDialog === 'shipped' && <ShippedDialog {...dialogProps} />}
    </>
  )
}
