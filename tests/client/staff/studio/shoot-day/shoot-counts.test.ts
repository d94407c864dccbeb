import { expect, test } from 'vitest'
import {
  countAttendance,
  countByGroup,
  lastMarked,
  remainingInGroup,
} from '#client/staff/studio/shoot-day/shoot-counts.ts'
import type { ShootSubject } from '#contract/studio/shoots.ts'

const noDetails = { firstFrame: null, lastFrame: null, note: null }

const subject = (subjectId: number, standing: ShootSubject['standing'], groups: string[]): ShootSubject => ({
  ...{ subjectId, firstName: 'Ada', lastName: 'Lovelace', reference: null, code: null, groups, standing },
  mark:
    standing === 'waiting'
      ? null
      : {
          key: `k${subjectId}`,
          kind: 'present',
          station: '1',
          at: `2027-04-15T10:0${subjectId}:00.000Z`,
          ...noDetails,
        },
})

const subjects = [
  subject(1, 'photographed', ['3A']),
  subject(2, 'waiting', ['3A']),
  subject(3, 'again', ['Team']),
  subject(4, 'waiting', []),
]

test('attendance is counted by status', () => {
  expect(countAttendance(subjects)).toEqual({ waiting: 2, photographed: 1, absent: 0, again: 1 })
})

test('groups are counted in the order of the server, then new groups, then subjects without a group', () => {
  expect(countByGroup(subjects, ['', 'Empty', '3A']).map(({ name, counts }) => [name, counts.waiting])).toEqual([
    ['Empty', 0],
    ['3A', 1],
    ['Team', 0],
    ['', 1],
  ])
})

test('remaining subjects of a group are those who wait or are to be photographed again', () => {
  const ids = (name: string) => remainingInGroup(subjects, name).map(({ subjectId }) => subjectId)
  expect([ids('3A'), ids('Team'), ids('')]).toEqual([[2], [3], [4]])
})

test('subjects marked last are listed latest first', () => {
  expect(lastMarked(subjects).map(({ subjectId }) => subjectId)).toEqual([3, 1])
})
