import { expect, test } from 'vitest'
import {
  countAttendance,
  countByGroup,
  lastMarked,
  remainingInGroup,
} from '#client/staff/studio/shoot-day/shoot-counts.ts'
import type { ShootSubject } from '#contract/studio/shoots.ts'

const noDetails = { firstFrame: null, lastFrame: null, note: null }

const createSubject = (subjectId: number, status: ShootSubject['status'], groups: string[]): ShootSubject => ({
  ...{ subjectId, firstName: 'Ada', lastName: 'Lovelace', reference: null, code: null, groups, status },
  mark:
    status === 'waiting'
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
  createSubject(1, 'photographed', ['3A']),
  createSubject(2, 'waiting', ['3A']),
  createSubject(3, 'retake', ['Team']),
  createSubject(4, 'waiting', []),
]

test('attendance is counted by status', () => {
  expect(countAttendance(subjects)).toEqual({ waiting: 2, photographed: 1, absent: 0, retake: 1 })
})

test('group counts list the server’s groups in its order, then new groups, then subjects without a group', () => {
  expect(countByGroup(subjects, ['', 'Empty', '3A']).map(({ name, counts }) => [name, counts.waiting])).toEqual([
    ['Empty', 0],
    ['3A', 1],
    ['Team', 0],
    ['', 1],
  ])
})

test('remaining subjects of a group are those who wait or are to be photographed again', () => {
  const remainingIds = (name: string) => remainingInGroup(subjects, name).map(({ subjectId }) => subjectId)
  expect([remainingIds('3A'), remainingIds('Team'), remainingIds('')]).toEqual([[2], [3], [4]])
})

test('the last marked subjects are listed with the latest first', () => {
  expect(lastMarked(subjects).map(({ subjectId }) => subjectId)).toEqual([3, 1])
})
