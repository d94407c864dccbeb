import type { ImportDetails } from '#contract/studio/imports.ts'
import { type ColumnUse, type ImportTarget, importTargets, maxFieldNameLength } from '#domain/imports/import-columns.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './data-import.module.css'
import { importTargetLabels } from './import-labels.ts'

// "Leave out" comes first.
const targetOptions = importTargets
  .toSorted((left, right) => Number(right === 'ignore') - Number(left === 'ignore'))
  .map((value) => ({ value, label: importTargetLabels[value] }))

type ColumnRowProps = { column: ImportDetails['columns'][number]; use: ColumnUse; onUse: (use: ColumnUse) => void }

/** One column of the uploaded list, with a select for its target. */
export const ColumnRow = ({ column: { index, heading, samples }, use, onUse }: ColumnRowProps) => {
  const chooseTarget = (value: string) => {
    const target =
      importTargets.find((importTarget): importTarget is ImportTarget => importTarget === value) ?? 'ignore'
    onUse({
      column: index,
      target,
      field: target === 'field' ? (use.field ?? heading).slice(0, maxFieldNameLength) : null,
    })
  }
  const hasFieldName = use.target === 'field' || use.target === 'group'
  return (
    <li className={styles.column} data-left={use.target === 'ignore' || undefined}>
      <div className={styles.heading}>
        <strong>{heading}</strong>
        <span className={styles.samples}>{samples.length > 0 ? samples.join(' · ') : 'Nothing in it'}</span>
      </div>
      <Field label={`“${heading}” is`}>
        <Select options={targetOptions} value={use.target} onValue={chooseTarget} />
      </Field>
      {hasFieldName ? (
        <Field label={use.target === 'group' ? 'Also saved as' : 'Called'} optional={use.target === 'group'}>
          <TextInput
            value={use.field ?? ''}
            maxLength={maxFieldNameLength}
            onValue={(field) => onUse({ ...use, field: use.target === 'group' && field === '' ? null : field })}
          />
        </Field>
      ) : (
        <span />
      )}
    </li>
  )
}
