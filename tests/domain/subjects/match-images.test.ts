import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type ImageMetadata,
  type MatchableSubject,
  matchByCheckIn,
  matchByCode,
  matchByFileName,
  matchGroup,
  maxCheckInAgeMs,
  type SubjectCheckIn,
} from '#domain/subjects/match-images.ts'

const people: MatchableSubject[] = [
  { subjectId: 1, code: 'ADALVL', reference: '1001', firstName: 'Ada', lastName: 'Lovelace' },
  { subjectId: 2, code: 'GRACEH', reference: '1002', firstName: 'Grace', lastName: 'Hopper' },
  { subjectId: 3, code: null, reference: 'A-17', firstName: 'José', lastName: 'García Márquez' },
  { subjectId: 4, code: null, reference: null, firstName: 'Ann', lastName: 'Lee' },
  { subjectId: 5, code: null, reference: null, firstName: 'Ann', lastName: 'Lee Smith' },
  { subjectId: 6, code: 'TWICE1', reference: null, firstName: 'Same', lastName: 'Name' },
  { subjectId: 7, code: 'TWICE2', reference: null, firstName: 'Same', lastName: 'Name' },
]
const shot = (fileName: string, own: Partial<ImageMetadata> = {}): ImageMetadata => ({
  fileName,
  words: '',
  takenAt: null,
  ...own,
})
const idOf = (match: ReturnType<typeof matchByCode>) => (typeof match === 'object' ? match.subjectId : match)

describe('matching by code', () => {
  test.each<[string, ImageMetadata, number | string]>([
    ['in the name', shot('ADALVL_0001.JPG'), 1],
    ['in small letters, in the middle', shot('img-adalvl-2.jpeg'), 1],
    ['in the metadata', shot('IMG_0001.JPG', { words: 'portrait; GRACEH; 2027' }), 2],
    ['never as a part of a word', shot('ADALVLX_1.jpg', { words: 'XADALVL' }), 'unknown'],
    ['two codes', shot('ADALVL_GRACEH.jpg'), 'unclear'],
    ['the same code twice', shot('ADALVL.jpg', { words: 'ADALVL' }), 1],
    ['none', shot('IMG_0001.JPG'), 'unknown'],
  ])('%s', (_, picture, expected) => expect(idOf(matchByCode(picture, people))).toBe(expected))
})

describe('matching by file name', () => {
  test.each<[string, number | string]>([
    ['1001.jpg', 1],
    ['1001_2.jpg', 1],
    ['IMG_1002.JPG', 2],
    ['a-17 (3).png', 3],
    ['Ada Lovelace.jpg', 1],
    ['lovelace_ada-02.jpg', 1],
    ['AdaLovelace_2.jpg', 1],
    ['Garcia Marquez, Jose.webp', 3],
    ['ann_lee_01.jpg', 4],
    ['ann_lee_smith_01.jpg', 5],
    ['same name.jpg', 'unclear'],
    ['Ada.jpg', 'unknown'],
    ['Adamson Lovelaceton.jpg', 'unknown'],
    ['10012.jpg', 'unknown'],
    ['folder/1001.jpg', 1],
    ['', 'unknown'],
  ])('%s', (fileName, expected) => expect(idOf(matchByFileName(shot(fileName), people))).toBe(expected))
})

describe('matching by order of shooting', () => {
  const nine = Date.parse('2027-04-16T09:00:00Z')
  const minute = 60_000
  const sitting = (subjectId: number, at: number, own: Partial<SubjectCheckIn> = {}): SubjectCheckIn => ({
    subjectId,
    station: 'A',
    firstFrame: null,
    lastFrame: null,
    checkedInAt: nine + at * minute,
    ...own,
  })
  const at = (minutes: number, fileName = 'IMG_0001.JPG') => shot(fileName, { takenAt: nine + minutes * minute })
  const line = [sitting(1, 0), sitting(2, 2), sitting(1, 40)]

  test.each<[string, ImageMetadata, readonly SubjectCheckIn[], number | string, number?]>([
    ['between two check-ins', at(1), line, 1],
    ['at the moment of a check-in', at(2), line, 2],
    ['after the last one', at(41), line, 1],
    ['before the first one', at(-1), line, 'unknown'],
    ['long after', at(2 + maxCheckInAgeMs / minute + 1), [sitting(1, 0), sitting(2, 2)], 'unknown'],
    ['a camera whose clock is an hour fast', at(61), line, 1, 60 * minute],
    ['a camera whose clock is slow', at(-59), line, 1, -60 * minute],
    ['a camera without a clock', shot('IMG_1.JPG'), line, 'unknown'],
    ['two stations at once', at(1), [sitting(1, 0), sitting(2, 0, { station: 'B' })], 'unclear'],
    [
      'frames that were noted',
      at(1, 'IMG_0105.JPG'),
      [sitting(1, 0), sitting(2, 30, { firstFrame: 'IMG_0101', lastFrame: 'IMG_0109' })],
      2,
    ],
    ['frames as numbers alone', at(1, 'DSC_0105.JPG'), [sitting(2, 30, { firstFrame: '101', lastFrame: '109' })], 2],
    [
      'the frames of another camera',
      shot('DSC_0105.JPG'),
      [sitting(2, 30, { firstFrame: 'IMG_101', lastFrame: 'IMG_109' })],
      'unknown',
    ],
    ['one frame', shot('IMG_0101.JPG'), [sitting(2, 30, { firstFrame: 'IMG_0101' })], 2],
    [
      'noted frames take no others',
      at(1, 'IMG_0200.JPG'),
      [sitting(2, 0, { firstFrame: '101', lastFrame: '109' })],
      'unknown',
    ],
    [
      'frames of two people',
      shot('IMG_0105.JPG'),
      [sitting(1, 0, { firstFrame: '101', lastFrame: '105' }), sitting(2, 3, { firstFrame: '105', lastFrame: '109' })],
      'unclear',
    ],
  ])('%s', (_, picture, sittings, expected, ahead = 0) =>
    expect(idOf(matchByCheckIn(picture, sittings, ahead))).toBe(expected),
  )

  it('all images of one camera belong to the last check-in, in any order of the check-ins', () => {
    const minutes = fc.uniqueArray(fc.nat(25), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(minutes, fc.nat(25), fc.integer(), (checkIns, taken, seed) => {
        const sittings = checkIns.map((one) => sitting(one + 100, one))
        const shuffled = sittings.toSorted((a, b) => ((a.subjectId * seed) % 7) - ((b.subjectId * seed) % 7))
        const before = checkIns.filter((one) => one <= taken)
        const expected = before.length === 0 ? 'unknown' : Math.max(...before) + 100
        expect(idOf(matchByCheckIn(at(taken), shuffled))).toBe(expected)
      }),
    )
  })
})

describe('matching groups', () => {
  const groups = [
    { groupId: 1, name: 'Room 1' },
    { groupId: 2, name: 'Room 12' },
    { groupId: 3, name: 'Room 12 Morning' },
    { groupId: 4, name: 'A' },
  ]
  test.each<[string, number | null]>([
    ['Room-1.jpg', 1],
    ['2027_room_12.jpg', 2],
    ['room 12 morning (2).jpg', 3],
    ['A.jpg', null],
    ['Room.jpg', null],
  ])('%s', (fileName, expected) => expect(matchGroup(fileName, groups)).toBe(expected))
})
