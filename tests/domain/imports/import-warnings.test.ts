import { describe, expect, it } from 'vitest'
import { importRowWarnings } from '#domain/imports/import-warnings.ts'

const warningsFor = (name: string, value: string): string[] => importRowWarnings({ fields: [{ name, value }] })

describe('warnings of an import', () => {
  it.each([
    ['Date of birth', '31/12/2015'],
    ['DOB', '2/30/2015'],
    ['Student DOB', '2015-13-01'],
    ['Birthday', 'soon'],
    ['Date of birth', '12/31/15'],
    ['Email', 'not-an-email'],
    ['Parent Email 2', 'a@b'],
    ['Phone', '12'],
    ['Home phone', 'ask the office'],
  ])('an import warns of the field %s with the value “%s”', (name, value) => {
    expect(warningsFor(name, value)).toEqual([expect.stringMatching(`^${name} “`)])
    expect(warningsFor(name, value)[0]).toContain(`“${value}” is not`)
  })

  it.each([
    ['Date of birth', '12/31/2015'],
    ['DOB', '2015-12-31'],
    ['Birthday', 'Dec 31, 2015'],
    ['Birthplace', 'Lincoln'],
    ['Email', 'parent@school.example'],
    ['Phone', '(555) 123-4567'],
    ['Cell', ''],
    ['Teacher', 'not-an-email'],
    ['Cellist', '12'],
  ])('an import does not warn of the field %s with the value “%s”', (name, value) => {
    expect(warningsFor(name, value)).toEqual([])
  })
})
