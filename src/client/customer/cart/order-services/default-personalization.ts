import { itemLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import type { CartPackage, CartSubject } from '#domain/cart/cart.ts'
import type { PersonalizationChoice, ServiceFlags } from '#domain/cart/order-service-types.ts'
import { defaultPersonalization } from '#domain/cart/personalization.ts'

/** Maximum lengths of the printed name and year; the same as in the contract. */
export const maxNameLength = 60
export const maxYearLength = 20

type SubjectName = Pick<CartSubject, 'firstName' | 'lastName'>

/** The texts of the subject's prints, each with the label of its print. */
const printedTexts = (lines: readonly CartPackage[]): { label: string; text: string }[] =>
  lines.flatMap(({ snapshot, cartPackageItems }) =>
    cartPackageItems.flatMap(({ packageItemId, textNodes }) => {
      const item = snapshot.package.items.find(({ id }) => id === packageItemId)
      return item ? textNodes.map(({ value }) => ({ label: itemLabel(item), text: value })) : []
    }),
  )

/** A year within a text, e.g. in "Spring 2027". */
const yearIn = (text: string): string | undefined => /\b20\d\d\b/.exec(text)?.[0]

/** The labels of the prints that have the subject's name already, each once. */
export const printsWithName = (lines: readonly CartPackage[], { firstName }: SubjectName): string[] => {
  const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{M}\p{N}'’-]+/u)
  const nameWords = wordsOf(firstName).filter((word) => word !== '')
  const hasName = (text: string) => nameWords.length > 0 && nameWords.every((word) => wordsOf(text).includes(word))
  const named = printedTexts(lines).filter(({ text }) => hasName(text))
  return [...new Set(named.map(({ label }) => label))]
}

/**
 * The initial choice (section 9): the subject's name, and the year that the subject's prints show, else the current one,
 * on all prints, or on wallets if the job offers nothing else. `now` is ISO 8601 UTC.
 */
export const initialPersonalization = (
  { firstName, lastName }: SubjectName,
  { allowNameOnAllPrints, allowNameOnWallets }: ServiceFlags,
  { lines, now }: { lines: readonly CartPackage[]; now: string },
): PersonalizationChoice => {
  const initial = defaultPersonalization(now)
  const [printedYear] = printedTexts(lines).flatMap(({ text }) => yearIn(text) ?? [])
  const onWalletsOnly = allowNameOnWallets && !allowNameOnAllPrints
  const placement = { nameOnWallets: true, nameOnAllPrints: false, yearOnWallets: true, yearOnAllPrints: false }
  return {
    ...initial,
    ...(onWalletsOnly && placement),
    ...(printedYear !== undefined && { yearToPrint: printedYear }),
    nameToPrint: `${firstName} ${lastName}`.trim().slice(0, maxNameLength),
  }
}
