import { required, requiredIf, type Validator, validate } from '../shared/validators.ts'

/** Letters that do not decompose into a base letter and an accent. */
export const baseLetters: Readonly<Record<string, string>> = {
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

/** A name as a key for comparison, applied to both sides: no case, accents, spaces, dashes or apostrophes. */
export const searchKey = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[ßæœøđðłıþ]/g, (letter) => baseLetters[letter] ?? letter)

/** The names in the search form. */
export type TypedNames = { firstName: string; lastName: string }

const countLetters = (name: string): number => [...searchKey(name)].length

/** At least one letter, if anything was typed. */
const hasLetter: Validator<TypedNames> = (value) =>
  String(value).trim() !== '' && countLetters(String(value)) === 0 ? 'Type at least the first letter' : null

const rules = {
  firstName: [required<TypedNames>(), hasLetter],
  // Without a last name the whole first name is needed; a single letter does not count.
  lastName: requiredIf<TypedNames>(({ firstName }) => countLetters(firstName) < 2),
}

/** The errors of the names before a search is allowed. */
export const nameSearchErrors = (typed: TypedNames): Record<string, string[]> => validate(typed, rules)

/** Like `searchKey`, but treats `ü` and `ue`, `ø` and `oe`, `ä` and `ae` as one letter each, on both sides. */
export const spellingKey = (name: string): string => searchKey(name).replace(/([aou])e/g, '$1')

const betweenWords = /[^\p{L}\p{M}\p{N}\p{Cf}'’ʼ]+/u

const wordsOf = (name: string): string[] => name.split(betweenWords).filter((word) => countLetters(word) > 0)

const quotedNickname = /"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|‘([^‘’]*)’|(?<!\p{L})'([^']*)'(?!\p{L})/gu

/** The complete forms of a first name: with its quoted nickname, without it, and the nickname alone. */
const fullFirstNames = (name: string): string[] => {
  const nicknames = [...name.matchAll(quotedNickname)].map(
    ([, ...texts]) => texts.find((text) => text !== undefined) ?? '',
  )
  return [name, name.replace(quotedNickname, ' '), ...nicknames].map(spellingKey).filter((key) => key !== '')
}

/** Whether the first name, or a word or nickname in it, begins with what was typed. */
const matchesFirstName = (typed: string, firstName: string): boolean => {
  const key = spellingKey(typed)
  return key !== '' && [firstName, ...wordsOf(firstName)].some((word) => spellingKey(word).startsWith(key))
}

/**
 * Whether what was typed is a whole word of the last name, several words, or all of it; words of one letter do not
 * count.
 */
const matchesLastName = (typed: string, lastName: string): boolean => {
  const words = new Set([lastName, ...wordsOf(lastName)].map(spellingKey))
  if (countLetters(typed) >= 2 && words.has(spellingKey(typed))) return true
  const typedWords = wordsOf(typed)
  return typedWords.some((word) => countLetters(word) >= 2) && typedWords.every((word) => words.has(spellingKey(word)))
}

const matchesInOrder = (typed: TypedNames, { firstName, lastName }: TypedNames): boolean => {
  if (countLetters(lastName) >= 2) {
    if (countLetters(firstName) === 0) return spellingKey(typed.lastName) === spellingKey(lastName)
    return matchesFirstName(typed.firstName, firstName) && matchesLastName(typed.lastName, lastName)
  }
  // Without a last name, or with a single letter: requires the whole first name, and no contradiction to the letter.
  return (
    fullFirstNames(firstName).includes(spellingKey(typed.firstName)) &&
    (countLetters(typed.lastName) === 0 || spellingKey(typed.lastName).startsWith(spellingKey(lastName)))
  )
}

/**
 * Whether a search finds a subject: by the first letter of the first name and one whole word of the last name; or by
 * the whole first name if the last name has fewer than two letters. First and last name may be swapped.
 */
export const matchesTypedNames = (typed: TypedNames, subject: TypedNames): boolean =>
  matchesInOrder(typed, subject) || matchesInOrder({ firstName: typed.lastName, lastName: typed.firstName }, subject)

/**
 * SQL patterns over name keys that match at least all subjects a search may find; `matchesTypedNames` decides. `last`:
 * for last names of two letters or more; `first`: for subjects without one.
 */
export const searchPatterns = ({ firstName, lastName }: TypedNames): { last: string[]; first: string[] } => {
  const patternOf = (name: string): string => spellingKey(name).replace(/[aou]/g, '$&e?')
  const names = [firstName, lastName].filter((name) => countLetters(name) > 0)
  const words = names.flatMap((name) => [name, ...wordsOf(name)])
  const last = words.filter((word) => countLetters(word) >= 2)
  return { last: [...new Set(last.map(patternOf))], first: [...new Set(words.map(patternOf))] }
}
