import type { Infer } from 'superstruct'
import type { patchPrintedWords } from '#contract/customer/order-image-choice.ts'
import { lackingSentence, lettersLacking } from '#domain/printing/printable-letters.ts'
import { printedText } from '#domain/printing/printed-text.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from '../customiser/customiser.module.css'
import type { OrderPoses } from './image-choice.ts'

export type PrintedWordsLine = NonNullable<OrderPoses['printedWords']>[number]
/** What was typed, and nothing else. */
export type WordsChange = { nameToPrint?: string | undefined; yearToPrint?: string | undefined }
type Word = keyof WordsChange

/** As many letters as the contract takes. */
const words = [
  { word: 'nameToPrint', label: 'Name', most: 60 },
  { word: 'yearToPrint', label: 'Year', most: 20 },
] as const satisfies readonly { word: Word; label: string; most: number }[]

const isPrinted = ({ choice }: PrintedWordsLine, word: Word): boolean =>
  word === 'nameToPrint'
    ? choice.nameOnAllPrints || choice.nameOnWallets
    : choice.yearOnAllPrints || choice.yearOnWallets

const fieldId = ({ id }: PrintedWordsLine, word: Word): string => `words-${id}-${word}`

const wrongWith = (typed: string): string | null => {
  if (printedText(typed) === '') return validationMessages.required
  const lacking = lettersLacking(typed)
  return lacking.length > 0 ? lackingSentence(lacking) : null
}

/** The field of the first word that is missing or cannot be printed. */
export const wordsGap = (one: PrintedWordsLine, change: WordsChange = {}): string | null => {
  const gap = words.find(({ word }) => isPrinted(one, word) && wrongWith(change[word] ?? one.choice[word]) !== null)
  return gap ? fieldId(one, gap.word) : null
}

/** The change with one word typed; null where all is as it began. */
export const typed = (
  { choice }: PrintedWordsLine,
  change: WordsChange,
  word: Word,
  to: string,
): WordsChange | null => {
  const { [word]: _, ...rest } = change
  const next = to === choice[word] ? rest : { ...rest, [word]: to }
  return Object.keys(next).length > 0 ? next : null
}

/** What the server is told of them. */
export const wordsToPut = (
  { version, choice }: PrintedWordsLine,
  change: WordsChange,
): Infer<(typeof patchPrintedWords)['body']> => ({
  version,
  nameToPrint: change.nameToPrint ?? choice.nameToPrint,
  yearToPrint: change.yearToPrint ?? choice.yearToPrint,
})

type PrintedWordsProps = {
  one: PrintedWordsLine
  change: WordsChange | undefined
  onChange: (change: WordsChange | null) => void
}

/** Name and year of somebody's prints. */
export const PrintedWords = ({ one, change = {}, onChange }: PrintedWordsProps) => {
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
                onValue={(to) => onChange(typed(one, change, word, to))}
              />
            </Field>
          )
        })}
    </section>
  )
}
