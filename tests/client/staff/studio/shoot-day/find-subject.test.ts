import { describe, expect, it } from 'vitest'
import { subjectByCard, subjectsMatching } from '#client/staff/studio/shoot-day/find-subject.ts'
import type { ShootSubject } from '#contract/studio/shoots.ts'

const createSubject = (subjectId: number, name: string, overrides: Partial<ShootSubject> = {}): ShootSubject => {
  const [firstName = '', lastName = ''] = name.split(' ')
  return {
    subjectId,
    firstName,
    lastName,
    reference: null,
    code: null,
    groups: [],
    status: 'waiting',
    mark: null,
    ...overrides,
  }
}

const subjects = [
  createSubject(1, 'Ada Lovelace', { code: 'ADALVL', reference: 'LN-1' }),
  createSubject(2, 'Zoë Åkesson', { code: 'ZOEAKE' }),
  createSubject(3, 'Adam Love'),
]

describe('subjectByCard', () => {
  it.each(['https://x.test/riverside/code/ADALVL', 'ada-lvl', ' adalvl '])(
    'the scanned text %j finds Ada',
    (scannedText) => {
      expect(subjectByCard(subjects, scannedText)?.subjectId).toBe(1)
    },
  )

  it.each(['NOBODY', '', 'https://x.test/riverside'])('the scanned text %j finds no subject', (scannedText) => {
    expect(subjectByCard(subjects, scannedText)).toBeUndefined()
  })
})

describe('subjectsMatching', () => {
  it.each([
    ['ada', [1, 3]],
    ['love ada', [3]],
    ['lovelace, ada', [1]],
    ['akesson', [2]],
    ['ln-1', [1]],
    ['zoea', [2]],
    ['', []],
    ['?!', []],
  ])('the text %j matches the subjects %j by name, code or reference', (text, ids) => {
    expect(subjectsMatching(subjects, text).map(({ subjectId }) => subjectId)).toEqual(ids)
  })

  it('the number of matches is limited to 8', () => {
    const fiftySubjects = Array.from({ length: 50 }, (_, index) => createSubject(index, 'Ada Lovelace'))
    expect(subjectsMatching(fiftySubjects, 'ada')).toHaveLength(8)
  })
})
