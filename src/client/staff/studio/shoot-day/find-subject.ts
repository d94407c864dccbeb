import type { ShootSubject } from '#contract/studio/shoots.ts'
import { normaliseAccessCode } from '#domain/subjects/access-code.ts'
import { readCard } from '#domain/subjects/attendance.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'

/** The subject whose card was scanned or whose code was typed; undefined if no subject of the job has it. */
export const subjectByCard = (subjects: readonly ShootSubject[], scanned: string): ShootSubject | undefined => {
  const card = readCard(scanned)
  return card ? subjects.find(({ code }) => code !== null && normaliseAccessCode(code) === card.code) : undefined
}

/** Limit of matches shown while the user types. */
const maxMatches = 8

/** Subjects that match the typed text by name (in either order), code or reference. Empty text matches none. */
export const subjectsMatching = (subjects: readonly ShootSubject[], typed: string): ShootSubject[] => {
  const sought = typed.trim()
  if (sought === '') return []
  const [key, code] = [searchKey(sought), normaliseAccessCode(sought)]
  const isMatch = ({ firstName, lastName, reference, code: subjectCode }: ShootSubject): boolean => {
    const [first, last] = [searchKey(firstName), searchKey(lastName)]
    const byName = key !== '' && ((first + last).includes(key) || (last + first).includes(key))
    const byReference = reference?.toLowerCase().startsWith(sought.toLowerCase()) ?? false
    return byName || byReference || (code !== '' && (subjectCode?.startsWith(code) ?? false))
  }
  return subjects.filter(isMatch).slice(0, maxMatches)
}
