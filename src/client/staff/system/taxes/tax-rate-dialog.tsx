import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getTaxRate, postTaxRate, putTaxRate, type TaxRate } from '#contract/system/tax-rates.ts'
import { type TaxRateClass, type TaxRateDraft, taxRateClasses, taxRateRules } from '#domain/platform/tax-rate.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { usStates } from '#domain/shared/us-states.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

/** The rate is a percentage as text until it is saved. */
type Model = { region: string; postalPrefix: string; taxClass: TaxRateClass; rateMillionths: string; validFrom: string }

const toDraft = ({ rateMillionths, ...place }: Model): TaxRateDraft => ({
  ...place,
  // Rounds away the error of binary fractions: 8.29 * 10,000 is not 82,900.
  rateMillionths: Math.round(parseNumber(rateMillionths) * 1e8) / 1e4,
})

const rules = parsedRules(taxRateRules, toDraft)

const newRate = { region: '', postalPrefix: '', taxClass: 'standard' as TaxRateClass, validFrom: '', version: 0 }

type FormRecord = Omit<TaxRate, 'id' | 'rateMillionths'> & { rateMillionths?: number }

const toVersionedValues = ({
  region,
  postalPrefix,
  taxClass,
  rateMillionths,
  validFrom,
  version,
}: FormRecord): VersionedValues<Model> => ({
  values: {
    ...{ region, postalPrefix, taxClass, validFrom },
    rateMillionths: rateMillionths === undefined ? '' : String(rateMillionths / 10_000),
  },
  version,
})

const classOptions = Object.entries(taxRateClasses).map(([value, label]) => ({ value, label }))
const stateOptions = usStates.map(({ code, name }) => ({ value: code, label: name }))

const labels = {
  region: 'State',
  postalPrefix: 'ZIP codes that start with',
  taxClass: 'For',
  rateMillionths: 'Rate',
  validFrom: 'From',
} as const

type TaxRateDialogProps = {
  /** Null creates a rate. */
  rate: TaxRate | null
  onClose: () => void
}

/** Edits a tax rate, or creates one. */
export const TaxRateDialog = ({ rate, onClose }: TaxRateDialogProps) => {
  const post = useStaffMutation(postTaxRate)
  const put = useStaffMutation(putTaxRate)
  const edit = useRecordForm<Model, FormRecord>({
    name: `tax rate ${rate?.id ?? 'new'}`,
    record: rate ?? newRate,
    toVersionedValues,
    rules,
    save: async ({ values, version }) => {
      const body = toDraft(values)
      const answer = rate
        ? await put.mutate({ params: { id: rate.id }, body: { ...body, version } }, { onError: 'silent' })
        : await post.mutate({ body }, { onError: 'silent' })
      if (answer.ok) onClose()
      return answer
    },
    ...(rate && { read: () => authorizedRequest(getTaxRate, { params: { id: rate.id } }) }),
  })
  return (
    <Dialog open onClose={onClose} title={rate ? 'Edit tax rate' : 'New tax rate'} size="small">
      <EditForm edit={edit} labels={labels}>
        <SelectField name="region" label={labels.region} options={stateOptions} placeholder="Choose a state" required />
        <TextField
          name="postalPrefix"
          label={labels.postalPrefix}
          hint="Leave it empty for the whole state"
          inputMode="numeric"
          maxLength={5}
          optional
        />
        <SelectField name="taxClass" label={labels.taxClass} options={classOptions} required />
        <TextField
          name="rateMillionths"
          label={labels.rateMillionths}
          hint="In percent, such as 8.25"
          inputMode="decimal"
          required
        />
        <TextField name="validFrom" label={labels.validFrom} type="date" required />
      </EditForm>
    </Dialog>
  )
}
