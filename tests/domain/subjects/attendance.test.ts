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
    ['retake', 'again'],
  ] as const)('after %s: %s', (newest, standing) => {
    expect(attendanceStatusOf(newest)).toBe(standing)
  })

  it('a subject with a mark is never waiting', () => {
    expect(markKinds.map(attendanceStatusOf)).not.toContain('waiting')
  })
})

describe('the counts of a shoot', () => {
  const counts = record({ waiting: nat(500), photographed: nat(500), absent: nat(500), again: nat(500) })

  it('remaining, photographed and absent subjects are all subjects', () => {
    assert(property(counts, (some) => remainingCount(some) + some.photographed + some.absent === totalCount(some)))
  })

  it('one more subject in a status is one more in total, and one more remaining if not photographed yet', () => {
    assert(
      property(counts, constantFrom(...attendanceStatuses), (some, standing) => {
        const more = { ...some, [standing]: some[standing] + 1 }
        expect(totalCount(more)).toBe(totalCount(some) + 1)
        expect(remainingCount(more) - remainingCount(some)).toBe(standing === 'waiting' || standing === 'again' ? 1 : 0)
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
  ])('%j is a card', (scanned, card) => {
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
  ])('%j is not a card', (scanned) => {
    expect(readCard(scanned)).toBeNull()
  })
})
