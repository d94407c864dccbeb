import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { refundOrder } from '#contract/studio/order-actions.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { formatMoney, toCents } from '#domain/pricing/money.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from '../job-orders.module.css'

export type OrderDialogProps = { job: JobParams; order: StaffOrder; onClose: () => void }

/** Parses an amount in dollars into cents; null if it is invalid. */
const parseCents = (text: string): number | null => {
  const normalized = text.replace(/[$,\s]/g, '')
  return /^\d{1,6}(\.\d{1,2})?$/.test(normalized) ? toCents(Number(normalized)) : null
}

/** Refunds an order in full or in part. */
export const RefundDialog = ({ job: { studioId, jobId }, order, onClose }: OrderDialogProps) => {
  const { orderNumber, refundableCents } = order
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const [errors, setErrors] = useState<readonly string[]>([])
  const refund = useStaffMutation(refundOrder)
  const amountCents = parseCents(amount)
  const amountErrors =
    amountCents === null || amountCents < 1 || amountCents > refundableCents
      ? [`Enter an amount up to ${formatMoney(refundableCents)}`]
      : undefined
  const submit = async () => {
    setSubmitted(true)
    if (amountErrors || amountCents === null || reason.trim() === '') return
    const params = { studioId, jobId, orderNumber }
    const answer = await refund.mutate({ params, body: { amountCents, reason: reason.trim() } }, { onError: 'silent' })
    if (!answer.ok) return setErrors(answer.errors)
    toast(`${formatMoney(amountCents)} is being refunded`, 'success')
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Refund"
      description={`You can refund up to ${formatMoney(refundableCents)} to the original payment method. The order stays.`}
    >
      <Form onSubmit={() => void submit()} error={errors} loading={refund.busy}>
        <Field label="Amount, $" errors={wasSubmitted ? amountErrors : undefined}>
          <TextInput value={amount} inputMode="decimal" autoComplete="off" data-first-focus onValue={setAmount} />
        </Field>
        <div>
          <Button variant="quiet" size="sm" onClick={() => setAmount((refundableCents / 100).toFixed(2))}>
            Full amount
          </Button>
        </div>
        <Field
          label="Reason"
          hint="The customer sees it on the credit note"
          errors={wasSubmitted && reason.trim() === '' ? [validationMessages.required] : undefined}
        >
          <TextInput value={reason} autoComplete="off" maxLength={500} onValue={setReason} />
        </Field>
        <div className={styles.dialogActions}>
          <Button variant="quiet" onClick={onClose}>
            Don’t refund
          </Button>
          <Button type="submit" variant="danger" loading={refund.busy}>
            {amountErrors || amountCents === null ? 'Refund' : `Refund ${formatMoney(amountCents)}`}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
