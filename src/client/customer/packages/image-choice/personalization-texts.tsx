import type { Infer } from 'superstruct'
import type { patchPrintedTexts } from '#contract/customer/order-image-choice.ts'
import { unprintableLetters, unprintableMessage } from '#domain/printing/printable-letters.ts'
import { printedText } from '#domain/printing/printed-text.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from '../customiser/customiser.module.css'
import type { OrderImageChoice } from './image-choice.ts'

export type PersonalizationLine = NonNullable<OrderImageChoice['printedWords']>[number]
/** Only the typed fields. */
export type PersonalizationChange = { nameToPrint?: string | undefined; yearToPrint?: string | undefined }
type Word = keyof PersonalizationChange

/** maximum lengths as in the contract */
const words = [
  { word: 'nameToPrint', label: 'Name', most: 60 },
  { word: 'yearToPrint', label: 'Year', most: 20 },
] as const satisfies readonly { word: Word; label: string; most: number }[]

const isPrinted = ({ choice }: PersonalizationLine, word: Word): boolean =>
  word === 'nameToPrint'
    ? choice.nameOnAllPrints || choice.nameOnWallets
    : choice.yearOnAllPrints || choice.yearOnWallets

const fieldId = ({ id }: PersonalizationLine, word: Word): string => `words-${id}-${word}`

const wrongWith = (typed: string): string | null => {
  if (printedText(typed) === '') return validationMessages.required
  const lacking = unprintableLetters(typed)
  return lacking.length > 0 ? unprintableMessage(lacking) : null
}

/** The field of the first text that is missing or unprintable. */
export const missingPersonalizationField = (
  one: PersonalizationLine,
  change: PersonalizationChange = {},
): string | null => {
  const gap = words.find(({ word }) => isPrinted(one, word) && wrongWith(change[word] ?? one.choice[word]) !== null)
  return gap ? fieldId(one, gap.word) : null
}

/** The change after typing one text; null if everything equals the initial state. */
export const withPersonalizationText = (
  { choice }: PersonalizationLine,
  change: PersonalizationChange,
  word: Word,
  to: string,
): PersonalizationChange | null => {
  const { [word]: _, ...rest } = change
  const next = to === choice[word] ? rest : { ...rest, [word]: to }
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

type PrintedWordsProps = {
  one: PersonalizationLine
  change: PersonalizationChange | undefined
  onChange: (change: PersonalizationChange | null) => void
}

/** Name and year on a subject's prints. */
export const PersonalizationTexts = ({ one, change = {}, onChange }: PrintedWordsProps) => {
  const what = `${one.name} for ${one.personName}`
  return (
    <section aria-label={what} className={styles.work}>
      <p className={styles.what}>{what}</p>
      {words
        .filter(({ word }) => isPrinted(one, word))
        .map(({ word, label, most }) => {
          const value = change[word] ?? one.choice[word]
          return (
            <Field key={word} id={fieldId(one, word)} label={label} required errors={wrongWith(value)}>
              <TextInput
                value={value}
                maxLength={most}
                autoComplete="off"
                autoCapitalize="words"
                onValue={(to) => onChange(withPersonalizationText(one, change, word, to))}
              />
            </Field>
          )
        })}
    </section>
  )
}
