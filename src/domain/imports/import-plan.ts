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

/** A subject of the job with the stored details. */
export type ExistingSubject = { readonly id: number; readonly details: SubjectDetails }

/** What an import will do with a row, and why. */
export type RowPlan = {
  readonly number: number
  readonly state: 'create' | 'update' | 'unchanged' | 'skipped' | 'refused'
  readonly details: SubjectDetails
  /** The existing subject, with the details before and after the import. */
  readonly subjectId: number | null
  readonly before: SubjectDetails | null
  readonly after: SubjectDetails | null
  readonly message: string | null
  /** Likely mistakes in the fields of an imported row. */
  readonly warnings: readonly string[]
}

type RowOutcome = Omit<RowPlan, 'number' | 'details' | 'warnings'>

type ImportContext = {
  readonly known: readonly ExistingSubject[]
  /** The names of the job's groups. */
  readonly groups: readonly string[]
  /** Codes of the list that are in use, but not by a subject of this job: by another job, or by this job as a whole. */
  readonly takenCodes: ReadonlySet<string>
  readonly matchPolicy: MatchPolicy
}

const indexBy = (subjects: readonly ExistingSubject[], keyOf: (details: SubjectDetails) => string | null) =>
  Map.groupBy(
    subjects.filter(({ details }) => keyOf(details) !== null),
    ({ details }) => keyOf(details) ?? '',
  )

const shareGroup = (a: SubjectDetails, b: SubjectDetails): boolean => {
  const keys = new Set(a.groups.map(groupKey))
  return b.groups.some((name) => keys.has(groupKey(name)))
}

/** Plans a list row by row; earlier rows affect later ones. */
class ImportPlanner {
  readonly #context: ImportContext
  readonly #byReference: ReadonlyMap<string, ExistingSubject[]>
  readonly #byCode: ReadonlyMap<string, ExistingSubject[]>
  readonly #byName: ReadonlyMap<string, ExistingSubject[]>
  /** The first spelling of each group name. */
  readonly #groups: Map<string, string>
  readonly #uses: readonly ColumnUse[]
  /** Earlier rows by reference, name or code. Only the row is stored; its subject is parsed again when needed. */
  readonly #earlier = new Map<string, ImportTableRow>()
  readonly #rowBySubjectId = new Map<number, number>()

  constructor(uses: readonly ColumnUse[], context: ImportContext) {
    this.#uses = uses
    this.#context = context
    this.#byReference = indexBy(context.known, ({ reference }) => reference)
    this.#byCode = indexBy(context.known, ({ code }) => code)
    this.#byName = indexBy(context.known, subjectNameKey)
    this.#groups = new Map(context.groups.map((name) => [groupKey(name), name]))
  }

