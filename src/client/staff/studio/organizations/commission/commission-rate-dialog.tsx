import { useFormContext } from 'react-hook-form'
import { draftRules } from '#client/staff/kit/form/draft-rules.ts'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { hundredthsInput, hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { type Commissions, postCommissionRate } from '#contract/studio/payments/commissions.ts'
import { type CommissionKind, type CommissionRateDraft, commissionRateRules } from '#domain/studio/commission-rate.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'

/** A draft as the fields of its form hold it, under the same names. */
type RateForm = {
  jobId: string
  kind: CommissionKind
  basisPoints: string
  amountCents: string
  startsOn: string
}

const labels: Readonly<Record<keyof RateForm, string>> = {
  jobId: 'Jobs',
  kind: 'Share',
  basisPoints: 'Percent',
  amountCents: 'Amount, $',
  startsOn: 'First day',
}

const toDraft = ({ jobId, kind, basisPoints, amountCents, startsOn }: RateForm): CommissionRateDraft => ({
  jobId: jobId === '' ? null : Number(jobId),
  kind,
  basisPoints: kind === 'percent' ? hundredthsOf(basisPoints) : null,
  amountCents: kind === 'percent' ? null : hundredthsOf(amountCents),
  startsOn,
})

const kindOptions: readonly { value: CommissionKind; label: string }[] = [
  { value: 'percent', label: 'A percentage of each sale' },
  { value: 'order', label: 'An amount for each order' },
  { value: 'package', label: 'An amount for each package' },
]

const formRules = draftRules(commissionRateRules, toDraft)

const RateFields = ({ jobs }: Pick<Commissions, 'jobs'>) => {
  const { watch } = useFormContext<RateForm>()
  const jobOptions = [
    { value: '', label: 'All jobs without a rate of their own' },
    ...jobs.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  return (
    <>
      <SelectField name="kind" label={labels.kind} options={kindOptions} />
      {watch('kind') === 'percent' ? (
        <TextField key="percent" name="basisPoints" label={labels.basisPoints} required {...hundredthsInput} />
      ) : (
        <TextField key="amount" name="amountCents" label={labels.amountCents} required {...hundredthsInput} />
      )}
      <SelectField name="jobId" label={labels.jobId} options={jobOptions} />
      <TextField
        name="startsOn"
        label={labels.startsOn}
        type="date"
        required
        hint="For orders placed from this day on. Orders of earlier days are not changed"
      />
    </>
  )
}

type RateDialogProps = { params: OrganizationParams; commissions: Commissions; open: boolean; onClose: () => void }

const RateDialogForm = ({ params, commissions, onClose }: Omit<RateDialogProps, 'open'>) => {
  const { studioId, organizationId } = params
  const { mutate } = useStaffMutation(postCommissionRate)
  const emptyValues: RateForm = {
    jobId: '',
    kind: 'percent',
    basisPoints: '',
    amountCents: '',
    startsOn: commissions.today,
  }
  const edit = useEditForm<RateForm>({
    name: `studio ${studioId} organization ${organizationId} new commission rate`,
    saved: { values: emptyValues, version: 0 },
    rules: formRules,
    save: async ({ values }) => {
      const answer = await mutate(
        { params: { studioId, organizationId }, body: toDraft(values) },
        { onError: 'silent' },
      )
      if (!answer.ok) return answer
      toast('The rate is added', 'success')
      onClose()
      return { ...answer, data: { values: emptyValues, version: 0 } }
    },
  })
  return (
    <EditForm edit={edit} labels={labels} saveText="Add rate">
      <RateFields jobs={commissions.jobs} />
    </EditForm>
  )
}

/** Adds a rate of an organization, or of one of its jobs. */
export const CommissionRateDialog = ({ open, onClose, ...rest }: RateDialogProps) => (
  <Dialog open={open} onClose={onClose} title="New rate" size="small">
    <RateDialogForm {...rest} onClose={onClose} />
  </Dialog>
)
