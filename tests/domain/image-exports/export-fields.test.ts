import { expect, test } from 'vitest'
import { defaultFieldSources, exportValues } from '#domain/image-exports/export-fields.ts'
import {
  defaultTemplate,
  type ExportSettings,
  exportSettingsErrors,
  formatDefaults,
} from '#domain/image-exports/export-settings.ts'

const noFields = defaultFieldSources({ fieldNames: [], hasReferences: true })

test('columns come from the custom fields that schools name alike, or else from the student id and the group', () => {
  expect(defaultFieldSources({ fieldNames: [], hasReferences: true })).toEqual({
    ...{ studentId: 'reference', grade: '', homeroom: 'group', period: '', teacher: '', track: '' },
  })
  const fieldNames = ['Email', 'GR', 'Homeroom Teacher', 'HR', 'Period', 'Local ID', 'track']
  expect(defaultFieldSources({ fieldNames, hasReferences: false })).toEqual({
    ...{ studentId: 'field:Local ID', grade: 'field:GR', homeroom: 'field:HR', period: 'field:Period' },
    ...{ teacher: 'field:Homeroom Teacher', track: 'field:track' },
  })
})

test('a subject without a field has an empty value', () => {
  const subject = { firstName: ' Ada ', lastName: 'Lovelace', reference: null, groups: ['3A', 'Choir'], fields: [] }
  expect(exportValues(subject, { ...noFields, grade: 'field:Grade' })).toMatchObject({
    ...{ firstName: 'Ada', lastName: 'Lovelace', group: '3A, Choir', studentId: '', grade: '', homeroom: '3A, Choir' },
  })
})

const pspa: ExportSettings = {
  ...{ format: 'pspa', ...formatDefaults.pspa, template: defaultTemplate, usesOrderCrops: true, volume: 'LINCOLN' },
  ...{ fields: noFields, extraFields: [], retakesOf: null },
}

test.each<[Partial<ExportSettings>, string | undefined]>([
  [{}, undefined],
  [{ width: 1280, height: 1600 }, undefined],
  [{ width: 600, height: 750 }, 'width'],
  [{ width: 640, height: 960 }, 'width'],
  [{ format: 'zip', width: 600, height: 960 }, undefined],
  [{ format: 'zip', width: 5000 }, 'width'],
  [{ quality: 30 }, 'quality'],
  [{ volume: 'a/b' }, 'volume'],
  [{ volume: '' }, 'volume'],
  [{ volume: 'A'.repeat(32) }, undefined],
  [{ volume: 'A'.repeat(33) }, 'volume'],
  [{ template: { x: 0.5, y: 0.5, height: 0 } }, 'template'],
  [{ namePattern: 'portrait' }, 'namePattern'],
  [{ format: 'zip', retakesOf: 3 }, 'retakesOf'],
  [{ format: 'id-photos' }, 'namePattern'],
  [{ format: 'administration', namePattern: '{studentId}', fields: { ...pspa.fields, studentId: '' } }, 'studentId'],
])('settings with %o have an error of %s', (change, field) => {
  expect(Object.keys(exportSettingsErrors({ ...pspa, ...change }))).toEqual(field === undefined ? [] : [field])
})
