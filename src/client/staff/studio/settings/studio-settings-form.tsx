import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useStudioForm } from '#client/staff/kit/form/use-studio-form.ts'
import type { Studio } from '#contract/studio/studio.ts'
import { canonicalTimeZone, timeZones } from '#domain/shared/time-zones.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { hostLinesRule, parseHostLines, studioMessages, studioRules } from '#domain/studio/studio-fields.ts'
import { AccentField } from './accent-field.tsx'

type Model = { phone: string; email: string; timeZone: string; hosts: string; accent: string }

const labels = { phone: 'Phone', email: 'Email', timeZone: 'Time zone', hosts: 'Host names', accent: 'Brand color' }

const rules: Rules<Model> = {
  ...studioRules('phone', 'email', 'timeZone'),
  hosts: hostLinesRule,
  accent: (value) => (value === '' || /^#[0-9a-f]{6}$/i.test(String(value)) ? null : studioMessages.accent),
}

const timeZoneOptions = (savedZone: string) => {
  const options = timeZones.map(({ id, name }) => ({ value: id, label: name }))
  const isListed = options.some(({ value }) => value === savedZone)
  return isListed ? options : [{ value: savedZone, label: savedZone }, ...options]
}

/** Contact, time zone, host names and color of a studio. */
export const StudioSettingsForm = ({ studio }: { studio: Studio }) => {
  const edit = useStudioForm<Model>({
    formName: 'settings',
    studio,
    toValues: ({ phone, email, timeZone, hosts, accent }) => ({
      ...{ phone, email, timeZone: canonicalTimeZone(timeZone) },
      ...{ hosts: hosts.join('\n'), accent: accent ?? '' },
    }),
    toPatch: ({ hosts, accent, ...rest }) => ({ ...rest, hosts: parseHostLines(hosts), accent: accent || null }),
    rules,
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <TextField name="phone" label="Phone" type="tel" optional maxLength={40} />
      <TextField name="email" label="Email" type="email" optional maxLength={254} />
      <SelectField
        name="timeZone"
        label="Time zone"
        hint="Your dates, such as the last day to order, end at midnight in this time zone"
        options={timeZoneOptions(canonicalTimeZone(studio.timeZone))}
      />
      <TextField
        name="hosts"
        label="Host names"
        type="textarea"
        rows={2}
        optional
        hint="Your own addresses for your page, such as photos.your-studio.com, one on each line. Each works after you prove that it is yours"
        autoCapitalize="none"
        spellCheck={false}
      />
      <AccentField name="accent" />
    </EditForm>
  )
}
