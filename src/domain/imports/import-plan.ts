import {
  groupKey,
  hasSameDetails,
  mergeDetails,
  type SubjectDetails,
  sortDetails,
  subjectNameKey,
} from '../subjects/subject-details.ts'
import type { ColumnUse } from './import-columns.ts'
import { fieldCountError, readSubjectRow, type SubjectRowResult } from './import-subject.ts'
import type { ImportTableRow } from './import-table.ts'
import { importRowWarnings } from './import-warnings.ts'

/** What happens to subjects that already exist. */
export type MatchPolicy = 'update' | 'skip'

/** A subject of the event with the stored details. */
export type ExistingSubject = { readonly id: number; readonly details: SubjectDetails }

/** What an import will do with a row, and why. */
export type RowPlan = {
  readonly number: number
  readonly state: 'create' | 'update' | 'unchanged' | 'skipped' | 'refused'
  readonly person: SubjectDetails
  /** The existing subject, with the details before and after the import. */
  readonly subjectId: number | null
  readonly before: SubjectDetails | null
  readonly after: SubjectDetails | null
  readonly message: string | null
  /** Likely mistakes in the fields of an imported row. */
  readonly warnings: readonly string[]
}

type RowOutcome = Omit<RowPlan, 'number' | 'person' | 'warnings'>

type ImportContext = {
  readonly known: readonly ExistingSubject[]
  /** The names of the event's groups. */
  readonly groups: readonly string[]
  /** Codes in use outside of this list: of other events, or of the event itself. */
  readonly takenCodes: ReadonlySet<string>
  readonly matches: MatchPolicy
}

const indexBy = (subjects: readonly ExistingSubject[], keyOf: (details: SubjectDetails) => string | null) =>
  Map.groupBy(
    subjects.filter(({ details: facts }) => keyOf(facts) !== null),
    ({ details: facts }) => keyOf(facts) ?? '',
  )

const shareGroup = (a: SubjectDetails, b: SubjectDetails): boolean => {
  const keys = new Set(a.groups.map(groupKey))
  return b.groups.some((name) => keys.has(groupKey(name)))
}

/** Plans a list row by row; earlier rows affect later ones. */
class ImportPlanner {
  readonly #event: ImportContext
  readonly #byReference: ReadonlyMap<string, ExistingSubject[]>
  readonly #byCode: ReadonlyMap<string, ExistingSubject[]>
  readonly #byName: ReadonlyMap<string, ExistingSubject[]>
  /** The first spelling of each group name. */
  readonly #groups: Map<string, string>
  readonly #uses: readonly ColumnUse[]
  /** Earlier rows by reference, name or code. Only the row is stored; its subject is parsed again when needed. */
  readonly #earlier = new Map<string, ImportTableRow>()
  readonly #rowBySubjectId = new Map<number, number>()

  constructor(uses: readonly ColumnUse[], event: ImportContext) {
    this.#uses = uses
    this.#event = event
    this.#byReference = indexBy(event.known, ({ reference }) => reference)
    this.#byCode = indexBy(event.known, ({ code }) => code)
    this.#byName = indexBy(event.known, subjectNameKey)
    this.#groups = new Map(event.groups.map((name) => [groupKey(name), name]))
  }

