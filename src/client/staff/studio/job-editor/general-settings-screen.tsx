import { useFormContext } from 'react-hook-form'
import { draftRules } from '#client/staff/kit/form/draft-rules.ts'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, FieldPair, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { formatHundredths, hundredthsInput, hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import { type JobSettings, patchGeneral } from '#contract/studio/job-settings.ts'
import { getContact, listOrganizations } from '#contract/studio/organizations.ts'
import { type LatePriceDraft, latePriceRules } from '#domain/pricing/late-price.ts'
import { toPage } from '#domain/shared/paging.ts'
import { email, phone, type Rules, required, when } from '#domain/shared/validators.ts'
import { isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { Button } from '#ui/button/button.tsx'
import { FormSection, JobSettingsLayout } from './job-settings-layout.tsx'
import { useJobSettingsForm } from './use-job-settings-form.ts'

type Contact = { firstName: string; lastName: string; email: string; phone: string }

type GeneralSettings = {
  name: string
  description: string
  organizationId: string
  eventDate: string
  orderBy: string
  afterLastDay: string
  lateBasisPoints: string
  lateCents: string
  code: string
  ownCodeOnly: boolean
  contact: Contact
  preferences: JobPreferences
}

const emptyContact: Contact = { firstName: '', lastName: '', email: '', phone: '' }

const afterLastDayOptions = [
  { value: 'close', label: 'Ordering ends' },
  { value: 'percent', label: 'Orders cost a percentage more' },
  { value: 'amount', label: 'Orders cost an amount more' },
]

const afterLastDayOf = ({ lateBasisPoints, lateCents }: JobSettings['general']): string => {
  if (lateBasisPoints !== null) return 'percent'
  return lateCents === null ? 'close' : 'amount'
}

/** Of the two values, only that of the choice is stored. Invalid or missing text becomes NaN, which the rules refuse. */
const latePriceOf = ({ orderBy, afterLastDay, lateBasisPoints, lateCents }: GeneralSettings): LatePriceDraft => ({
  orderBy: orderBy || null,
  lateBasisPoints: afterLastDay === 'percent' ? (hundredthsOf(lateBasisPoints) ?? Number.NaN) : null,
  lateCents: afterLastDay === 'amount' ? (hundredthsOf(lateCents) ?? Number.NaN) : null,
})

const valuesOf = ({ general }: JobSettings): GeneralSettings => {
  const { name, description, organizationId, eventDate, orderBy, code, ownCodeOnly, contact, preferences } = general
  return {
    name,
    description,
    organizationId: String(organizationId ?? ''),
    eventDate: eventDate ?? '',
    orderBy: orderBy ?? '',
    afterLastDay: afterLastDayOf(general),
    lateBasisPoints: formatHundredths(general.lateBasisPoints, 0),
    lateCents: formatHundredths(general.lateCents, 2),
    code: code ?? '',
    ownCodeOnly,
    contact: contact ?? emptyContact,
    preferences,
  }
}

const bodyOf = (settings: GeneralSettings) => {
  const { organizationId, eventDate, contact, afterLastDay: _, ...values } = settings
  const { firstName, lastName, email: emailAddress, phone: phoneNumber } = contact
  return {
    ...values,
    ...(organizationId !== '' && { organizationId: Number(organizationId) }),
    eventDate: eventDate || null,
    ...latePriceOf(settings),
    contact: { firstName, lastName, email: emailAddress, phone: phoneNumber },
  }
}

const rules: Rules<GeneralSettings> = {
  ...draftRules(latePriceRules, latePriceOf),
  name: required(),
  code: (value) => (isAccessCode(normaliseAccessCode(String(value))) ? null : 'A code has 4 to 12 letters and digits'),
  'contact.email': when(({ contact }) => contact.email.trim() !== '', email()),
  'contact.phone': phone(),
}

const labels = {
  name: 'Name',
  description: 'Description',
  organizationId: 'Organization',
  eventDate: 'Picture day',
  orderBy: 'Last day to order',
  afterLastDay: 'After that day',
  lateBasisPoints: 'Late fee, %',
  lateCents: 'Late fee, $',
  code: 'Code',
  ownCodeOnly: 'Only with the child’s own code',
  contact: 'Contact',
  preferences: 'What parents see',
}

const useOrganizationOptions = (studioId: number, { general }: JobSettings) => {
  const { data } = useStaffQuery(listOrganizations, { params: { studioId }, query: { sort: 'name' } })
  const organizations = data ? toPage(data).resultItems : []
  const isMissing = general.organizationId !== null && !organizations.some(({ id }) => id === general.organizationId)
  return [
    // While the list loads, and for an archived organization, the saved value still needs an option.
    ...(isMissing
      ? [{ value: String(general.organizationId), label: data ? 'An archived organization' : 'One moment…' }]
      : []),
    ...organizations.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
}

/** Fills in the contact of the chosen organization, for staff to check and save. */
const OrganizationContactButton = ({ studioId }: { studioId: number }) => {
  const { setValue, watch } = useFormContext<GeneralSettings>()
  const organizationId = Number(watch('organizationId'))
  const { data } = useStaffQuery(getContact, { params: { studioId, organizationId }, enabled: organizationId > 0 })
  const organizationContact = data?.contact
  if (!organizationContact) return null
  const { firstName, lastName, email: emailAddress, phone: phoneNumber } = organizationContact
  const fillIn = () =>
    setValue(
      'contact',
      { firstName, lastName, email: emailAddress, phone: phoneNumber },
      { shouldDirty: true, shouldTouch: true },
    )
  return (
    <div>
      <Button variant="secondary" size="sm" onClick={fillIn}>
        Use the organization’s contact
      </Button>
    </div>
  )
}

const lateOrderingHint =
  'Parents can still order until the gallery closes. They see the late fee before that day and after it'

/** What happens after the last day to order. */
const LatePriceFields = () => {
  const choice = useFormContext<GeneralSettings>().watch('afterLastDay')
  return (
    <FieldPair>
      <SelectField
        name="afterLastDay"
        label={labels.afterLastDay}
        options={afterLastDayOptions}
        hint={choice === 'close' ? undefined : lateOrderingHint}
      />
      {choice === 'percent' && (
        <TextField
          key="percent"
          name="lateBasisPoints"
          label={labels.lateBasisPoints}
          hint="Added after discounts. A $30 package at 10% costs $33"
          required
          {...hundredthsInput}
        />
      )}
      {choice === 'amount' && (
        <TextField
          key="amount"
          name="lateCents"
          label={labels.lateCents}
          hint="Added once to each order"
          required
          {...hundredthsInput}
        />
      )}
    </FieldPair>
  )
}

const GeneralForm = ({ params, settings }: { params: JobParams; settings: JobSettings }) => {
  const edit = useJobSettingsForm<GeneralSettings>({
    params,
    settings,
    tab: 'general',
    call: patchGeneral,
    valuesOf,
    bodyOf,
    rules,
  })
  const organizationOptions = useOrganizationOptions(params.studioId, settings)
  return (
    <EditForm edit={edit} labels={labels}>
      <FormSection title="The event">
        <TextField name="name" label="Name" required maxLength={200} />
        <TextField name="description" label="Description" type="textarea" optional maxLength={4000} />
        <SelectField
          name="organizationId"
          label="Organization"
          placeholder="Choose an organization"
          options={organizationOptions}
        />
        <FieldPair>
          <TextField name="eventDate" label="Picture day" type="date" optional hint="Parents see it" />
          <TextField name="orderBy" label="Last day to order" type="date" optional hint="Until midnight, your time" />
        </FieldPair>
        <LatePriceFields />
        <TextField
          name="code"
          label="Code"
          required
          autoCapitalize="characters"
          hint="4 to 12 letters and digits. After a change, cards printed with the old code no longer work"
          maxLength={40}
        />
        <CheckField
          name="ownCodeOnly"
          label="Only with the child’s own code"
          hint="Parents can’t search by name. Each child needs their own code, as on the camera card"
        />
      </FormSection>
      <FormSection title="Contact" lead="Contact shown at checkout.">
        <FieldPair>
          <TextField name="contact.firstName" label="First name" optional maxLength={80} />
          <TextField name="contact.lastName" label="Last name" optional maxLength={80} />
          <TextField name="contact.email" label="Email" type="email" optional maxLength={200} />
          <TextField name="contact.phone" label="Phone" type="tel" optional maxLength={40} />
        </FieldPair>
        <OrganizationContactButton studioId={params.studioId} />
      </FormSection>
      <FormSection title="What parents see">
        <CheckField name="preferences.namesOnThumbnails" label="Names under thumbnails" />
        <CheckField name="preferences.pricesBeforePose" label="Prices before a photo is chosen" />
        <CheckField name="preferences.orderByCountdown" label="Days left to order" />
        <CheckField name="preferences.contact" label="How to reach the studio" />
      </FormSection>
    </EditForm>
  )
}

/** General settings of a job: name, dates, code, contact, and what parents see. */
export const GeneralSettingsScreen = (params: JobParams) => (
  <JobSettingsLayout params={params} tail="settings/general">
    {(settings) => <GeneralForm params={params} settings={settings} />}
  </JobSettingsLayout>
)
