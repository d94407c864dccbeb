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

/** What is done with people who are there already. */
export type MatchPolicy = 'update' | 'skip'

/** Somebody of the event, as they are. */
export type ExistingSubject = { readonly id: number; readonly facts: SubjectDetails }

/** What an import will do with a row, and why not. */
export type RowPlan = {
  readonly number: number
  readonly state: 'create' | 'update' | 'unchanged' | 'skipped' | 'refused'
  readonly person: SubjectDetails
  /** Who it is, where they are there already; as they are, and as they will be. */
  readonly subjectId: number | null
  readonly before: SubjectDetails | null
  readonly after: SubjectDetails | null
  readonly message: string | null
  /** What in its fields is likely a mistake, where the row is imported. */
  readonly warnings: readonly string[]
}

type RowOutcome = Omit<RowPlan, 'number' | 'person' | 'warnings'>

type ImportContext = {
  readonly known: readonly ExistingSubject[]
  /** The names of its groups. */
  readonly groups: readonly string[]
  /** Codes that are somebody’s outside of this list: of another event, or an event’s own. */
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

/** Plans a list row by row; what earlier rows said counts for later ones. */
class Planning {
  readonly #event: ImportContext
  readonly #byReference: ReadonlyMap<string, ExistingSubject[]>
  readonly #byCode: ReadonlyMap<string, ExistingSubject[]>
  readonly #byName: ReadonlyMap<string, ExistingSubject[]>
  /** Group names as they are written first. */
  readonly #groups: Map<string, string>
  readonly #uses: readonly ColumnUse[]
  /** What is somebody's already by an earlier row: by what it is known, that row. Its person is read again where that is needed. */
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

  /** Whether an earlier row is of the same person, or claims the same code. */
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

  /** Who of the event it is: by id, else by their own code, else by name and group; a sentence where it may be several. */
  #find(person: SubjectDetails): ExistingSubject | undefined | string {
    const { reference, code } = person
    const [byReference] = (reference !== null && this.#byReference.get(reference)) || []
    if (byReference) return byReference
    const [byCode] = (code !== null && this.#byCode.get(code)) || []
    if (byCode) return this.#isOther(byCode, person) ? `The code ${code} is somebody else’s` : byCode
    return this.#findByName(person)
  }

  /** Whoever has another id is another person. */
  #isOther({ facts }: ExistingSubject, { reference }: SubjectDetails): boolean {
    return facts.reference !== null && reference !== null && facts.reference !== reference
  }

  #findByName(person: SubjectDetails): ExistingSubject | undefined | string {
    const named = (this.#byName.get(subjectNameKey(person)) ?? []).filter((known) => !this.#isOther(known, person))
    if (named.length === 0) return undefined
    const inGroup = named.filter(({ facts }) => shareGroup(facts, person))
    // Somebody may have been listed before there were groups.
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
 * What an import would do with each row of a list: who is new, who is there already and how they change, and what cannot be taken
 * and why. Nobody is ever removed. Each row is planned when it is asked for, so that nobody holds the plans of a long list at once.
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
