import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { closePaymentDifference, type PaymentDifference } from '#contract/studio/payments/payouts.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { type Rules, required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'
import { differenceCents, reasonLabels } from './payout-labels.ts'
import styles from './payouts.module.css'

type ClosingForm = { note: string }

const labels: Readonly<Record<keyof ClosingForm, string>> = { note: 'What happened' }
const rules: Rules<ClosingForm> = { note: required() }
const emptyForm = { values: { note: '' }, version: 0 }

type FieldsProps = { studioId: number; difference: PaymentDifference; onClose: () => void }

const ClosingFields = ({ studioId, difference: { id }, onClose }: FieldsProps) => {
  const { mutate } = useStaffMutation(closePaymentDifference)
  const edit = useEditForm<ClosingForm>({
    name: `studio ${studioId} payment difference ${id}`,
    saved: emptyForm,
    rules,
    save: async ({ values }) => {
      const answer = await mutate({ params: { studioId, id }, body: values }, { onError: 'silent' })
      if (!answer.ok) return answer
      toast('The difference is closed', 'success')
      onClose()
      return { ...answer, data: emptyForm }
    },
  })
  return (
    <EditForm edit={edit} labels={labels} saveText="Close difference">
      <TextField
        name="note"
        label={labels.note}
        required
        maxLength={500}
        hint="Such as “refunded in the provider’s dashboard”. If the amounts change, the difference is open again"
      />
    </EditForm>
  )
}

type CloseDifferenceDialogProps = {
  studioId: number
  /** Null closes the dialog. */
  difference: PaymentDifference | null
  onClose: () => void
}

/** Closes a difference that cannot be resolved by itself, with a note about what happened. */
export const CloseDifferenceDialog = ({ difference, ...rest }: CloseDifferenceDialogProps) => (
  <Dialog open={difference !== null} onClose={rest.onClose} title="Close difference" size="small">
    {difference && (
      <p className={styles.repeated}>
        <strong>{formatMoney(differenceCents(difference))}</strong> at{' '}
        <span className={styles.reference}>{difference.orderNumber ?? difference.reference}</span>:{' '}
        {reasonLabels[difference.reason]}
      </p>
    )}
    {difference && <ClosingFields {...rest} difference={difference} />}
  </Dialog>
)
