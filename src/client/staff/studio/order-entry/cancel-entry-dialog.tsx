import { useState } from 'react'
import { validationMessages } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './order-entry.module.css'

type CancelEntryDialogProps = { busy: boolean; onClose: () => void; onCancel: (reason: string) => void }

/** Asks for the reason of a cancellation. Staff hand the refund to the customer themselves. */
export const CancelEntryDialog = ({ busy, onClose, onCancel }: CancelEntryDialogProps) => {
  const [reason, setReason] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const submit = () => {
    setSubmitted(true)
    if (reason.trim() !== '') onCancel(reason.trim())
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Cancel this order?"
      description="Nothing will be made. Refund what was paid: it is recorded as refunded."
    >
      <Form onSubmit={submit}>
        <Field label="Reason" errors={wasSubmitted && reason.trim() === '' ? [validationMessages.required] : undefined}>
          <TextInput value={reason} autoComplete="off" data-first-focus onValue={setReason} />
        </Field>
        <div className={styles.dialogActions}>
          <Button variant="quiet" onClick={onClose}>
            Keep the order
          </Button>
          <Button type="submit" variant="danger" loading={busy}>
            Cancel the order
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
