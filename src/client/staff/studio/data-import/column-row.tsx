import type { ImportDetails } from '#contract/studio/imports.ts'
import { type ColumnUse, type ImportTarget, importTargets, maxFieldNameLength } from '#domain/imports/import-columns.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './data-import.module.css'
import { importTargetLabels } from './import-labels.ts'

const targets = importTargets
  .toSorted((one, other) => Number(other === 'leave') - Number(one === 'leave'))
  .map((value) => ({ value, label: importTargetLabels[value] }))

type ColumnRowProps = { column: ImportDetails['columns'][number]; use: ColumnUse; onUse: (use: ColumnUse) => void }

/** One column of the list with its target. */
export const ColumnRow = ({ column: { index, heading, samples }, use, onUse }: ColumnRowProps) => {
  const choose = (target: string) => {
    const chosen = importTargets.find((one): one is ImportTarget => one === target) ?? 'leave'
    onUse({
      column: index,
      target: chosen,
      field: chosen === 'field' ? (use.field ?? heading).slice(0, maxFieldNameLength) : null,
    })
  }
  const isNamed = use.target === 'field' || use.target === 'group'
  return (
    <li className={styles.column} data-left={use.target === 'leave' || undefined}>
      <div className={styles.told}>
        <strong>{heading}</strong>
        <span className={styles.samples}>{samples.length > 0 ? samples.join(' · ') : 'Nothing in it'}</span>
      </div>
      <Field label={`“${heading}” is`} className={styles.target}>
        <Select options={targets} value={use.target} onValue={choose} />
      </Field>
      {isNamed ? (
        <Field
          label={use.target === 'group' ? 'Also kept as' : 'Called'}
          optional={use.target === 'group'}
          className={styles.name}
        >
          <TextInput
            value={use.field ?? ''}
            maxLength={maxFieldNameLength}
            onValue={(field) => onUse({ ...use, field: use.target === 'group' && field === '' ? null : field })}
          />
        </Field>
      ) : (
        <span className={styles.name} />
      )}
    </li>
  )
}
