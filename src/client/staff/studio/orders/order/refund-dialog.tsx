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
const centsOf = (typed: string): number | null => {
  const plain = typed.replace(/[$,\s]/g, '')
  return /^\d{1,6}(\.\d{1,2})?$/.test(plain) ? toCents(Number(plain)) : null
}

/** Refunds an order, fully or in part. */
export const RefundDialog = ({ job: { studioId, jobId }, order, onClose }: OrderDialogProps) => {
  const { orderNumber, refundableCents } = order
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const [wasTried, setTried] = useState(false)
  const [errors, setErrors] = useState<readonly string[]>([])
  const refund = useStaffMutation(refundOrder)
  const amountCents = centsOf(amount)
  const wrongAmount =
    amountCents === null || amountCents < 1 || amountCents > refundableCents
      ? [`Enter an amount up to ${formatMoney(refundableCents)}`]
      : undefined
  const submit = async () => {
    setTried(true)
    if (wrongAmount || amountCents === null || reason.trim() === '') return
    const params = { studioId, jobId, orderNumber }
    const answer = await refund.mutate({ params, body: { amountCents, reason: reason.trim() } }, { onError: 'silent' })
    if (!answer.ok) return setErrors(answer.errors)
    toast(`${formatMoney(amountCents)} goes back`, 'success')
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Give money back"
      description={`${formatMoney(refundableCents)} of this order can be given back, to where it came from. The order stays.`}
    >
      <Form onSubmit={() => void submit()} error={errors} loading={refund.busy}>
        <Field label="Amount" errors={wasTried ? wrongAmount : undefined}>
          <TextInput value={amount} inputMode="decimal" autoComplete="off" data-first-focus onValue={setAmount} />
        </Field>
        <div>
          <Button variant="quiet" size="sm" onClick={() => setAmount((refundableCents / 100).toFixed(2))}>
            All of it
          </Button>
        </div>
        <Field label="Why" errors={wasTried && reason.trim() === '' ? [validationMessages.required] : undefined}>
          <TextInput value={reason} autoComplete="off" maxLength={500} onValue={setReason} />
        </Field>
        <div className={styles.ends}>
          <Button variant="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button type="submit" variant="danger" loading={refund.busy}>
            Give back
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
