import { groupKey, inOrder, nameKey, type PersonFacts, sameFacts, told } from '../subjects/subject-details.ts'
import type { ColumnUse } from './import-columns.ts'
import { type ReadPerson, readPerson, tooManyFields } from './import-subject.ts'
import type { TableRow } from './import-table.ts'
import { warningsOf } from './import-warnings.ts'

/** What is done with people who are there already. */
export type MatchChoice = 'update' | 'skip'

/** Somebody of the event, as they are. */
export type KnownPerson = { readonly id: number; readonly facts: PersonFacts }

/** What an import will do with a row, and why not. */
export type RowPlan = {
  readonly number: number
  readonly state: 'create' | 'update' | 'unchanged' | 'skipped' | 'refused'
  readonly person: PersonFacts
  /** Who it is, where they are there already; as they are, and as they will be. */
  readonly subjectId: number | null
  readonly before: PersonFacts | null
  readonly after: PersonFacts | null
  readonly message: string | null
  /** What in its fields is likely a mistake, where the row is imported. */
  readonly warnings: readonly string[]
}

type Planned = Omit<RowPlan, 'number' | 'person' | 'warnings'>

type Event = {
  readonly known: readonly KnownPerson[]
  /** The names of its groups. */
  readonly groups: readonly string[]
  /** Codes that are somebody’s outside of this list: of another event, or an event’s own. */
  readonly takenCodes: ReadonlySet<string>
  readonly matches: MatchChoice
}

const indexed = (known: readonly KnownPerson[], keyOf: (facts: PersonFacts) => string | null) =>
  Map.groupBy(
    known.filter(({ facts }) => keyOf(facts) !== null),
    ({ facts }) => keyOf(facts) ?? '',
  )

const shareGroup = (one: PersonFacts, other: PersonFacts): boolean => {
  const keys = new Set(one.groups.map(groupKey))
  return other.groups.some((name) => keys.has(groupKey(name)))
}

/** Plans a list row by row; what earlier rows said counts for later ones. */
class Planning {
  readonly #event: Event
  readonly #byReference: ReadonlyMap<string, KnownPerson[]>
  readonly #byCode: ReadonlyMap<string, KnownPerson[]>
  readonly #byName: ReadonlyMap<string, KnownPerson[]>
  /** Group names as they are written first. */
  readonly #groups: Map<string, string>
  readonly #uses: readonly ColumnUse[]
  /** What is somebody's already by an earlier row: by what it is known, that row. Its person is read again where that is needed. */
  readonly #earlier = new Map<string, TableRow>()
  readonly #matched = new Map<number, number>()

  constructor(uses: readonly ColumnUse[], event: Event) {
    this.#uses = uses
    this.#event = event
    this.#byReference = indexed(event.known, ({ reference }) => reference)
    this.#byCode = indexed(event.known, ({ code }) => code)
    this.#byName = indexed(event.known, nameKey)
    this.#groups = new Map(event.groups.map((name) => [groupKey(name), name]))
  }

  plan(row: TableRow): Omit<RowPlan, 'warnings'> {
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

  #read(row: TableRow): ReadPerson {
    const { person, refused } = readPerson(row.cells, this.#uses)
    return { person: this.#withGroupsAsWritten(person), refused }
  }

  #withGroupsAsWritten(person: PersonFacts): PersonFacts {
    const groups = person.groups.map((name) => {
      const written = this.#groups.get(groupKey(name)) ?? name
      this.#groups.set(groupKey(name), written)
      return written
    })
    return inOrder({ ...person, groups })
  }

  /** Whether an earlier row is of the same person, or claims the same code. */
  #twice(row: TableRow, person: PersonFacts): Pick<RowPlan, 'state' | 'message'> | null {
    const { reference, code, groups } = person
    const name = `name ${nameKey(person)} ${groups.map(groupKey).join('|')}`
    const keys = [reference === null ? name : `id ${reference}`, ...(code === null ? [] : [`code ${code}`])]
    const claims = keys.map((key) => ({ key, earlier: this.#earlier.get(key) })).find(({ earlier }) => earlier)
    if (claims?.earlier) {
      const at = claims.earlier.number
      if (sameFacts(person, this.#read(claims.earlier).person))
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
  #find(person: PersonFacts): KnownPerson | undefined | string {
    const { reference, code } = person
    const [byReference] = (reference !== null && this.#byReference.get(reference)) || []
    if (byReference) return byReference
    const [byCode] = (code !== null && this.#byCode.get(code)) || []
    if (byCode) return this.#isOther(byCode, person) ? `The code ${code} is somebody else’s` : byCode
    return this.#findByName(person)
  }

  /** Whoever has another id is another person. */
  #isOther({ facts }: KnownPerson, { reference }: PersonFacts): boolean {
    return facts.reference !== null && reference !== null && facts.reference !== reference
  }

  #findByName(person: PersonFacts): KnownPerson | undefined | string {
    const named = (this.#byName.get(nameKey(person)) ?? []).filter((known) => !this.#isOther(known, person))
    if (named.length === 0) return undefined
    const inGroup = named.filter(({ facts }) => shareGroup(facts, person))
    // Somebody may have been listed before there were groups.
    const groupless = named.filter(({ facts }) => facts.groups.length === 0)
    const candidates = person.groups.length === 0 ? named : inGroup.length > 0 ? inGroup : groupless
    if (candidates.length < 2) return candidates[0]
    return `There are ${candidates.length} people of this name. Add student ids to tell them apart`
  }

  #create(person: PersonFacts): Planned {
    const nothing = { subjectId: null, before: null }
    if (person.code !== null && this.#event.takenCodes.has(person.code))
      return { ...nothing, state: 'refused', after: null, message: `The code ${person.code} is taken` }
    return { ...nothing, state: 'create', after: person, message: null }
  }

  #change(number: number, { id, facts }: KnownPerson, person: PersonFacts): Planned {
    const found = { subjectId: id, before: facts, after: null }
    const at = this.#matched.get(id)
    if (at !== undefined) return { ...found, state: 'refused', message: `Row ${at} is the same person already` }
    this.#matched.set(id, number)
    const after = told(facts, person)
    const tooMany = tooManyFields(after)
    if (tooMany) return { ...found, state: 'refused', message: tooMany }
    if (sameFacts(facts, after)) return { ...found, state: 'unchanged', message: null }
    if (this.#event.matches === 'skip') return { ...found, state: 'skipped', message: 'Already there' }
    const refused = this.#cannotTakeCode(id, after)
    if (refused) return { ...found, state: 'refused', message: refused }
    return { ...found, state: 'update', after, message: null }
  }

  #cannotTakeCode(id: number, { code }: PersonFacts): string | null {
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
export function* planRows(rows: readonly TableRow[], uses: readonly ColumnUse[], event: Event): Generator<RowPlan> {
  const planning = new Planning(uses, event)
  for (const row of rows) {
    const plan = planning.plan(row)
    const isImported = plan.state === 'create' || plan.state === 'update'
    yield { ...plan, warnings: isImported ? warningsOf(plan.person) : [] }
  }
}
