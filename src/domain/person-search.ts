import { isValid, required, type Validator, validate } from './validators.ts'

// Letters that are no base letter with an accent, so that decomposing does not find one.
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
}

/** A name as names are compared, on both sides: no case, accents, blanks, dashes or apostrophes. */
export const searchKey = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[ßæœøđðłıþ]/g, (letter) => plain[letter] ?? letter)

/** What the search asks for, as it was typed. */
export type TypedNames = { firstName: string; lastName: string }

export type PersonSearch = { first: string; last: string }

/** At least so many letters, where something was typed. */
const letters = (least: number, sentence: string): Validator<TypedNames> => {
  return (value) => {
    const typed = String(value).trim()
    return typed !== '' && [...searchKey(typed)].length < least ? sentence : null
  }
}

const rules = {
  firstName: [required<TypedNames>(), letters(1, 'Type at least the first letter')],
  lastName: [required<TypedNames>(), letters(2, 'Type at least two letters')],
}

/** What the names lack before a search may ask: a letter of the first and two of the last (section 5). */
export const nameErrors = (typed: TypedNames): Record<string, string[]> => validate(typed, rules)

/** The keys to look a person up by; null where the names lack something. */
export const personSearch = (typed: TypedNames): PersonSearch | null =>
  isValid(nameErrors(typed)) ? { first: searchKey(typed.firstName), last: searchKey(typed.lastName) } : null

/** Whether a person's names begin as searched for. */
export const isFound = (search: PersonSearch, person: { firstName: string; lastName: string }): boolean =>
  searchKey(person.firstName).startsWith(search.first) && searchKey(person.lastName).startsWith(search.last)
