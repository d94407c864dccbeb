import { sourceKey } from '../catalogue/autofill.ts'
import { maxSubjectFields, type SubjectDetails, sortDetails } from '../subjects/subject-details.ts'
import { isAccessCode, normaliseAccessCode } from '../subjects/subject-draft.ts'
import type { ColumnUse, ImportTarget } from './import-columns.ts'
import { dateOfSerial } from './spreadsheet.ts'

/** Maximum lengths of stored names, references and values. */
const maxLengths = { name: 100, reference: 60, group: 100, value: 500 } as const

/** The subject of a row; `error` is the reason if the row is rejected, otherwise null. */
export type SubjectRowResult = { readonly details: SubjectDetails; readonly error: string | null }

/** Splits "Lovelace, Ada" or "Ada Lovelace"; the last word of the latter is the last name. */
export const splitName = (name: string): { firstName: string; lastName: string } => {
  const singleLine = name.replace(/\s+/g, ' ').trim()
  const comma = singleLine.lastIndexOf(',')
  if (comma >= 0) return { firstName: singleLine.slice(comma + 1).trim(), lastName: singleLine.slice(0, comma).trim() }
  const lastSpace = singleLine.lastIndexOf(' ')
  return {
    firstName: lastSpace < 0 ? singleLine : singleLine.slice(0, lastSpace),
    lastName: lastSpace < 0 ? '' : singleLine.slice(lastSpace + 1),
  }
}

/** Error values of spreadsheets. */
const errorValue = /^#(N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|#+)$/i

/** A long number that a spreadsheet shortened to scientific notation. */
const scientificNotation = /^\d(?:[.,]\d+)?E\+\d+$/i

const birthDates: readonly string[] = ['dob', 'dateofbirth', 'birthdate', 'birthday']

/** Converts a date that a spreadsheet stored as a serial number; returns other values unchanged. */
const fieldValue = (name: string, cell: string): string =>
  birthDates.includes(sourceKey(name)) && /^\d{5}(\.0+)?$/.test(cell) ? (dateOfSerial(Number(cell)) ?? cell) : cell

type RowCells = { readonly cells: readonly string[]; readonly uses: readonly ColumnUse[] }

const oneLine = (text: string): string => text.slice(0, 1000).replace(/\s+/g, ' ')

const cellsFor = ({ cells, uses }: RowCells, target: ImportTarget): string[] =>
  uses.flatMap((use) => (use.target === target ? (cells[use.column] ?? '') : [])).filter((cell) => cell !== '')

const firstCellFor = (row: RowCells, target: ImportTarget): string => oneLine(cellsFor(row, target)[0] ?? '')

const readFields = ({ cells, uses }: RowCells): { name: string; value: string }[] =>
  uses.flatMap(({ column, target, field }) => {
    if ((target !== 'field' && target !== 'group') || field === null) return []
    // One character more than the maximum is enough to reject the row.
    const value = fieldValue(field, cells[column] ?? '').slice(0, maxLengths.value + 1)
    return value === '' ? [] : [{ name: field, value }]
  })

const readDetails = (row: RowCells): SubjectDetails => {
  const fullName = firstCellFor(row, 'fullName')
  const name =
    fullName === ''
      ? { firstName: firstCellFor(row, 'firstName'), lastName: firstCellFor(row, 'lastName') }
      : splitName(fullName)
  const groups = new Map(cellsFor(row, 'group').map((group) => [oneLine(group).toLowerCase(), oneLine(group)]))
  return sortDetails({
    ...name,
    reference: firstCellFor(row, 'reference') || null,
    code: normaliseAccessCode(firstCellFor(row, 'code')) || null,
    groups: [...groups.values()],
    fields: readFields(row),
  })
}

/** The message if a subject has more fields than can be stored; null otherwise. */
export const fieldCountError = ({ fields }: Pick<SubjectDetails, 'fields'>): string | null =>
  fields.length > maxSubjectFields
    ? `A person has ${maxSubjectFields} fields at most, and this one would have ${fields.length}`
    : null

const lengthError = ({ firstName, lastName, reference, groups, fields }: SubjectDetails): string | null => {
  if (firstName.length > maxLengths.name || lastName.length > maxLengths.name) return 'The name is too long'
  if ((reference ?? '').length > maxLengths.reference) return 'The student id is too long'
  if (groups.some((group) => group.length > maxLengths.group)) return 'The group’s name is too long'
  const longField = fields.find(({ value }) => value.length > maxLengths.value)
  return longField ? `“${longField.name}” is too long` : null
}

const rowError = (row: RowCells, details: SubjectDetails): string | null => {
  const usedCells = row.uses.filter(({ target }) => target !== 'ignore').map(({ column }) => row.cells[column] ?? '')
  const errorCell = usedCells.find((cell) => errorValue.test(cell))
  if (errorCell !== undefined) return `A cell shows ${errorCell} instead of a value`
  const { firstName, lastName, reference, code } = details
  if (firstName === '' && lastName === '') return 'There is no name in this row'
  if (!/\p{L}/u.test(firstName + lastName)) return 'The name has no letter in it'
  if (reference !== null && scientificNotation.test(reference))
    return `The student id was shortened to ${reference}. Make its column text in the spreadsheet, and save it again`
  if (code !== null && !isAccessCode(code)) return `The code ${code} is not one: codes have 4 to 12 letters and digits`
  return lengthError(details)
}

/** Reads a row's subject by the uses of its columns. */
export const readSubjectRow = (cells: readonly string[], uses: readonly ColumnUse[]): SubjectRowResult => {
  const row = { cells, uses }
  const details = readDetails(row)
  return { details, error: rowError(row, details) }
}
