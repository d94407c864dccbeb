import { useWatch } from 'react-hook-form'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { useResourceForm } from '#client/staff/kit/resource/use-resource-form.ts'
import { formatCount, formatSubjectCount } from '#client/staff/kit/screen/format.ts'
import {
  type DefinedField,
  getDefinedField,
  postDefinedField,
  putDefinedField,
} from '#contract/system/defined-fields.ts'
import {
  type DataClass,
  type DefinedFieldDraft,
  dataClasses,
  definedFieldRules,
  maxCountedSubjects,
} from '#domain/platform/defined-field.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { type InputType, parseNumber } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

/** Options and headings are lines of text, the position is text. */
type Model = {
  name: string
  label: string
  inputType: InputType
  hasOptions: boolean
  options: string
  aliases: string
  dataClass: DataClass
  retentionMonths: string
  position: string
}

const modelOf = (field: DefinedField | null): Model => ({
  name: field?.name ?? '',
  label: field?.label ?? '',
  inputType: field?.inputType ?? 'text',
  hasOptions: field?.hasOptions ?? false,
  options: (field?.options ?? []).map(({ value }) => value).join('\n'),
  aliases: (field?.aliases ?? []).join('\n'),
  dataClass: field?.dataClass ?? 'ordinary',
  retentionMonths: String(field?.retentionMonths ?? ''),
  position: String(field?.position ?? 0),
})

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** An option with the text of a saved one keeps its id. */
const toDraftOf =
  (field: DefinedField | null) =>
  ({ options, aliases, retentionMonths, position, ...values }: Model): DefinedFieldDraft => ({
    ...values,
    label: values.label.trim() === '' ? values.name : values.label,
    options: values.hasOptions
      ? linesOf(options).map((value) => ({
          id: field?.options.find((option) => option.value === value)?.id ?? 0,
          value,
        }))
      : [],
    aliases: linesOf(aliases),
    retentionMonths: retentionMonths.trim() === '' ? null : parseNumber(retentionMonths),
    position: parseNumber(position),
  })

const rules = parsedRules(definedFieldRules, toDraftOf(null))
const calls = { get: getDefinedField, post: postDefinedField, put: putDefinedField }

const typeLabels = { text: 'One line', textarea: 'Several lines', alphanumeric: 'Letters and digits' } as const

const labels = {
  name: 'Name',
  label: 'Question',
  inputType: 'Type',
  hasOptions: 'Dropdown',
  options: 'Choices',
  aliases: 'Headings in lists',
  dataClass: 'Personal data',
  retentionMonths: 'Stored for',
  position: 'Position',
} as const

const OptionsField = () => {
  const hasOptions = useWatch<Model, 'hasOptions'>({ name: 'hasOptions' })
  return (
    hasOptions && (
      <TextField name="options" label={labels.options} type="textarea" rows={4} hint="One per line" required />
    )
  )
}

const FieldUse = ({ field: { jobCount, studioCount, subjectCount } }: { field: DefinedField }) =>
  jobCount + subjectCount > 0 && (
    <Notice>
      {formatCount(jobCount)} {jobCount === 1 ? 'job' : 'jobs'} of {formatCount(studioCount)}{' '}
      {studioCount === 1 ? 'studio' : 'studios'} and {subjectCount < maxCountedSubjects ? '' : 'at least '}
      {formatSubjectCount(subjectCount)} have this field. They keep its name, question and choices as they are.
    </Notice>
  )

type DefinedFieldDialogProps = { field: DefinedField | null; onClose: () => void }

/** Edits a field and says where it is used, or creates one for null. */
export const DefinedFieldDialog = ({ field, onClose }: DefinedFieldDialogProps) => {
  const edit = useResourceForm<Model, DefinedField>({
    ...{ noun: 'field', record: field, modelOf, toDraft: toDraftOf(field), rules, calls },
    onSaved: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={field ? 'Edit field' : 'New field'}>
      {field && <FieldUse field={field} />}
      <EditForm edit={edit} labels={labels}>
        <TextField name="name" label={labels.name} hint="For lists and prints" maxLength={60} required />
        <TextField
          name="label"
          label={labels.label}
          hint="Parents read it; the name by default"
          maxLength={200}
          optional
        />
        <SelectField name="inputType" label={labels.inputType} options={optionsOf(typeLabels)} required />
        <CheckField name="hasOptions" label={labels.hasOptions} />
        <OptionsField />
        <TextField
          name="aliases"
          label={labels.aliases}
          type="textarea"
          rows={4}
          hint="Other names of the column in schools’ lists, one per line. Imports recognize them."
          optional
        />
        <SelectField name="dataClass" label={labels.dataClass} options={optionsOf(dataClasses)} required />
        <TextField
          name="retentionMonths"
          label={labels.retentionMonths}
          hint="Months after the event; values are deleted then. Empty: as long as the person is listed"
          inputMode="numeric"
          optional
        />
        <TextField name="position" label={labels.position} hint="The lowest comes first" inputMode="numeric" required />
      </EditForm>
    </Dialog>
  )
}
