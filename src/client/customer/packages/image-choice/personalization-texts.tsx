import type { Infer } from 'superstruct'
import type { patchPrintedTexts } from '#contract/customer/order-image-choice.ts'
import { printedText, unprintableLetters, unprintableMessage } from '#domain/printing/printable-letters.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from '../customiser/customiser.module.css'
import type { OrderImageChoice } from './image-choice.ts'

export type PersonalizationLine = NonNullable<OrderImageChoice['printedWords']>[number]
/** Only the typed fields. */
export type PersonalizationChange = { nameToPrint?: string | undefined; yearToPrint?: string | undefined }
type TextField = keyof PersonalizationChange

/** Maximum lengths as in the contract. */
const fields = [
  { field: 'nameToPrint', label: 'Name', maxLength: 60 },
  { field: 'yearToPrint', label: 'Year', maxLength: 20 },
] as const satisfies readonly { field: TextField; label: string; maxLength: number }[]

const isPrinted = ({ choice }: PersonalizationLine, field: TextField): boolean =>
  field === 'nameToPrint'
    ? choice.nameOnAllPrints || choice.nameOnWallets
    : choice.yearOnAllPrints || choice.yearOnWallets

const fieldId = ({ id }: PersonalizationLine, field: TextField): string => `words-${id}-${field}`

const textError = (text: string): string | null => {
  if (printedText(text) === '') return validationMessages.required
  const unprintable = unprintableLetters(text)
  return unprintable.length > 0 ? unprintableMessage(unprintable) : null
}

/** The field id of the first text that is missing or unprintable; null if there is none. */
export const missingPersonalizationField = (
  line: PersonalizationLine,
  change: PersonalizationChange = {},
): string | null => {
  const problem = fields.find(
    ({ field }) => isPrinted(line, field) && textError(change[field] ?? line.choice[field]) !== null,
  )
  return problem ? fieldId(line, problem.field) : null
}

/** The change after typing one text; null if everything equals the initial state. */
export const withPersonalizationText = (
  { choice }: PersonalizationLine,
  change: PersonalizationChange,
  field: TextField,
  text: string,
): PersonalizationChange | null => {
  const { [field]: _, ...otherTexts } = change
  const next = text === choice[field] ? otherTexts : { ...otherTexts, [field]: text }
  return Object.keys(next).length > 0 ? next : null
}

/** The update sent to the server. */
export const toPersonalizationUpdate = (
  { version, choice }: PersonalizationLine,
  change: PersonalizationChange,
): Infer<(typeof patchPrintedTexts)['body']> => ({
  version,
  nameToPrint: change.nameToPrint ?? choice.nameToPrint,
  yearToPrint: change.yearToPrint ?? choice.yearToPrint,
})

type PersonalizationTextsProps = {
  line: PersonalizationLine
  change: PersonalizationChange | undefined
  onChange: (change: PersonalizationChange | null) => void
}

/** Name and year on a subject's prints. */
export const PersonalizationTexts = ({ line, change = {}, onChange }: PersonalizationTextsProps) => {
  const title = `${line.name} for ${line.subjectName}`
  return (
    <section aria-label={title} className={styles.controls}>
      <p className={styles.packageNames}>{title}</p>
      {fields
        .filter(({ field }) => isPrinted(line, field))
        .map(({ field, label, maxLength }) => {
          const value = change[field] ?? line.choice[field]
          return (
            <Field key={field} id={fieldId(line, field)} label={label} required errors={textError(value)}>
              <TextInput
                value={value}
                maxLength={maxLength}
                autoComplete="off"
                autoCapitalize="words"
                onValue={(text) => onChange(withPersonalizationText(line, change, field, text))}
              />
            </Field>
          )
        })}
    </section>
  )
}
