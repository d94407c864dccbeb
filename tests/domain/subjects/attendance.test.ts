import { assert, constantFrom, nat, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  attendanceStatuses,
  attendanceStatusOf,
  markKinds,
  readCard,
  remainingCount,
  totalCount,
} from '#domain/subjects/attendance.ts'

describe('the attendance status of a subject', () => {
  it.each([
    [null, 'waiting'],
    ['present', 'photographed'],
    ['absent', 'absent'],
    ['retake', 'retake'],
  ] as const)('the attendance status after the mark %s is %s', (newest, status) => {
    expect(attendanceStatusOf(newest)).toBe(status)
  })

  it('a subject with a mark is never waiting', () => {
    expect(markKinds.map(attendanceStatusOf)).not.toContain('waiting')
  })
})

describe('the counts of a shoot', () => {
  const counts = record({ waiting: nat(500), photographed: nat(500), absent: nat(500), retake: nat(500) })

  it('remaining, photographed and absent subjects add up to all subjects', () => {
    assert(
      property(counts, (sample) => remainingCount(sample) + sample.photographed + sample.absent === totalCount(sample)),
    )
  })

  it('one more subject in a status is one more in total, and one more remaining if not photographed yet', () => {
    assert(
      property(counts, constantFrom(...attendanceStatuses), (sample, status) => {
        const increased = { ...sample, [status]: sample[status] + 1 }
        expect(totalCount(increased)).toBe(totalCount(sample) + 1)
        expect(remainingCount(increased) - remainingCount(sample)).toBe(
          status === 'waiting' || status === 'retake' ? 1 : 0,
        )
      }),
    )
  })
})

describe('a scanned card', () => {
  it.each([
    ['https://fieldproof.test/riverside/code/ADALVL', { code: 'ADALVL', slug: 'riverside' }],
    ['http://192.168.1.20:4600/Riverside/code/adalvl/', { code: 'ADALVL', slug: 'riverside' }],
    ['https://fieldproof.test/riverside/code/ADALVL?from=card', { code: 'ADALVL', slug: 'riverside' }],
    ['/riverside/code/ADA-LVL', { code: 'ADALVL', slug: 'riverside' }],
    [' ada lvl ', { code: 'ADALVL', slug: null }],
    ['ADALVL\r\n', { code: 'ADALVL', slug: null }],
    ['1234', { code: '1234', slug: null }],
  ])('the scanned text %j is read as a card', (scanned, card) => {
    expect(readCard(scanned)).toEqual(card)
  })

  it.each([
    '',
    '   ',
    'ABC',
    'ABCDEFGHJKLMN',
    'Ada Lovelace?',
    'https://fieldproof.test/riverside',
    'https://fieldproof.test/riverside/code/',
    'https://fieldproof.test/riverside/download/ADALVL',
    'WIFI:S:Gym;T:WPA;P:secret;;',
  ])('the scanned text %j is not a card', (scanned) => {
    expect(readCard(scanned)).toBeNull()
  })
})
