import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getConfiguration, type PlatformConfiguration, putSetting } from '#contract/system/configuration.ts'
import {
  platformSettings,
  type SettingDefinition,
  type SettingKey,
  type SettingValue,
  settingError,
} from '#domain/configuration/platform-settings.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'

/** A number is text until it is saved. */
type Model = { value: string | boolean }

const toModel = (value: SettingValue): Model => ({ value: typeof value === 'number' ? String(value) : value })

const toValue = (key: SettingKey, value: string | boolean): SettingValue =>
  platformSettings[key].kind === 'number' ? parseNumber(String(value)) : value

const SettingField = ({ definition }: { definition: SettingDefinition }) => {
  const { label, kind } = definition
  if (kind === 'switch') return <CheckField name="value" label={label} />
  if (kind === 'number') {
    const { min, max, unit } = definition
    const hint = `In ${unit}, from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`
    return <TextField name="value" label={label} hint={hint} inputMode="numeric" maxLength={9} required />
  }
  if (kind === 'text') return <TextField name="value" label={label} maxLength={definition.maxLength} optional />
  return (
    <TextField
      name="value"
      label={label}
      type="email"
      autoComplete="off"
      maxLength={254}
      optional={definition.isOptional}
      required={!definition.isOptional}
    />
  )
}

type SettingDialogProps = { configuration: PlatformConfiguration; settingKey: SettingKey; onClose: () => void }

/** Changes the value of a setting. */
export const SettingDialog = ({ configuration, settingKey: key, onClose }: SettingDialogProps) => {
  const definition: SettingDefinition = platformSettings[key]
  const { mutate } = useStaffMutation(putSetting)
  const edit = useRecordForm<Model, PlatformConfiguration>({
    name: `setting ${key}`,
    record: configuration,
    toVersionedValues: ({ settings }) => {
      const setting = settings.find((item) => item.key === key)
      return { values: toModel(setting?.value ?? definition.initial), version: setting?.version ?? 0 }
    },
    rules: { value: (value) => settingError(key, toValue(key, value as string | boolean)) }, // the type of the model
    save: ({ values, version }) =>
      mutate({ params: { key }, body: { value: toValue(key, values.value), version } }, { onError: 'silent' }),
    read: () => authorizedRequest(getConfiguration),
    onSaved: () => {
      toast(`“${definition.label}” is saved`, 'success')
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={definition.label} description={definition.description} size="small">
      <EditForm edit={edit} labels={{ value: definition.label }}>
        <SettingField definition={definition} />
      </EditForm>
    </Dialog>
  )
}
