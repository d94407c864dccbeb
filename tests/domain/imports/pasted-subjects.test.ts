import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { parsePastedSubjects } from '#domain/imports/pasted-subjects.ts'

const person = (firstName: string, lastName: string, group?: string, reference: string | null = null) => ({
  firstName,
  lastName,
  groups: group === undefined ? [] : [group],
  reference,
})

test.each([
  ['', []],
  [' \n\r\n', []],
  ['Ada Lovelace', [person('Ada', 'Lovelace')]],
  ['Mary Ann  O’Neill', [person('Mary Ann', 'O’Neill')]],
  ['Ada', [person('Ada', '')]],
  ['Ada, Lovelace', [person('Ada', 'Lovelace')]],
  ['Ada\tLovelace\tGrade 3\tS-1', [person('Ada', 'Lovelace', 'Grade 3', 'S-1')]],
  ['Ada;Lovelace;Grade 3, Ms. A', [person('Ada', 'Lovelace', 'Grade 3, Ms. A')]],
  ['First Name,Last name,Group\nAda,Lovelace,', [person('Ada', 'Lovelace')]],
  ['\tLovelace', [person('', 'Lovelace')]],
  ['Ada Lovelace\r\nBen Lovell\rZoë\n', [person('Ada', 'Lovelace'), person('Ben', 'Lovell'), person('Zoë', '')]],
])('parses %j', (text, people) => expect(parsePastedSubjects(text)).toEqual(people))

it('there are as many subjects as non-empty lines, in the same order', () => {
  const name = fc.stringMatching(/^[A-Z][a-z]{0,6}$/)
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name)), (names) => {
      const found = parsePastedSubjects(names.map(([first, last]) => `${first}\t${last}`).join('\n\n'))
      expect(found.map(({ firstName, lastName }) => [firstName, lastName])).toEqual(names)
    }),
  )
})