  plan(row: ImportTableRow): Omit<RowPlan, 'warnings'> {
    const { person, refused } = this.#read(row)
    const emptyPlan = { number: row.number, person, subjectId: null, before: null, after: null }
    if (row.notPerson !== null) return { ...emptyPlan, state: 'skipped', message: row.notPerson }
    if (refused !== null) return { ...emptyPlan, state: 'refused', message: refused }
    const duplicate = this.#findDuplicate(row, person)
    if (duplicate) return { ...emptyPlan, ...duplicate }
    const match = this.#findExisting(person)
    if (typeof match === 'string') return { ...emptyPlan, state: 'refused', message: match }
    return { ...emptyPlan, ...(match ? this.#change(row.number, match, person) : this.#create(person)) }
  }

  #read(row: ImportTableRow): SubjectRowResult {
    const { person, refused } = readSubjectRow(row.cells, this.#uses)
    return { person: this.#withFirstSpellings(person), refused }
  }

  #withFirstSpellings(person: SubjectDetails): SubjectDetails {
    const groups = person.groups.map((name) => {
      const spelling = this.#groups.get(groupKey(name)) ?? name
      this.#groups.set(groupKey(name), spelling)
      return spelling
    })
    return sortDetails({ ...person, groups })
  }

  /** Whether an earlier row is the same subject, or claims the same code. */
  #findDuplicate(row: ImportTableRow, person: SubjectDetails): Pick<RowPlan, 'state' | 'message'> | null {
    const { reference, code, groups } = person
    const name = `name ${subjectNameKey(person)} ${groups.map(groupKey).join('|')}`
    const keys = [reference === null ? name : `id ${reference}`, ...(code === null ? [] : [`code ${code}`])]
    const conflict = keys.map((key) => ({ key, earlier: this.#earlier.get(key) })).find(({ earlier }) => earlier)
    if (conflict?.earlier) {
      const earlierRow = conflict.earlier.number
      if (hasSameDetails(person, this.#read(conflict.earlier).person))
        return { state: 'skipped', message: `The same as row ${earlierRow}` }
      const sharedField = conflict.key.startsWith('id ')
        ? 'student id'
        : conflict.key.startsWith('code ')
          ? 'access code'
          : null
      const message = sharedField
        ? `Row ${earlierRow} has the same ${sharedField}`
        : `Row ${earlierRow} has the same name${groups.length > 0 ? ' and group' : ''}. Add student ids to tell them apart`
      return { state: 'refused', message }
    }
    for (const key of keys) this.#earlier.set(key, row)
    return null
  }

  /**
   * Finds the existing subject: by reference, then by code, then by name and group. Returns a message if there are
   * several candidates.
   */
  #findExisting(person: SubjectDetails): ExistingSubject | undefined | string {
    const { reference, code } = person
    const [byReference] = (reference !== null && this.#byReference.get(reference)) || []
    if (byReference) return byReference
    const [byCode] = (code !== null && this.#byCode.get(code)) || []
    if (byCode) return this.#isOther(byCode, person) ? `The code ${code} belongs to someone else` : byCode
    return this.#findByName(person)
  }

  /** A different reference means a different subject. */
  #isOther({ details: facts }: ExistingSubject, { reference }: SubjectDetails): boolean {
    return facts.reference !== null && reference !== null && facts.reference !== reference
  }

  #findByName(person: SubjectDetails): ExistingSubject | undefined | string {
    const sameName = (this.#byName.get(subjectNameKey(person)) ?? []).filter(
      (candidate) => !this.#isOther(candidate, person),
    )
    if (sameName.length === 0) return undefined
    const inGroup = sameName.filter(({ details: facts }) => shareGroup(facts, person))
    // A subject may have been imported before there were groups.
    const withoutGroup = sameName.filter(({ details: facts }) => facts.groups.length === 0)
    const candidates = person.groups.length === 0 ? sameName : inGroup.length > 0 ? inGroup : withoutGroup
    if (candidates.length < 2) return candidates[0]
    return `There are ${candidates.length} people of this name. Add student ids to tell them apart`
  }

  #create(person: SubjectDetails): RowOutcome {
    const newSubject = { subjectId: null, before: null }
    if (person.code !== null && this.#event.takenCodes.has(person.code))
      return { ...newSubject, state: 'refused', after: null, message: `The code ${person.code} is taken` }
    return { ...newSubject, state: 'create', after: person, message: null }
  }

  #change(number: number, { id, details: facts }: ExistingSubject, person: SubjectDetails): RowOutcome {
    const base = { subjectId: id, before: facts, after: null }
    const earlierRow = this.#rowBySubjectId.get(id)
    if (earlierRow !== undefined)
      return { ...base, state: 'refused', message: `Row ${earlierRow} is the same person already` }
    this.#rowBySubjectId.set(id, number)
    const after = mergeDetails(facts, person)
    const countError = fieldCountError(after)
    if (countError) return { ...base, state: 'refused', message: countError }
    if (hasSameDetails(facts, after)) return { ...base, state: 'unchanged', message: null }
    if (this.#event.matches === 'skip') return { ...base, state: 'skipped', message: 'Already there' }
    const codeError = this.#checkCode(id, after)
    if (codeError) return { ...base, state: 'refused', message: codeError }
    return { ...base, state: 'update', after, message: null }
  }

  #checkCode(id: number, { code }: SubjectDetails): string | null {
    if (code === null) return null
    const [owner] = this.#byCode.get(code) ?? []
    if (owner) return owner.id === id ? null : `The code ${code} belongs to someone else`
    return this.#event.takenCodes.has(code) ? `The code ${code} is taken` : null
  }
}

/**
 * Plans what an import does with each row of a list: create or update a subject, or reject the row with a reason.
 * Subjects are never deleted. Rows are planned lazily, so that the plans of a long list are never in memory at once.
 */
export function* planImportRows(
  rows: readonly ImportTableRow[],
  uses: readonly ColumnUse[],
  event: ImportContext,
): Generator<RowPlan> {
  const planner = new ImportPlanner(uses, event)
  for (const row of rows) {
    const plan = planner.plan(row)
    const isImported = plan.state === 'create' || plan.state === 'update'
    yield { ...plan, warnings: isImported ? importRowWarnings(plan.person) : [] }
  }
}
