import { type KeyboardEvent, type RefObject, useState } from 'react'
import type { EntryPackage } from '#contract/studio/order-entry.ts'
import { parseTypedPackage } from '#domain/orders/paper-order.ts'
import { formatMoney, toCents } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './order-entry.module.css'

type PackageFieldProps = {
  packages: readonly EntryPackage[]
  control: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  /** Returns false if no subject is chosen: the text then stays in the field. */
  onAdd: (entryPackage: EntryPackage, quantity: number) => boolean
  /** Enter in the empty field: moves on to the fields after the packages. */
  onDone: () => void
}

/** Adds packages as paper forms list them: a number, a name, or a quantity (`3x2`). All packages are also buttons. */
export const PackageField = ({ packages, control, onAdd, onDone }: PackageFieldProps) => {
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState('')
  const add = (entryPackage: EntryPackage, quantity: number) => {
    if (!onAdd(entryPackage, quantity)) return setWrong('Say first whom it is for')
    setTyped('')
    setWrong('')
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    if (typed.trim() === '') return onDone()
    const values = parseTypedPackage(typed, packages)
    if (!values) return setWrong(`“${typed.trim()}” is none of the packages, or could be several`)
    add(values.found, values.quantity)
  }
  return (
    <div className={styles.packages}>
      <Field label="Package" hint="Number or name; 3x2 for two of number 3" errors={wrong === '' ? undefined : [wrong]}>
        <TextInput
          ref={control}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onValue={(value) => {
            setTyped(value)
            setWrong('')
          }}
          onKeyDown={press}
        />
      </Field>
      <ol className={styles.menu} aria-label="Packages of this job">
        {packages.map((one) => (
          <li key={one.package.id}>
            <Button variant="secondary" onClick={() => add(one, 1)} className={styles.tap}>
              <span className="tabular">{one.number}</span> {one.package.name}{' '}
              <span className="tabular">{formatMoney(toCents(one.package.retailCost))}</span>
            </Button>
          </li>
        ))}
      </ol>
    </div>
  )
}
