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
export type ExistingSubject = { readonly id: number; readonly facts: SubjectDetails }

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

const indexed = (known: readonly ExistingSubject[], keyOf: (facts: SubjectDetails) => string | null) =>
  Map.groupBy(
    known.filter(({ facts }) => keyOf(facts) !== null),
    ({ facts }) => keyOf(facts) ?? '',
  )

const shareGroup = (one: SubjectDetails, other: SubjectDetails): boolean => {
  const keys = new Set(one.groups.map(groupKey))
  return other.groups.some((name) => keys.has(groupKey(name)))
}

/** Plans a list row by row; earlier rows affect later ones. */
class Planning {
  readonly #event: ImportContext
  readonly #byReference: ReadonlyMap<string, ExistingSubject[]>
  readonly #byCode: ReadonlyMap<string, ExistingSubject[]>
  readonly #byName: ReadonlyMap<string, ExistingSubject[]>
  /** The first spelling of each group name. */
  readonly #groups: Map<string, string>
  readonly #uses: readonly ColumnUse[]
  /** Earlier rows by reference, name or code. Only the row is stored; its subject is parsed again when needed. */
  readonly #earlier = new Map<string, ImportTableRow>()
  readonly #matched = new Map<number, number>()

  constructor(uses: readonly ColumnUse[], event: ImportContext) {
    this.#uses = uses
    this.#event = event
    this.#byReference = indexed(event.known, ({ reference }) => reference)
    this.#byCode = indexed(event.known, ({ code }) => code)
    this.#byName = indexed(event.known, subjectNameKey)
    this.#groups = new Map(event.groups.map((name) => [groupKey(name), name]))
  }

  plan(row: ImportTableRow): Omit<RowPlan, 'warnings'> {
    const { person, refused } = this.#read(row)
    const nothing = { number: row.number, person, subjectId: null, before: null, after: null }
    if (row.notPerson !== null) return { ...nothing, state: 'skipped', message: row.notPerson }
    if (refused !== null) return { ...nothing, state: 'refused', message: refused }
    const twice = this.#twice(row, person)
    if (twice) return { ...nothing, ...twice }
    const found = this.#find(person)
    if (typeof found === 'string') return { ...nothing, state: 'refused', message: found }
    return { ...nothing, ...(found ? this.#change(row.number, found, person) : this.#create(person)) }
  }

  #read(row: ImportTableRow): SubjectRowResult {
    const { person, refused } = readSubjectRow(row.cells, this.#uses)
    return { person: this.#withGroupsAsWritten(person), refused }
  }

  #withGroupsAsWritten(person: SubjectDetails): SubjectDetails {
    const groups = person.groups.map((name) => {
      const written = this.#groups.get(groupKey(name)) ?? name
      this.#groups.set(groupKey(name), written)
      return written
    })
    return sortDetails({ ...person, groups })
  }

  /** Whether an earlier row is the same subject, or claims the same code. */
  #twice(row: ImportTableRow, person: SubjectDetails): Pick<RowPlan, 'state' | 'message'> | null {
    const { reference, code, groups } = person
    const name = `name ${subjectNameKey(person)} ${groups.map(groupKey).join('|')}`
    const keys = [reference === null ? name : `id ${reference}`, ...(code === null ? [] : [`code ${code}`])]
    const claims = keys.map((key) => ({ key, earlier: this.#earlier.get(key) })).find(({ earlier }) => earlier)
    if (claims?.earlier) {
      const at = claims.earlier.number
      if (hasSameDetails(person, this.#read(claims.earlier).person))
        return { state: 'skipped', message: `The same as row ${at}` }
      const what = claims.key.startsWith('id ') ? 'student id' : claims.key.startsWith('code ') ? 'access code' : null
      const sentence = what
        ? `Row ${at} has the same ${what}`
        : `Row ${at} has the same name${groups.length > 0 ? ' and group' : ''}. Add student ids to tell them apart`
      return { state: 'refused', message: sentence }
    }
    for (const key of keys) this.#earlier.set(key, row)
    return null
  }

  /**
   * Finds the existing subject: by reference, then by code, then by name and group. Returns a message if there are
   * several candidates.
   */
  #find(person: SubjectDetails): ExistingSubject | undefined | string {
    const { reference, code } = person
    const [byReference] = (reference !== null && this.#byReference.get(reference)) || []
    if (byReference) return byReference
    const [byCode] = (code !== null && this.#byCode.get(code)) || []
    if (byCode) return this.#isOther(byCode, person) ? `The code ${code} is somebody else’s` : byCode
    return this.#findByName(person)
  }

  /** A different reference means a different subject. */
  #isOther({ facts }: ExistingSubject, { reference }: SubjectDetails): boolean {
    return facts.reference !== null && reference !== null && facts.reference !== reference
  }

  #findByName(person: SubjectDetails): ExistingSubject | undefined | string {
    const named = (this.#byName.get(subjectNameKey(person)) ?? []).filter((known) => !this.#isOther(known, person))
    if (named.length === 0) return undefined
    const inGroup = named.filter(({ facts }) => shareGroup(facts, person))
    // A subject may have been imported before there were groups.
    const groupless = named.filter(({ facts }) => facts.groups.length === 0)
    const candidates = person.groups.length === 0 ? named : inGroup.length > 0 ? inGroup : groupless
    if (candidates.length < 2) return candidates[0]
    return `There are ${candidates.length} people of this name. Add student ids to tell them apart`
  }

  #create(person: SubjectDetails): RowOutcome {
    const nothing = { subjectId: null, before: null }
    if (person.code !== null && this.#event.takenCodes.has(person.code))
      return { ...nothing, state: 'refused', after: null, message: `The code ${person.code} is taken` }
    return { ...nothing, state: 'create', after: person, message: null }
  }

  #change(number: number, { id, facts }: ExistingSubject, person: SubjectDetails): RowOutcome {
    const found = { subjectId: id, before: facts, after: null }
    const at = this.#matched.get(id)
    if (at !== undefined) return { ...found, state: 'refused', message: `Row ${at} is the same person already` }
    this.#matched.set(id, number)
    const after = mergeDetails(facts, person)
    const tooMany = fieldCountError(after)
    if (tooMany) return { ...found, state: 'refused', message: tooMany }
    if (hasSameDetails(facts, after)) return { ...found, state: 'unchanged', message: null }
    if (this.#event.matches === 'skip') return { ...found, state: 'skipped', message: 'Already there' }
    const refused = this.#cannotTakeCode(id, after)
    if (refused) return { ...found, state: 'refused', message: refused }
    return { ...found, state: 'update', after, message: null }
  }

  #cannotTakeCode(id: number, { code }: SubjectDetails): string | null {
    if (code === null) return null
    const [owner] = this.#byCode.get(code) ?? []
    if (owner) return owner.id === id ? null : `The code ${code} is somebody else’s`
    return this.#event.takenCodes.has(code) ? `The code ${code} is taken` : null
  }
}

/**
 * Plans what an import does with each row of a list: create or update a subject, or reject the row and why. Subjects
 * are never deleted. Rows are planned lazily, so that the plans of a long list are never in memory at once.
 */
export function* planImportRows(
  rows: readonly ImportTableRow[],
  uses: readonly ColumnUse[],
  event: ImportContext,
): Generator<RowPlan> {
  const planning = new Planning(uses, event)
  for (const row of rows) {
    const plan = planning.plan(row)
    const isImported = plan.state === 'create' || plan.state === 'update'
    yield { ...plan, warnings: isImported ? importRowWarnings(plan.person) : [] }
  }
}
