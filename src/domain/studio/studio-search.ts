import { spellingKey } from '../subjects/subject-search.ts'

/** Letters that a search needs, so that it does not list every studio. */
const minLetters = 3

const betweenWords = /[^\p{L}\p{M}\p{N}'’]+/u

/**
 * The words of a typed studio's name as search keys: a studio is found if each begins a word of its name. Empty if there
 * are too few letters.
 */
export const studioSearchKeys = (text: string): string[] => {
  const words = text
    .split(betweenWords)
    .map(spellingKey)
    .filter((word) => word !== '')
  return [...words.join('')].length < minLetters ? [] : words
}
