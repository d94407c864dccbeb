import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { orderMethods, organizationTypes, packageAddonTypes } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { type Column, columnsOf } from './catalog.ts'

const folder = new URL('../../../../src/server/database/tables/', import.meta.url)

const domainWords: Record<string, readonly string[]> = {
  OrderMethod: orderMethods,
  OrganizationType: organizationTypes,
  PackageAddonType: packageAddonTypes,
}

const scalars: Record<string, string> = {
  bigint: 'number',
  integer: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'Moment',
  jsonb: 'Json',
  text: 'string',
  uuid: 'string',
  date: 'string',
}

/** A column by its type, in one line: `orders.state: 'placed' | 'batched', generated`. */
const said = (column: string, words: string[], marks: { nullable: boolean; filled: boolean }): string =>
  `${column}: ${words.sort().join(' | ')}${marks.nullable ? ', nullable' : ''}${marks.filled ? ', generated' : ''}`

const realColumn = ({ table, name, type, nullable, filled, oneOf }: Column): string => {
  const words = oneOf.length > 0 ? oneOf.map((word) => `'${word}'`) : [scalars[type] ?? `(${type}: no such column yet)`]
  return said(`${table}.${name}`, words, { nullable, filled })
}

const writtenColumn = (table: string, text: string): string => {
  const [name = '', ...rest] = text.split(':')
  const type = rest.join(':').replace(/\s+/g, ' ').trim()
  const filled = type.startsWith('Generated<')
  const inner = filled ? type.slice('Generated<'.length, -1) : type
  if (inner.startsWith('Json<')) {
    return said(`${table}.${name.trim()}`, ['Json'], { nullable: inner.endsWith(' | null>'), filled })
  }
  const parts = inner
    .split('|')
    .map((part) => part.trim())
    .filter(Boolean)
  const words = parts
    .filter((part) => part !== 'null')
    .flatMap((part) => domainWords[part]?.map((word) => `'${word}'`) ?? [part])
  return said(`${table}.${name.trim()}`, words, { nullable: parts.includes('null'), filled })
}

/** The columns in the source of the types: one `interface …Tables` per file, one `type` per table. */
const writtenColumns = (source: string): string[] => {
  const shapes = new Map([...source.matchAll(/^type (\w+) = \{\n(.*?)\n\}/gms)].map((match) => [match[1], match[2]]))
  const [, tables = ''] = source.match(/^export interface \w+Tables \{\n(.*?)\n\}/ms) ?? []
  return [...tables.matchAll(/^ {2}(\w+): (\w+)$/gm)].flatMap(([, table = '', shape = '']) =>
    (shapes.get(shape) ?? '').split(/\n(?= {2}\w+:)/).map((line) => writtenColumn(table, line)),
  )
}

describe.each(enginesFor(import.meta.filename))('table types on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the types agree with the database: name, type, allowed values, nullable, default', async () => {
    const files = readdirSync(folder).filter((file) => file !== 'columns.ts')
    const written = files.flatMap((file) => writtenColumns(readFileSync(new URL(file, folder), 'utf8')))
    const real = (await columnsOf(database().db)).map(realColumn)
    expect(real.length).toBeGreaterThan(800)
    expect(written.sort()).toEqual(real.sort())
  })

  it('every table type is part of `Tables`', () => {
    const tables = readFileSync(new URL('../tables.ts', folder), 'utf8')
    const [, parts = ''] = tables.match(/export interface Tables\s+extends\s+([^{]*)\{/) ?? []
    const files = readdirSync(folder).filter((file) => file !== 'columns.ts')
    const interfaces = files.map((file) => readFileSync(new URL(file, folder), 'utf8').match(/interface (\w+)/)?.[1])
    expect(parts.split(',').map((part) => part.trim())).toEqual(expect.arrayContaining(interfaces))
  })
})
