import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { cancelStaffOrder } from '#contract/studio/order-actions.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from '../job-orders.module.css'
import type { OrderDialogProps } from './refund-dialog.tsx'

/** Cancels an order and refunds what is not refunded yet. Requires a reason. */
export const CancelOrderDialog = ({ job: { studioId, jobId }, order, onClose }: OrderDialogProps) => {
  const { orderNumber, refundableCents } = order
  const [reason, setReason] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const [errors, setErrors] = useState<readonly string[]>([])
  const cancel = useStaffMutation(cancelStaffOrder)
  const submit = async () => {
    setSubmitted(true)
    if (reason.trim() === '') return
    const params = { studioId, jobId, orderNumber }
    const answer = await cancel.mutate({ params, body: { reason: reason.trim() } }, { onError: 'silent' })
    if (!answer.ok) return setErrors(answer.errors)
    toast('The order is cancelled', 'success')
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      size="small"
      title="Cancel this order?"
      description={`Nothing will be made, ${formatMoney(refundableCents)} is refunded, and the customer is notified.`}
    >
      <Form onSubmit={() => void submit()} error={errors} loading={cancel.busy}>
        <Field
          label="Reason"
          hint="The customer sees it on the credit note"
          errors={wasSubmitted && reason.trim() === '' ? [validationMessages.required] : undefined}
        >
          <TextInput value={reason} autoComplete="off" maxLength={500} data-first-focus onValue={setReason} />
        </Field>
        <div className={styles.dialogActions}>
          <Button variant="quiet" onClick={onClose}>
            Keep the order
          </Button>
          <Button type="submit" variant="danger" loading={cancel.busy}>
            Cancel the order
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