  plan(row: ImportTableRow): Omit<RowPlan, 'warnings'> {
    const { details, error } = this.#read(row)
    const emptyPlan = { number: row.number, details, subjectId: null, before: null, after: null }
    if (row.skipReason !== null) return { ...emptyPlan, state: 'skipped', message: row.skipReason }
    if (error !== null) return { ...emptyPlan, state: 'refused', message: error }
    const duplicate = this.#findDuplicate(row, details)
    if (duplicate) return { ...emptyPlan, ...duplicate }
    const match = this.#findExisting(details)
    if (typeof match === 'string') return { ...emptyPlan, state: 'refused', message: match }
    return { ...emptyPlan, ...(match ? this.#change(row.number, match, details) : this.#create(details)) }
  }

  #read(row: ImportTableRow): SubjectRowResult {
    const { details, error } = readSubjectRow(row.cells, this.#uses)
    return { details: this.#withFirstSpellings(details), error }
  }

  #withFirstSpellings(details: SubjectDetails): SubjectDetails {
    const groups = details.groups.map((name) => {
      const spelling = this.#groups.get(groupKey(name)) ?? name
      this.#groups.set(groupKey(name), spelling)
      return spelling
    })
    return sortDetails({ ...details, groups })
  }

  /**
   * The state and message of a row that has the same subject or code as an earlier row. Otherwise records the row and
   * returns null.
   */
  #findDuplicate(row: ImportTableRow, details: SubjectDetails): Pick<RowPlan, 'state' | 'message'> | null {
    const { reference, code, groups } = details
    const name = `name ${subjectNameKey(details)} ${groups.map(groupKey).join('|')}`
    const keys = [reference === null ? name : `id ${reference}`, ...(code === null ? [] : [`code ${code}`])]
    const conflict = keys.map((key) => ({ key, earlier: this.#earlier.get(key) })).find(({ earlier }) => earlier)
    if (conflict?.earlier) {
      const earlierRow = conflict.earlier.number
      if (hasSameDetails(details, this.#read(conflict.earlier).details))
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
   * Finds the existing subject: by reference, then by code, then by name and group. Returns a message if the code
   * belongs to another subject, or if several subjects have the name.
   */
  #findExisting(details: SubjectDetails): ExistingSubject | undefined | string {
    const { reference, code } = details
    const [byReference] = (reference !== null && this.#byReference.get(reference)) || []
    if (byReference) return byReference
    const [byCode] = (code !== null && this.#byCode.get(code)) || []
    if (byCode) return this.#isOther(byCode, details) ? `The code ${code} belongs to someone else` : byCode
    return this.#findByName(details)
  }

  /** A different reference means a different subject. */
  #isOther({ details }: ExistingSubject, { reference }: SubjectDetails): boolean {
    return details.reference !== null && reference !== null && details.reference !== reference
  }

  #findByName(details: SubjectDetails): ExistingSubject | undefined | string {
    const sameName = (this.#byName.get(subjectNameKey(details)) ?? []).filter(
      (candidate) => !this.#isOther(candidate, details),
    )
    if (sameName.length === 0) return undefined
    const inGroup = sameName.filter((subject) => shareGroup(subject.details, details))
    // A subject may have been imported before there were groups.
    const withoutGroup = sameName.filter((subject) => subject.details.groups.length === 0)
    const candidates = details.groups.length === 0 ? sameName : inGroup.length > 0 ? inGroup : withoutGroup
    if (candidates.length < 2) return candidates[0]
    return `There are ${candidates.length} people of this name. Add student ids to tell them apart`
  }

  #create(details: SubjectDetails): RowOutcome {
    const newSubject = { subjectId: null, before: null }
    if (details.code !== null && this.#context.takenCodes.has(details.code))
      return { ...newSubject, state: 'refused', after: null, message: `The code ${details.code} is taken` }
    return { ...newSubject, state: 'create', after: details, message: null }
  }

  #change(number: number, { id, details: stored }: ExistingSubject, details: SubjectDetails): RowOutcome {
    const base = { subjectId: id, before: stored, after: null }
    const earlierRow = this.#rowBySubjectId.get(id)
    if (earlierRow !== undefined)
      return { ...base, state: 'refused', message: `Row ${earlierRow} is for the same person` }
    this.#rowBySubjectId.set(id, number)
    const after = mergeDetails(stored, details)
    const countError = fieldCountError(after)
    if (countError) return { ...base, state: 'refused', message: countError }
    if (hasSameDetails(stored, after)) return { ...base, state: 'unchanged', message: null }
    if (this.#context.matchPolicy === 'skip')
      return { ...base, state: 'skipped', message: 'This person already exists' }
    const codeError = this.#checkCode(id, after)
    if (codeError) return { ...base, state: 'refused', message: codeError }
    return { ...base, state: 'update', after, message: null }
  }

  #checkCode(id: number, { code }: SubjectDetails): string | null {
    if (code === null) return null
    const [owner] = this.#byCode.get(code) ?? []
    if (owner) return owner.id === id ? null : `The code ${code} belongs to someone else`
    return this.#context.takenCodes.has(code) ? `The code ${code} is taken` : null
  }
}

/**
 * Plans what an import does with each row of a list: create or update a subject, leave it unchanged, or skip or reject
 * the row with a reason. Subjects are never deleted. Rows are planned lazily, so that the plans of a long list are
 * never all in memory at once.
 */
export function* planImportRows(
  rows: readonly ImportTableRow[],
  uses: readonly ColumnUse[],
  context: ImportContext,
): Generator<RowPlan> {
  const planner = new ImportPlanner(uses, context)
  for (const row of rows) {
    const plan = planner.plan(row)
    const isImported = plan.state === 'create' || plan.state === 'update'
    yield { ...plan, warnings: isImported ? importRowWarnings(plan.details) : [] }
  }
}
