import { sourceKey } from '../catalogue/autofill.ts'
import { isAccessCode, normaliseAccessCode } from '../subjects/access-code.ts'
import { maxSubjectFields, type SubjectDetails, sortDetails } from '../subjects/subject-details.ts'
import type { ColumnUse, ImportTarget } from './import-columns.ts'
import { dateOfSerial } from './spreadsheet.ts'

/** Maximum lengths of stored names, references and values. */
const longest = { name: 100, reference: 60, group: 100, value: 500 } as const

/** The subject of a row, and why the row is rejected, if it is. */
export type SubjectRowResult = { readonly person: SubjectDetails; readonly refused: string | null }

/** Splits "Lovelace, Ada" or "Ada Lovelace"; the last word of the latter is the last name. */
export const splitName = (name: string): { firstName: string; lastName: string } => {
  const plain = name.replace(/\s+/g, ' ').trim()
  const comma = plain.lastIndexOf(',')
  if (comma >= 0) return { firstName: plain.slice(comma + 1).trim(), lastName: plain.slice(0, comma).trim() }
  const blank = plain.lastIndexOf(' ')
  return { firstName: blank < 0 ? plain : plain.slice(0, blank), lastName: blank < 0 ? '' : plain.slice(blank + 1) }
}

/** Error values of spreadsheets. */
const failed = /^#(N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|#+)$/i

/** A long number that a spreadsheet shortened to scientific notation. */
const shortened = /^\d(?:[.,]\d+)?E\+\d+$/i

const birthDates: readonly string[] = ['dob', 'dateofbirth', 'birthdate', 'birthday']

/** Converts a date that a spreadsheet stored as a serial number; returns other values unchanged. */
const fieldValue = (name: string, cell: string): string =>
  birthDates.includes(sourceKey(name)) && /^\d{5}(\.0+)?$/.test(cell) ? (dateOfSerial(Number(cell)) ?? cell) : cell

type RowCells = { readonly cells: readonly string[]; readonly uses: readonly ColumnUse[] }

const oneLine = (text: string): string => text.slice(0, 1000).replace(/\s+/g, ' ')

const all = ({ cells, uses }: RowCells, target: ImportTarget): string[] =>
  uses.flatMap((use) => (use.target === target ? (cells[use.column] ?? '') : [])).filter((cell) => cell !== '')

const only = (row: RowCells, target: ImportTarget): string => oneLine(all(row, target)[0] ?? '')

const fieldsOf = ({ cells, uses }: RowCells): { name: string; value: string }[] =>
  uses.flatMap(({ column, target, field }) => {
    if ((target !== 'field' && target !== 'group') || field === null) return []
    // One character more than the maximum is enough to reject the row.
    const value = fieldValue(field, cells[column] ?? '').slice(0, longest.value + 1)
    return value === '' ? [] : [{ name: field, value }]
  })

const detailsOfRow = (row: RowCells): SubjectDetails => {
  const whole = only(row, 'fullName')
  const name = whole === '' ? { firstName: only(row, 'firstName'), lastName: only(row, 'lastName') } : splitName(whole)
  const groups = new Map(all(row, 'group').map((group) => [oneLine(group).toLowerCase(), oneLine(group)]))
  return sortDetails({
    ...name,
    reference: only(row, 'reference') || null,
    code: normaliseAccessCode(only(row, 'code')) || null,
    groups: [...groups.values()],
    fields: fieldsOf(row),
  })
}

/** The message if a subject has more fields than can be stored; null otherwise. */
export const fieldCountError = ({ fields }: Pick<SubjectDetails, 'fields'>): string | null =>
  fields.length > maxSubjectFields
    ? `A person has ${maxSubjectFields} fields at most, and this one would have ${fields.length}`
    : null

const isTooLong = ({ firstName, lastName, reference, groups, fields }: SubjectDetails): string | null => {
  if (firstName.length > longest.name || lastName.length > longest.name) return 'The name is too long'
  if ((reference ?? '').length > longest.reference) return 'The student id is too long'
  if (groups.some((group) => group.length > longest.group)) return 'The group’s name is too long'
  const long = fields.find(({ value }) => value.length > longest.value)
  return long ? `“${long.name}” is too long` : null
}

const refusalOf = (row: RowCells, person: SubjectDetails): string | null => {
  const used = row.uses.filter(({ target }) => target !== 'leave').map(({ column }) => row.cells[column] ?? '')
  const broken = used.find((cell) => failed.test(cell))
  if (broken !== undefined) return `A cell shows ${broken} instead of a value`
  const { firstName, lastName, reference, code } = person
  if (firstName === '' && lastName === '') return 'There is no name in this row'
  if (!/\p{L}/u.test(firstName + lastName)) return 'The name has no letter in it'
  if (reference !== null && shortened.test(reference))
    return `The student id was shortened to ${reference}. Make its column text in the spreadsheet, and save it again`
  if (code !== null && !isAccessCode(code)) return `The code ${code} is not one: codes have 4 to 12 letters and digits`
  return isTooLong(person)
}

/** Reads a row's subject by the uses of its columns. */
export const readSubjectRow = (cells: readonly string[], uses: readonly ColumnUse[]): SubjectRowResult => {
  const row = { cells, uses }
  const person = detailsOfRow(row)
  return { person, refused: refusalOf(row, person) }
}
