import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ExportValues } from '#domain/image-exports/export-fields.ts'
import {
  exportFileNames,
  maxVolumeLength,
  patternErrors,
  volumeFromName,
} from '#domain/image-exports/export-file-names.ts'

const noValues: ExportValues = {
  ...{ firstName: '', lastName: '', group: '', studentId: '', grade: '' },
  ...{ homeroom: '', period: '', teacher: '', track: '' },
}
const namesOf = (pattern: string, ...subjects: Partial<ExportValues>[]): string[] =>
  exportFileNames(
    pattern,
    subjects.map((values, index) => ({ imageId: index + 1, values: { ...noValues, ...values } })),
  )

describe('file names of an export', () => {
  test.each([
    ['{lastName}-{firstName}', { firstName: 'Ada', lastName: 'Lovelace' }, 'Lovelace-Ada.jpg'],
    ['{lastName}-{firstName}', { firstName: 'Zoë', lastName: 'O’Connor' }, 'O-Connor-Zoe.jpg'],
    ['{lastName}-{firstName}', { firstName: 'Bo', lastName: '' }, 'Bo.jpg'],
    ['{grade} {homeroom}.{number}', { grade: '3/4', homeroom: '..' }, '3-4-0001.jpg'],
    ['{studentId}', { studentId: '00042' }, '00042.jpg'],
    ['{studentId}', { studentId: 'CON' }, 'CON_.jpg'],
    ['{studentId}', { studentId: 'lpt¹' }, 'lpt1_.jpg'],
    ['{lastName}', { lastName: '李' }, '0001.jpg'],
    ['{imageNumber}', {}, '00000001.jpg'],
    ['{lastName}', { lastName: '../../etc/passwd' }, 'etc-passwd.jpg'],
  ])('%s with %o is %o', (pattern, values, name) => expect(namesOf(pattern, values)).toEqual([name]))

  test('equal names get numbers, regardless of case and accents', () => {
    const lastNames = ['Müller', 'MULLER', 'Muller_2', 'muller']
    expect(namesOf('{lastName}', ...lastNames.map((lastName) => ({ lastName })))).toEqual([
      'Muller.jpg',
      'MULLER_2.jpg',
      'Muller_2_2.jpg',
      'muller_3.jpg',
    ])
  })

  test('hostile names are valid and unique on every file system', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 90 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        'CON',
        'nul',
        'COM1',
        'Aux.',
        ' ',
        '.',
        '..',
        '\u0000',
        'a/b',
        'a\\b',
        'é',
        'e\u0301',
        'ﬁ',
        'ß',
        'ı',
      ),
    )
    const subject = fc.record({ firstName: hostile, lastName: hostile, studentId: hostile })
    const pattern = fc.constantFrom('{lastName}-{firstName}', '{studentId}', '{lastName}', 'x{firstName}.{grade}')
    fc.assert(
      fc.property(pattern, fc.array(subject, { maxLength: 8 }), (namePattern, subjects) => {
        const names = namesOf(namePattern, ...subjects)
        expect(names).toHaveLength(subjects.length)
        for (const name of names) {
          expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,79}\.jpg$/)
          expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i)
        }
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
      }),
    )
  })
})

test.each([
  ['Lincoln Elementary', 'LINCOLN_ELEMENTARY'],
  ['École St.-Jean', 'ECOLE_ST_JEAN'],
  [' – P.S. 12 (North) – ', 'P_S_12_NORTH'],
  ['小学校', 'PORTRAITS'],
  [`${'A'.repeat(maxVolumeLength - 1)} School`, 'A'.repeat(maxVolumeLength - 1)],
])('the folder suggested for %s is %s', (name, volume) => expect(volumeFromName(name)).toBe(volume))

test.each([
  ['{lastName}', []],
  ['portrait', ['Use at least one placeholder, such as {lastName}']],
  ['{lastName}-{secret}', ['{secret} is not a placeholder']],
  [`{lastName}${'x'.repeat(100)}`, ['Use up to 100 characters']],
])('the errors of the pattern %s are %o', (pattern, errors) => expect(patternErrors(pattern)).toEqual(errors))
