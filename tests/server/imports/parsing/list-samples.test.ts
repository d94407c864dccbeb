import { describe, expect, it } from 'vitest'
import type { ImportDetails, ImportRow } from '#contract/studio/imports.ts'
import type { ColumnUse, ImportTarget } from '#domain/imports/import-columns.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { createImportFixtures } from '../import-fixtures.ts'
import { type ListSample, listSamples } from './list-samples.ts'

/** Column uses by heading: a target, or `field` with a name. */
const usesByHeading = (columnUses: Readonly<Record<string, string>>, { columns, uses }: ImportDetails): ColumnUse[] =>
  columns.map(({ index, heading }) => {
    const [target, ...name] = (columnUses[heading] ?? '').split(' ')
    if (target) return { column: index, target: target as ImportTarget, field: name.join(' ') || null } // from the table of samples
    return uses.find(({ column }) => column === index) ?? { column: index, target: 'ignore', field: null }
  })

const skippedRows = (rows: readonly ImportRow[]): string[] =>
  rows
    .filter(({ state }) => state === 'skipped' || state === 'refused')
    .map(({ rowNumber, state, message }) => `${rowNumber} ${state}: ${message}`)

describe('the sample lists', () => {
  it('there are at least forty samples, of which at least thirty-four are imported', () => {
    const imported = listSamples.filter((sample) => 'people' in sample)
    expect(new Set(listSamples.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40)
    expect(imported.length).toBeGreaterThanOrEqual(34)
  })
})

// Parsing does not depend on the engine; `imports.test.ts` covers writing.
describe.each(engines.slice(0, 1))('a sample list on $name', (engine) => {
  const database = freshDatabase(engine)

  it.each(listSamples.map((sample): [string, ListSample] => [sample.name, sample]))(
    'the sample list “%s” gives the expected result',
    async (_, sample) => {
      const { sendList, staffRequest, run, listSubjects } = await createImportFixtures(database())
      const answer = await sendList(sample.fileName, await sample.bytes())
      if ('error' in sample) {
        expect([answer.status, answer.errors]).toEqual([422, [sample.error]])
        return
      }
      expect(answer.errors).toBeUndefined()
      const { sheet, headerRow, uses } = sample
      const path = `imports/${answer.data.id}`
      const layoutChange = { version: 1, ...(sheet && { sheet }), ...(headerRow && { headerRow }) }
      const { data: importDetails } = sheet || headerRow ? await staffRequest('PATCH', path, layoutChange) : answer
      const columnUses = uses ? usesByHeading(uses, importDetails) : importDetails.uses
      const preview = await staffRequest('POST', `${path}/preview`, {
        version: importDetails.version,
        uses: columnUses,
        matchPolicy: 'update',
      })
      expect(preview.errors).toBeUndefined()
      const rows = await staffRequest('GET', `${path}/rows`)
      expect(skippedRows(rows.data)).toEqual(sample.left ?? [])
      await run(preview.data)
      expect(await listSubjects()).toEqual([...sample.people].toSorted())
    },
  )
})
