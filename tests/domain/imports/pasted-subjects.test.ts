import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { parsePastedSubjects } from '#domain/imports/pasted-subjects.ts'

const subject = (firstName: string, lastName: string, group?: string, reference: string | null = null) => ({
  firstName,
  lastName,
  groups: group === undefined ? [] : [group],
  reference,
})

test.each([
  ['', []],
  [' \n\r\n', []],
  ['Ada Lovelace', [subject('Ada', 'Lovelace')]],
  ['Mary Ann  O’Neill', [subject('Mary Ann', 'O’Neill')]],
  ['Ada', [subject('Ada', '')]],
  ['Ada, Lovelace', [subject('Ada', 'Lovelace')]],
  ['Ada\tLovelace\tGrade 3\tS-1', [subject('Ada', 'Lovelace', 'Grade 3', 'S-1')]],
  ['Ada;Lovelace;Grade 3, Ms. A', [subject('Ada', 'Lovelace', 'Grade 3, Ms. A')]],
  ['First Name,Last name,Group\nAda,Lovelace,', [subject('Ada', 'Lovelace')]],
  ['\tLovelace', [subject('', 'Lovelace')]],
  ['Ada Lovelace\r\nBen Lovell\rZoë\n', [subject('Ada', 'Lovelace'), subject('Ben', 'Lovell'), subject('Zoë', '')]],
])('the pasted text %j is parsed', (text, subjects) => expect(parsePastedSubjects(text)).toEqual(subjects))

it('there are as many subjects as non-empty lines, in the same order', () => {
  const name = fc.stringMatching(/^[A-Z][a-z]{0,6}$/)
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name)), (names) => {
      const parsed = parsePastedSubjects(names.map(([first, last]) => `${first}\t${last}`).join('\n\n'))
      expect(parsed.map(({ firstName, lastName }) => [firstName, lastName])).toEqual(names)
    }),
  )
})
