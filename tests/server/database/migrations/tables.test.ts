import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { orderMethods, organizationTypes, packageAddonTypes } from '#domain/catalogue/catalogue.ts'
import { reminderOccasions } from '#domain/reminders/due-reminder.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { type Column, readColumns } from './catalog.ts'

const folder = new URL('../../../../src/server/database/tables/', import.meta.url)

const domainValues: Record<string, readonly string[]> = {
  OrderMethod: orderMethods,
  OrganizationType: organizationTypes,
  PackageAddonType: packageAddonTypes,
  ReminderOccasion: reminderOccasions,
}

const scalars: Record<string, string> = {
  bigint: 'number',
  'bigint[]': 'number[]',
  integer: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'Moment',
  jsonb: 'Json',
  text: 'string',
  uuid: 'string',
  date: 'string',
  xid8: 'string',
}

/** Describes a column in one line, such as `orders.state: 'placed' | 'batched', generated`. */
const describeColumn = (column: string, types: string[], marks: { nullable: boolean; hasDefault: boolean }): string =>
  `${column}: ${types.sort().join(' | ')}${marks.nullable ? ', nullable' : ''}${marks.hasDefault ? ', generated' : ''}`

const describeDatabaseColumn = ({ table, name, type, nullable, hasDefault, allowedValues }: Column): string => {
  const types =
    allowedValues.length > 0
      ? allowedValues.map((value) => `'${value}'`)
      : [scalars[type] ?? `(${type}: unknown column type)`]
  return describeColumn(`${table}.${name}`, types, { nullable, hasDefault })
}

const describeSourceColumn = (table: string, text: string): string => {
  const [name = '', ...rest] = text.split(':')
  const type = rest.join(':').replace(/\s+/g, ' ').trim()
  const hasDefault = type.startsWith('Generated<')
  const columnType = hasDefault ? type.slice('Generated<'.length, -1) : type
  if (columnType.startsWith('Json<')) {
    return describeColumn(`${table}.${name.trim()}`, ['Json'], {
      nullable: columnType.endsWith(' | null>'),
      hasDefault,
    })
  }
  const parts = columnType
    .split('|')
    .map((part) => part.trim())
    .filter(Boolean)
  const types = parts
    .filter((part) => part !== 'null')
    .flatMap((part) => domainValues[part]?.map((value) => `'${value}'`) ?? [part])
  return describeColumn(`${table}.${name.trim()}`, types, { nullable: parts.includes('null'), hasDefault })
}

/** Reads the columns from a source file of table types: one `interface …Tables` per file, one `type` per table. */
const readSourceColumns = (source: string): string[] => {
  const code = source.replaceAll(/^ *\/\*\*.*\*\/\n/gm, '')
  const shapes = new Map([...code.matchAll(/^type (\w+) = \{\n(.*?)\n\}/gms)].map((match) => [match[1], match[2]]))
  const [, tables = ''] = source.match(/^export interface \w+Tables \{\n(.*?)\n\}/ms) ?? []
  return [...tables.matchAll(/^ {2}(\w+): (\w+)$/gm)].flatMap(([, table = '', shape = '']) =>
    (shapes.get(shape) ?? '').split(/\n(?= {2}\w+:)/).map((line) => describeSourceColumn(table, line)),
  )
}

describe.each(enginesFor(import.meta.filename))('table types on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the types agree with the database: name, type, allowed values, nullable, default', async () => {
    const files = readdirSync(folder).filter((file) => file !== 'columns.ts')
    const sourceColumns = files.flatMap((file) => readSourceColumns(readFileSync(new URL(file, folder), 'utf8')))
    const databaseColumns = (await readColumns(database().db)).map(describeDatabaseColumn)
    expect(databaseColumns.length).toBeGreaterThan(800)
    expect(sourceColumns.sort()).toEqual(databaseColumns.sort())
  })

  it('every table type is part of `Tables`', () => {
    const tables = readFileSync(new URL('../tables.ts', folder), 'utf8')
    const [, parts = ''] = tables.match(/export interface Tables\s+extends\s+([^{]*)\{/) ?? []
    const files = readdirSync(folder).filter((file) => file !== 'columns.ts')
    const interfaces = files.map((file) => readFileSync(new URL(file, folder), 'utf8').match(/interface (\w+)/)?.[1])
    expect(parts.split(',').map((part) => part.trim())).toEqual(expect.arrayContaining(interfaces))
  })
})
