import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { moveOrder } from '#contract/studio/order-actions.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from '../job-orders.module.css'
import type { OrderDialogProps } from './refund-dialog.tsx'

/** Marks an order as shipped, with its tracking number. The customer is emailed the first time. */
export const ShippedDialog = ({ job: { studioId, jobId }, order, onClose }: OrderDialogProps) => {
  const [tracking, setTracking] = useState(order.trackingNumber ?? '')
  const move = useStaffMutation(moveOrder)
  const submit = async () => {
    const trackingNumber = tracking.trim()
    const body = { to: 'shipped' as const, ...(trackingNumber !== '' && { trackingNumber }) }
    const answer = await move.mutate({ params: { studioId, jobId, orderNumber: order.orderNumber }, body })
    if (!answer.ok) return
    toast('It is shipped', 'success')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} size="small" title="Shipped">
      <Form onSubmit={() => void submit()} loading={move.busy}>
        <Field label="Tracking number" optional>
          <TextInput value={tracking} autoComplete="off" maxLength={100} data-first-focus onValue={setTracking} />
        </Field>
        <div className={styles.dialogActions}>
          <Button type="submit" loading={move.busy}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
