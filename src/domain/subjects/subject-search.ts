import { required, requiredIf, type Validator, validate } from '../shared/validators.ts'

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

const lettersOf = (name: string): number => [...searchKey(name)].length

/** At least one letter, where something was typed. */
const hasLetter: Validator<TypedNames> = (value) =>
  String(value).trim() !== '' && lettersOf(String(value)) === 0 ? 'Type at least the first letter' : null

const rules = {
  firstName: [required<TypedNames>(), hasLetter],
  // Somebody without a last name is found by a whole first name; one letter alone is none.
  lastName: requiredIf<TypedNames>(({ firstName }) => lettersOf(firstName) < 2),
}

/** What the names lack before a search may ask (section 4, grants). */
export const nameSearchErrors = (typed: TypedNames): Record<string, string[]> => validate(typed, rules)

// As a name's key, but with `ü` and `ue`, `ø` and `oe`, `ä` and `ae` as one letter each, on both sides.
const nameKey = (name: string): string => searchKey(name).replace(/([aou])e/g, '$1')

const betweenWords = /[^\p{L}\p{M}\p{N}\p{Cf}'’ʼ]+/u

const wordsOf = (name: string): string[] => name.split(betweenWords).filter((word) => lettersOf(word) > 0)

const quoted = /"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|‘([^‘’]*)’|(?<!\p{L})'([^']*)'(?!\p{L})/gu

/** A first name in each of its whole forms: with its quoted nickname, without it, and the nickname alone. */
const wholeFirstNames = (name: string): string[] => {
  const nicknames = [...name.matchAll(quoted)].map(([, ...texts]) => texts.find((text) => text !== undefined) ?? '')
  return [name, name.replace(quoted, ' '), ...nicknames].map(nameKey).filter((key) => key !== '')
}

/** Whether the first name, or a word or nickname in it, begins with what was typed. */
const begins = (typed: string, firstName: string): boolean => {
  const key = nameKey(typed)
  return key !== '' && [firstName, ...wordsOf(firstName)].some((word) => nameKey(word).startsWith(key))
}

/** Whether what was typed is one whole word of the last name, or several, or all of it; words of one letter alone are none. */
const isWord = (typed: string, lastName: string): boolean => {
  const words = new Set([lastName, ...wordsOf(lastName)].map(nameKey))
  if (lettersOf(typed) >= 2 && words.has(nameKey(typed))) return true
  const typedWords = wordsOf(typed)
  return typedWords.some((word) => lettersOf(word) >= 2) && typedWords.every((word) => words.has(nameKey(word)))
}

const fits = (typed: TypedNames, { firstName, lastName }: TypedNames): boolean => {
  if (lettersOf(lastName) >= 2) {
    if (lettersOf(firstName) === 0) return nameKey(typed.lastName) === nameKey(lastName)
    return begins(typed.firstName, firstName) && isWord(typed.lastName, lastName)
  }
  // A last name that is missing or only a letter: the whole first name, and nothing against the letter.
  return (
    wholeFirstNames(firstName).includes(nameKey(typed.firstName)) &&
    (lettersOf(typed.lastName) === 0 || nameKey(typed.lastName).startsWith(nameKey(lastName)))
  )
}

/**
 * Whether a search finds a person (section 4, grants): by the first letter of the first name and one whole word of the last; by the
 * whole first name where the last is missing or shorter than two letters. Names typed in each other's place match too.
 */
export const matchesTypedNames = (typed: TypedNames, person: TypedNames): boolean =>
  fits(typed, person) || fits({ firstName: typed.lastName, lastName: typed.firstName }, person)

/**
 * Patterns over the keys of names that match everybody a search may find, and some more: `isFound` decides. `last`: for last names of two
 * letters or more; `first`: for subjects without one.
 */
export const searchPatterns = ({ firstName, lastName }: TypedNames): { last: string[]; first: string[] } => {
  const patternOf = (name: string): string => nameKey(name).replace(/[aou]/g, '$&e?')
  const names = [firstName, lastName].filter((name) => lettersOf(name) > 0)
  const words = names.flatMap((name) => [name, ...wordsOf(name)])
  const last = words.filter((word) => lettersOf(word) >= 2)
  return { last: [...new Set(last.map(patternOf))], first: [...new Set(words.map(patternOf))] }
}
