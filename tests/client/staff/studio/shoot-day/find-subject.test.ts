import { describe, expect, it } from 'vitest'
import { subjectByCard, subjectsMatching } from '#client/staff/studio/shoot-day/find-subject.ts'
import type { ShootSubject } from '#contract/studio/shoots.ts'

const subject = (subjectId: number, name: string, own: Partial<ShootSubject> = {}): ShootSubject => {
  const [firstName = '', lastName = ''] = name.split(' ')
  return {
    subjectId,
    firstName,
    lastName,
    reference: null,
    code: null,
    groups: [],
    standing: 'waiting',
    mark: null,
    ...own,
  }
}

const subjects = [
  subject(1, 'Ada Lovelace', { code: 'ADALVL', reference: 'LN-1' }),
  subject(2, 'Zoë Åkesson', { code: 'ZOEAKE' }),
  subject(3, 'Adam Love'),
]

describe('subjectByCard', () => {
  it.each(['https://x.test/riverside/code/ADALVL', 'ada-lvl', ' adalvl '])('%j is the card of Ada', (scanned) => {
    expect(subjectByCard(subjects, scanned)?.subjectId).toBe(1)
  })

  it.each(['NOBODY', '', 'https://x.test/riverside'])('%j is the card of no subject', (scanned) => {
    expect(subjectByCard(subjects, scanned)).toBeUndefined()
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
  ])('%j matches by name, code or reference', (typed, ids) => {
    expect(subjectsMatching(subjects, typed).map(({ subjectId }) => subjectId)).toEqual(ids)
  })

  it('the number of matches is limited to 8', () => {
    const many = Array.from({ length: 50 }, (_, index) => subject(index, 'Ada Lovelace'))
    expect(subjectsMatching(many, 'ada')).toHaveLength(8)
  })
})
