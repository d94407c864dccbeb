import type { ShootSubject } from '#contract/studio/shoots.ts'
import { readCard } from '#domain/subjects/attendance.ts'
import { normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'

/** The subject with the code of a scanned card or of typed text; undefined if no subject of the job has this code. */
export const subjectByCard = (subjects: readonly ShootSubject[], scanned: string): ShootSubject | undefined => {
  const card = readCard(scanned)
  return card ? subjects.find(({ code }) => code !== null && normaliseAccessCode(code) === card.code) : undefined
}

/** Limit of matches shown while the user types. */
const maxMatches = 8

/** Subjects whose name (in either order), code or reference matches the text. Empty text matches no subjects. */
export const subjectsMatching = (subjects: readonly ShootSubject[], text: string): ShootSubject[] => {
  const query = text.trim()
  if (query === '') return []
  const [queryKey, queryCode] = [searchKey(query), normaliseAccessCode(query)]
  const isMatch = ({ firstName, lastName, reference, code }: ShootSubject): boolean => {
    const [first, last] = [searchKey(firstName), searchKey(lastName)]
    const matchesName = queryKey !== '' && ((first + last).includes(queryKey) || (last + first).includes(queryKey))
    const matchesReference = reference?.toLowerCase().startsWith(query.toLowerCase()) ?? false
    return matchesName || matchesReference || (queryCode !== '' && (code?.startsWith(queryCode) ?? false))
  }
  return subjects.filter(isMatch).slice(0, maxMatches)
}
