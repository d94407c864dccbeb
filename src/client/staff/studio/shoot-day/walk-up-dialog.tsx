import { useState } from 'react'
import { fixFieldsMessage, isValid, type Rules, required, validate } from '#domain/shared/validators.ts'
import { readCard } from '#domain/subjects/attendance.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './shoot.module.css'
import type { WalkUpValues } from './use-pending-requests.ts'

type WalkUpDialogProps = {
  open: boolean
  /** Code of a scanned spare card; empty if there is none. */
  code: string
  groups: readonly string[]
  onClose: () => void
  onCheckIn: (values: WalkUpValues) => void
}

const rules: Rules<WalkUpValues> = {
  firstName: required(),
  lastName: required(),
  code: (value) => (value === '' || readCard(String(value)) ? null : 'A code has 4 to 12 letters and digits'),
}

/** Adds a subject who is not on the list, and checks them in. */
export const WalkUpDialog = ({ open, code, groups, onClose, onCheckIn }: WalkUpDialogProps) => {
  const [values, setValues] = useState<WalkUpValues>({ firstName: '', lastName: '', groupName: '', code })
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const field = (name: keyof WalkUpValues, label: string, inputProps: object = {}) => (
    <Field label={label} errors={errors[name]} optional={name === 'groupName' || name === 'code'}>
      <TextInput
        value={values[name]}
        autoComplete="off"
        onValue={(value) => setValues({ ...values, [name]: value })}
        {...inputProps}
      />
    </Field>
  )
  const submit = () => {
    const fieldErrors = validate(values, rules)
    setErrors(fieldErrors)
    if (isValid(fieldErrors)) onCheckIn(values)
  }
  return (
    <Dialog open={open} onClose={onClose} title="Walk-up" description="Adds them and checks them in." size="small">
      <Form error={isValid(errors) ? null : fixFieldsMessage} onSubmit={submit}>
        {field('firstName', 'First name', { 'data-first-focus': true, autoCapitalize: 'words' })}
        {field('lastName', 'Last name', { autoCapitalize: 'words' })}
        {field('groupName', 'Group', { list: 'walk-up-groups', autoCapitalize: 'words' })}
        <datalist id="walk-up-groups">
          {groups.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {field('code', 'Code of a spare card', { autoCapitalize: 'characters' })}
        <div className={styles.dialogActions}>
          <Button variant="quiet" size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg">
            Check in
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
