import { exportFields, fieldSource } from '#domain/image-exports/export-fields.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { fieldLabels, type SettingsProps } from './export-form-parts.ts'
import styles from './exports.module.css'

/** Chooses what the columns of the index contain about each subject. */
export const ExportColumns = ({
  settings: { fields, extraFields },
  errors,
  change,
  fieldNames,
}: SettingsProps & { fieldNames: readonly string[] }) => {
  const options = [
    { value: '', label: 'Leave empty' },
    { value: 'reference', label: 'Student id' },
    { value: 'group', label: 'Group' },
    ...fieldNames.map((name) => ({ value: fieldSource(name), label: name })),
  ]
  return (
    <fieldset className={styles.group}>
      <legend>Columns</legend>
      <div className={styles.fields}>
        {exportFields.map((field) => (
          <Field key={field} label={fieldLabels[field]} errors={errors[field]}>
            <Select
              options={options}
              value={fields[field]}
              onValue={(source) => change({ fields: { ...fields, [field]: source } })}
            />
          </Field>
        ))}
      </div>
      {fieldNames.length > 0 && (
        <fieldset className={styles.extraFields}>
          <legend>More columns</legend>
          {fieldNames.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={extraFields.includes(name)}
              onValue={(isChecked) =>
                change({
                  extraFields: isChecked ? [...extraFields, name] : extraFields.filter((other) => other !== name),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </fieldset>
  )
}
