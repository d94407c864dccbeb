import { usStates } from '#domain/shared/us-states.ts'
import { SelectField, TextField } from './form-fields.tsx'
import styles from './postal-address-fields.module.css'

const states = [{ value: '', label: 'None' }, ...usStates.map(({ code, name }) => ({ value: code, label: name }))]

/** The five fields of a postal address; `name` is the address's path in the form's model. */
export const PostalAddressFields = ({ name }: { name: string }) => (
  <fieldset className={styles.fields}>
    <legend className={styles.legend}>Address</legend>
    <TextField name={`${name}.address1`} label="Street" autoComplete="off" maxLength={100} className={styles.wide} />
    <TextField
      name={`${name}.address2`}
      label="Building, suite"
      optional
      autoComplete="off"
      maxLength={100}
      className={styles.wide}
    />
    <TextField name={`${name}.city`} label="City" autoComplete="off" maxLength={100} className={styles.wide} />
    <SelectField name={`${name}.state`} label="State" options={states} />
    <TextField name={`${name}.zip`} label="ZIP code" inputMode="numeric" autoComplete="off" maxLength={10} />
  </fieldset>
)
