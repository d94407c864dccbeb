import Plus from 'lucide-react/icons/plus'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getStudioSubject, type KnownField, patchSubject, type StudioSubject } from '#contract/studio/subjects.ts'
import { oneOf, type Rules, type Validator } from '#domain/shared/validators.ts'
import { maxSubjectFields } from '#domain/subjects/subject-details.ts'
import { subjectErrors } from '#domain/subjects/subject-draft.ts'
import type { CallResult } from '#local/transport/request.ts'
import { Button } from '#ui/button/button.tsx'
import styles from './subjects.module.css'

type FieldEntryValues = { name: string; value: string }
type Model = { firstName: string; lastName: string; reference: string; code: string; fields: FieldEntryValues[] }

/** The subject's fields: all prefields of the job first, then the other fields. */
const entriesOf = ({ fields, knownFields }: StudioSubject): FieldEntryValues[] => {
  const prefieldNames = new Set(knownFields.map(({ name }) => name))
  const valueByName = new Map(fields.map(({ name, value }) => [name, value]))
  return [
    ...knownFields.map(({ name }) => ({ name, value: valueByName.get(name) ?? '' })),
    ...fields.filter(({ name }) => !prefieldNames.has(name)).map(({ name, value }) => ({ name, value })),
  ]
}

const toVersionedValues = (subject: StudioSubject): VersionedValues<Model> => {
  const { firstName, lastName, reference, code, version } = subject
  const fields = entriesOf(subject)
  return { values: { firstName, lastName, reference: reference ?? '', code: code?.code ?? '', fields }, version }
}

/** Changes the paths of errors from field names, as the server sends them, to the indexes of the form. */
const withFieldIndexes = <Data,>(answer: CallResult<Data>, entries: readonly FieldEntryValues[]): CallResult<Data> => {
  if (answer.ok || !answer.fields) return answer
  const fields = Object.entries(answer.fields).map(([path, messages]) => {
    const index = entries.findIndex(({ name }) => path === `fields.${name}`)
    return [index < 0 ? path : `fields.${index}.value`, messages]
  })
  return { ...answer, fields: Object.fromEntries(fields) }
}

/** Rules of prefields with options: one of the options, the saved value, or empty. The prefields come first (`entriesOf`). */
const optionRules = (subject: StudioSubject): Rules<Model> => {
  const entries = entriesOf(subject)
  return Object.fromEntries(
    subject.knownFields.map(({ options }, index) => {
      const isOption = oneOf<Model>(options)
      const savedValue = entries[index]?.value
      const rule: Validator<Model> = (value, model) =>
        value === '' || value === savedValue || options.length === 0 ? null : isOption(value, model)
      return [`fields.${index}.value`, rule]
    }),
  )
}

const FieldEntry = ({
  index,
  entry,
  prefield,
}: {
  index: number
  entry: FieldEntryValues
  prefield: KnownField | undefined
}) => {
  const name = `fields.${index}.value`
  if (prefield && prefield.options.length > 0) {
    const options = ['', ...prefield.options].map((value) => ({ value, label: value || 'Not known' }))
    // A value that was saved before the field had these options stays available.
    const isUnlisted = entry.value !== '' && !prefield.options.includes(entry.value)
    if (isUnlisted) options.push({ value: entry.value, label: entry.value })
    return <SelectField name={name} label={prefield.label} options={options} />
  }
  if (prefield || entry.name !== '')
    return <TextField name={name} label={prefield?.label ?? entry.name} maxLength={500} />
  return (
    <div className={styles.newField}>
      <TextField name={`fields.${index}.name`} label="Field" hint="Such as “Teacher”" maxLength={60} />
      <TextField name={name} label="Value" hint="What it says" maxLength={500} />
    </div>
  )
}

const FieldEntries = ({
  prefields,
  entries,
}: {
  prefields: readonly KnownField[]
  entries: readonly FieldEntryValues[]
}) => {
  const { control } = useFormContext<Model>()
  const list = useFieldArray({ control, name: 'fields' })
  return (
    <>
      <div className={styles.names}>
        {list.fields.map(({ id, name, value }, index) => (
          <FieldEntry
            key={id}
            index={index}
            // A new row shows the inputs for its name and value until it is saved.
            entry={index < entries.length ? { name, value } : { name: '', value: '' }}
            prefield={prefields.find((prefield) => prefield.name === name)}
          />
        ))}
      </div>
      <Button
        variant="quiet"
        size="sm"
        icon={Plus}
        disabled={list.fields.length >= maxSubjectFields}
        onClick={() => list.append({ name: '', value: '' })}
      >
        Add a field
      </Button>
    </>
  )
}

type SubjectFormProps = { job: { studioId: number; jobId: number }; subject: StudioSubject }

/** Edits the fields of a subject. */
export const SubjectForm = ({ job: { studioId, jobId }, subject }: SubjectFormProps) => {
  const params = { studioId, jobId, subjectId: subject.id }
  const patch = useStaffMutation(patchSubject)
  const edit = useRecordForm({
    name: `subject ${studioId} ${subject.id}`,
    record: subject,
    toVersionedValues,
    rules: {
      ...optionRules(subject),
      firstName: (_, model) => subjectErrors(model).firstName?.[0] ?? null,
      code: (_, model) => subjectErrors(model).code?.[0] ?? null,
    },
    save: async ({ values, version }) => {
      const fields = values.fields.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '')
      const answer = await patch.mutate({ params, body: { ...values, fields, version } }, { onError: 'silent' })
      return withFieldIndexes(answer, values.fields)
    },
    read: () => authorizedRequest(getStudioSubject, { params }),
  })
  const labels = {
    firstName: 'First name',
    lastName: 'Last name',
    reference: 'Reference',
    code: 'Code',
    fields: 'Fields',
  }
  return (
    <EditForm edit={edit} labels={labels}>
      <div className={styles.names}>
        <TextField name="firstName" label="First name" autoComplete="off" maxLength={100} />
        <TextField name="lastName" label="Last name" autoComplete="off" maxLength={100} />
        <TextField name="reference" label="Reference" optional autoComplete="off" maxLength={60} />
        <TextField name="code" label="Code" optional autoComplete="off" maxLength={20} />
      </div>
      <FieldEntries prefields={subject.knownFields} entries={entriesOf(subject)} />
    </EditForm>
  )
}
