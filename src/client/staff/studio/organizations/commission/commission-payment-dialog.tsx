import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { type Commissions, postCommissionPayment } from '#contract/studio/payments/commissions.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { calendarDay } from '#domain/studio/rates.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'

type PaymentForm = { paidOn: string; note: string }

const labels: Readonly<Record<keyof PaymentForm, string>> = { paidOn: 'Paid on', note: 'Note' }

const rules: Rules<PaymentForm> = { paidOn: calendarDay() }

type PaymentDialogProps = { params: OrganizationParams; commissions: Commissions; open: boolean; onClose: () => void }

const PaymentDialogForm = ({ params, commissions, onClose }: Omit<PaymentDialogProps, 'open'>) => {
  const { studioId, organizationId } = params
  const { today, owedCents } = commissions
  const { mutate } = useStaffMutation(postCommissionPayment)
  const emptyValues: PaymentForm = { paidOn: today, note: '' }
  const edit = useEditForm<PaymentForm>({
    name: `studio ${studioId} organization ${organizationId} commission payment`,
    saved: { values: emptyValues, version: 0 },
    rules,
    save: async ({ values }) => {
      const body = { ...values, throughDay: today, amountCents: owedCents }
      const answer = await mutate({ params: { studioId, organizationId }, body }, { onError: 'silent' })
      if (!answer.ok) return answer
      toast(`${formatMoney(owedCents)} is marked as paid`, 'success')
      onClose()
      return { ...answer, data: { values: emptyValues, version: 0 } }
    },
  })
  return (
    <EditForm edit={edit} labels={labels} saveText={`Mark ${formatMoney(owedCents)} as paid`}>
      <TextField name="paidOn" label={labels.paidOn} type="date" required max={today} />
      <TextField name="note" label={labels.note} optional hint="Such as the number of the check" maxLength={200} />
    </EditForm>
  )
}

/** The orders that a payment of today covers: those after the last payment, and what changed in earlier ones. */
const coveredOrders = ({ payments, today }: Commissions): string => {
  const lastDay = payments
    .map(({ throughDay }) => throughDay)
    .sort()
    .at(-1)
  if (lastDay === undefined) return `For all orders through ${formatDate(today)}.`
  if (lastDay >= today) return `For orders of ${formatDate(today)} that were not paid yet, less later refunds.`
  return `For orders after ${formatDate(lastDay)}, through ${formatDate(today)}, less later refunds of earlier ones.`
}

/** Marks everything as paid that an organization is owed today. */
export const CommissionPaymentDialog = ({ open, onClose, ...rest }: PaymentDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Commission paid"
    description={coveredOrders(rest.commissions)}
    size="small"
  >
    <PaymentDialogForm {...rest} onClose={onClose} />
  </Dialog>
)
