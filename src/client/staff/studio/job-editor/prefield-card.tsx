import { CheckField, FieldPair, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { ListCard, type ListCardProps } from '#client/staff/kit/form/list-card.tsx'
import type { PrefieldValues } from './prefield-values.ts'
import styles from './prefields.module.css'

const inputTypes = [
  { value: 'text', label: 'One line' },
  { value: 'textarea', label: 'Several lines' },
  { value: 'alphanumeric', label: 'Letters and digits' },
] as const

/** Edits one prefield: its label, type, options and position. */
export const PrefieldCard = ({ values, ...card }: ListCardProps & { values: PrefieldValues | undefined }) => {
  const path = `fields.${card.index}`
  return (
    <ListCard name={values?.name.trim() || 'the new field'} {...card}>
      <FieldPair>
        <TextField
          name={`${path}.name`}
          label="Name"
          required
          maxLength={60}
          hint="Internal name, for lists and prints"
        />
        <TextField name={`${path}.label`} label="Question" optional maxLength={200} hint="Defaults to the name" />
      </FieldPair>
      <div className={styles.row}>
        <SelectField name={`${path}.inputType`} label="Type" options={inputTypes} />
        <CheckField name={`${path}.required`} label="Required" />
        <CheckField name={`${path}.hasOptions`} label="Dropdown" />
      </div>
      {values?.hasOptions && (
        <TextField name={`${path}.options`} label="Choices" type="textarea" rows={4} hint="One per line" />
      )}
    </ListCard>
  )
}
