import { useState } from 'react'
import { validationMessages } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './order-entry.module.css'

type CancelEntryDialogProps = { busy: boolean; onClose: () => void; onCancel: (reason: string) => void }

/** Asks for the reason of a cancellation. The refund is made at the counter. */
export const CancelEntryDialog = ({ busy, onClose, onCancel }: CancelEntryDialogProps) => {
  const [reason, setReason] = useState('')
  const [wasTried, setTried] = useState(false)
  const submit = () => {
    setTried(true)
    if (reason.trim() !== '') onCancel(reason.trim())
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Cancel this order?"
      description="Nothing will be made. Give back what was paid: it is recorded as refunded."
    >
      <Form onSubmit={submit}>
        <Field label="Why" errors={wasTried && reason.trim() === '' ? [validationMessages.required] : undefined}>
          <TextInput value={reason} autoComplete="off" data-first-focus onValue={setReason} />
        </Field>
        <div className={styles.ends}>
          <Button variant="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button type="submit" variant="danger" loading={busy}>
            Cancel the order
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
