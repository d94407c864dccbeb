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

export type PersonSearch = { first: string; last: string }

const lengthOf = (key: string): number => [...key].length

/** The keys to look a person up by; null unless there are a letter of the first name and two of the last. */
export const personSearch = (typed: { firstName: string; lastName: string }): PersonSearch | null => {
  const first = searchKey(typed.firstName)
  const last = searchKey(typed.lastName)
  return lengthOf(first) >= 1 && lengthOf(last) >= 2 ? { first, last } : null
}

/** Whether a person's names begin as searched for. */
export const isFound = (search: PersonSearch, person: { firstName: string; lastName: string }): boolean =>
  searchKey(person.firstName).startsWith(search.first) && searchKey(person.lastName).startsWith(search.last)
