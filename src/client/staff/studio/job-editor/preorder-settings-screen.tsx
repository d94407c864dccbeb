import { fromDateTimeInput, laterThan, toDateTimeInput } from '#client/staff/kit/form/datetime-input.ts'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, FieldPair, TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type JobSettings, patchPreorder } from '#contract/studio/job-settings.ts'
import { type DeliveryDays, deliveryDaysErrors } from '#domain/orders/arrival.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { FormSection, JobSettingsLayout } from './job-settings-layout.tsx'
import { useJobSettingsForm } from './use-job-settings-form.ts'

type PreorderSettings = {
  enabled: boolean
  opensAt: string
  closesAt: string
  importedData: boolean
  shipsHome: boolean
  shipsBatch: boolean
  batchClosesOn: string
  freeShippingUntil: string
  deliveryDaysFrom: string
  deliveryDaysTo: string
  handedOutOn: string
}

const daysText = (days: number | null): string => (days === null ? '' : String(days))

const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const valuesOf = ({ preorder, timeZone }: JobSettings): PreorderSettings => ({
  ...preorder,
  opensAt: toDateTimeInput(preorder.opensAt, timeZone),
  closesAt: toDateTimeInput(preorder.closesAt, timeZone),
  batchClosesOn: preorder.batchClosesOn ?? '',
  freeShippingUntil: preorder.freeShippingUntil ?? '',
  deliveryDaysFrom: daysText(preorder.deliveryDaysFrom),
  deliveryDaysTo: daysText(preorder.deliveryDaysTo),
  handedOutOn: preorder.handedOutOn ?? '',
})

const deliveryDaysOf = (values: Pick<PreorderSettings, 'deliveryDaysFrom' | 'deliveryDaysTo'>): DeliveryDays => ({
  deliveryDaysFrom: daysOf(values.deliveryDaysFrom),
  deliveryDaysTo: daysOf(values.deliveryDaysTo),
})

const createBodyOf =
  (timeZone: string) =>
  ({ opensAt, closesAt, batchClosesOn, freeShippingUntil, handedOutOn, ...values }: PreorderSettings) => ({
    ...values,
    opensAt: fromDateTimeInput(opensAt, timeZone),
    closesAt: fromDateTimeInput(closesAt, timeZone),
    batchClosesOn: batchClosesOn || null,
    freeShippingUntil: freeShippingUntil || null,
    handedOutOn: handedOutOn || null,
    ...deliveryDaysOf(values),
  })

const rules: Rules<PreorderSettings> = {
  closesAt: laterThan(({ opensAt }) => opensAt),
  deliveryDaysFrom: (_, values) => deliveryDaysErrors(deliveryDaysOf(values)).deliveryDaysFrom?.[0] ?? null,
  deliveryDaysTo: (_, values) => deliveryDaysErrors(deliveryDaysOf(values)).deliveryDaysTo?.[0] ?? null,
}

const labels = {
  enabled: 'Ordering before the picture day',
  opensAt: 'Opens',
  closesAt: 'Closes',
  importedData: 'People from a list',
  shipsHome: 'Home',
  shipsBatch: 'To the studio',
  batchClosesOn: 'Last day for the studio',
  freeShippingUntil: 'Free until',
  deliveryDaysFrom: 'Arrives after (days)',
  deliveryDaysTo: 'At most (days)',
  handedOutOn: 'Handed out on',
}

const PreorderForm = ({ params, settings }: { params: JobParams; settings: JobSettings }) => {
  const { timeZone } = settings
  const bodyOf = createBodyOf(timeZone)
  const edit = useJobSettingsForm<PreorderSettings>({
    params,
    settings,
    tab: 'preorder',
    call: patchPreorder,
    valuesOf,
    bodyOf,
    rules,
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <FormSection
        title="Before the picture day"
        lead={`Times are those of ${timeZone.replaceAll('_', ' ')}. Leave empty for no limit.`}
      >
        <CheckField name="enabled" label="Parents order before the picture day" />
        <FieldPair>
          <TextField name="opensAt" label="Opens" type="datetime-local" optional />
          <TextField name="closesAt" label="Closes" type="datetime-local" optional />
        </FieldPair>
        <CheckField
          name="importedData"
          label="Parents find their child on a list"
          hint="Otherwise they type their child in, with the preorder fields"
        />
      </FormSection>
      <FormSection
        title="How orders are delivered"
        lead="For every order of this event, paid before or after the picture day."
      >
        <CheckField name="shipsHome" label="Shipped to their home" />
        <FieldPair>
          <TextField
            name="deliveryDaysFrom"
            label={labels.deliveryDaysFrom}
            inputMode="numeric"
            maxLength={3}
            optional
            hint="Counted from the order, or from the picture day if that is later. Parents read when it arrives"
          />
          <TextField name="deliveryDaysTo" label={labels.deliveryDaysTo} inputMode="numeric" maxLength={3} optional />
        </FieldPair>
        <CheckField
          name="shipsBatch"
          label="Shipped together to the studio"
          hint="Orders are gathered in a batch and handed out at school or practice"
        />
        <TextField
          name="batchClosesOn"
          label="Last day for the studio"
          type="date"
          optional
          hint="The batch closes at the end of it. Leave empty to close it yourself"
        />
        <TextField
          name="handedOutOn"
          label={labels.handedOutOn}
          type="date"
          optional
          hint="About the day on which the school or club hands the orders out. Parents read it"
        />
        <TextField
          name="freeShippingUntil"
          label="Free until"
          type="date"
          optional
          hint="The last day on which shipping to the studio costs nothing. Parents read it if it has a price afterwards"
        />
      </FormSection>
    </EditForm>
  )
}

/** Preorder settings: the order period before the picture day, and the delivery of orders. */
export const PreorderSettingsScreen = (params: JobParams) => (
  <JobSettingsLayout params={params} tail="settings/preorder">
    {(settings) => <PreorderForm params={params} settings={settings} />}
  </JobSettingsLayout>
)
