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
  /** Called on Enter in the empty field. Moves the focus to the fields after the packages. */
  onDone: () => void
}

/** Adds packages in the notation of paper forms: a number or a name, with a quantity (`3x2`) if needed. Each package also has a button. */
export const PackageField = ({ packages, control, onAdd, onDone }: PackageFieldProps) => {
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const add = (entryPackage: EntryPackage, quantity: number) => {
    if (!onAdd(entryPackage, quantity)) return setError('Choose the subject first')
    setText('')
    setError('')
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    if (text.trim() === '') return onDone()
    const parsed = parseTypedPackage(text, packages)
    if (!parsed) return setError(`“${text.trim()}” matches no package, or several`)
    add(parsed.match, parsed.quantity)
  }
  return (
    <div className={styles.packages}>
      <Field label="Package" hint="Number or name; 3x2 for two of number 3" errors={error === '' ? undefined : [error]}>
        <TextInput
          ref={control}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onValue={(value) => {
            setText(value)
            setError('')
          }}
          onKeyDown={handleKeyDown}
        />
      </Field>
      <ol className={styles.packageButtons} aria-label="Packages of this job">
        {packages.map((entryPackage) => (
          <li key={entryPackage.package.id}>
            <Button variant="secondary" onClick={() => add(entryPackage, 1)} className={styles.packageButton}>
              <span className="tabular">{entryPackage.number}</span> {entryPackage.package.name}{' '}
              <span className="tabular">{formatMoney(toCents(entryPackage.package.retailCost))}</span>
            </Button>
          </li>
        ))}
      </ol>
    </div>
  )
}
