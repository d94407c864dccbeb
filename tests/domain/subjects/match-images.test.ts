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

const subjects: MatchableSubject[] = [
  { subjectId: 1, code: 'ADALVL', reference: '1001', firstName: 'Ada', lastName: 'Lovelace' },
  { subjectId: 2, code: 'GRACEH', reference: '1002', firstName: 'Grace', lastName: 'Hopper' },
  { subjectId: 3, code: null, reference: 'A-17', firstName: 'José', lastName: 'García Márquez' },
  { subjectId: 4, code: null, reference: null, firstName: 'Ann', lastName: 'Lee' },
  { subjectId: 5, code: null, reference: null, firstName: 'Ann', lastName: 'Lee Smith' },
  { subjectId: 6, code: 'TWICE1', reference: null, firstName: 'Same', lastName: 'Name' },
  { subjectId: 7, code: 'TWICE2', reference: null, firstName: 'Same', lastName: 'Name' },
]
const imageNamed = (fileName: string, overrides: Partial<ImageMetadata> = {}): ImageMetadata => ({
  fileName,
  words: '',
  takenAt: null,
  ...overrides,
})
const idOf = (match: ReturnType<typeof matchByCode>) => (typeof match === 'object' ? match.subjectId : match)

describe('matching by code', () => {
  test.each<[string, ImageMetadata, number | string]>([
    ['a code in the file name', imageNamed('ADALVL_0001.JPG'), 1],
    ['a lower-case code in the middle of the file name', imageNamed('img-adalvl-2.jpeg'), 1],
    ['a code in the metadata', imageNamed('IMG_0001.JPG', { words: 'portrait; GRACEH; 2027' }), 2],
    ['a code that is only part of a word', imageNamed('ADALVLX_1.jpg', { words: 'XADALVL' }), 'unknown'],
    ['two codes', imageNamed('ADALVL_GRACEH.jpg'), 'unclear'],
    ['the same code twice', imageNamed('ADALVL.jpg', { words: 'ADALVL' }), 1],
    ['no code', imageNamed('IMG_0001.JPG'), 'unknown'],
  ])('an image is matched by code: %s', (_, image, expected) =>
    expect(idOf(matchByCode(image, subjects))).toBe(expected),
  )
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
  ])('the file name %j is matched with the subject %s', (fileName, expected) =>
    expect(idOf(matchByFileName(imageNamed(fileName), subjects))).toBe(expected),
  )
})

describe('matching by order of shooting', () => {
  const nineOClock = Date.parse('2027-04-16T09:00:00Z')
  const minute = 60_000
  const checkIn = (subjectId: number, minutes: number, overrides: Partial<SubjectCheckIn> = {}): SubjectCheckIn => ({
    subjectId,
    station: 'A',
    firstFrame: null,
    lastFrame: null,
    checkedInAt: nineOClock + minutes * minute,
    ...overrides,
  })
  const imageAt = (minutes: number, fileName = 'IMG_0001.JPG') =>
    imageNamed(fileName, { takenAt: nineOClock + minutes * minute })
  const threeCheckIns = [checkIn(1, 0), checkIn(2, 2), checkIn(1, 40)]

  test.each<[string, ImageMetadata, readonly SubjectCheckIn[], number | string, number?]>([
    ['between two check-ins', imageAt(1), threeCheckIns, 1],
    ['at the moment of a check-in', imageAt(2), threeCheckIns, 2],
    ['after the last check-in', imageAt(41), threeCheckIns, 1],
    ['before the first check-in', imageAt(-1), threeCheckIns, 'unknown'],
    [
      'long after the last check-in',
      imageAt(2 + maxCheckInAgeMs / minute + 1),
      [checkIn(1, 0), checkIn(2, 2)],
      'unknown',
    ],
    ['with a camera whose clock is an hour fast', imageAt(61), threeCheckIns, 1, 60 * minute],
    ['with a camera whose clock is an hour slow', imageAt(-59), threeCheckIns, 1, -60 * minute],
    ['with a camera without a clock', imageNamed('IMG_1.JPG'), threeCheckIns, 'unknown'],
    ['with check-ins at two stations', imageAt(1), [checkIn(1, 0), checkIn(2, 0, { station: 'B' })], 'unclear'],
    [
      'with noted frames',
      imageAt(1, 'IMG_0105.JPG'),
      [checkIn(1, 0), checkIn(2, 30, { firstFrame: 'IMG_0101', lastFrame: 'IMG_0109' })],
      2,
    ],
    [
      'with noted frames without a prefix',
      imageAt(1, 'DSC_0105.JPG'),
      [checkIn(2, 30, { firstFrame: '101', lastFrame: '109' })],
      2,
    ],
    [
      'with noted frames of another camera',
      imageNamed('DSC_0105.JPG'),
      [checkIn(2, 30, { firstFrame: 'IMG_101', lastFrame: 'IMG_109' })],
      'unknown',
    ],
    ['with a single noted frame', imageNamed('IMG_0101.JPG'), [checkIn(2, 30, { firstFrame: 'IMG_0101' })], 2],
    [
      'with a frame outside of the noted ones',
      imageAt(1, 'IMG_0200.JPG'),
      [checkIn(2, 0, { firstFrame: '101', lastFrame: '109' })],
      'unknown',
    ],
    [
      'with a frame noted for two subjects',
      imageNamed('IMG_0105.JPG'),
      [checkIn(1, 0, { firstFrame: '101', lastFrame: '105' }), checkIn(2, 3, { firstFrame: '105', lastFrame: '109' })],
      'unclear',
    ],
  ])('an image is matched by check-in: %s', (_, image, checkIns, expected, cameraAheadMs = 0) =>
    expect(idOf(matchByCheckIn(image, checkIns, cameraAheadMs))).toBe(expected),
  )

  it('an image belongs to the last check-in before it, in any order of the check-ins', () => {
    const minutes = fc.uniqueArray(fc.nat(25), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(minutes, fc.nat(25), fc.integer(), (checkInMinutes, takenMinute, seed) => {
        const checkIns = checkInMinutes.map((checkInMinute) => checkIn(checkInMinute + 100, checkInMinute))
        const shuffled = checkIns.toSorted((a, b) => ((a.subjectId * seed) % 7) - ((b.subjectId * seed) % 7))
        const earlierMinutes = checkInMinutes.filter((checkInMinute) => checkInMinute <= takenMinute)
        const expected = earlierMinutes.length === 0 ? 'unknown' : Math.max(...earlierMinutes) + 100
        expect(idOf(matchByCheckIn(imageAt(takenMinute), shuffled))).toBe(expected)
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
  ])('the file name %j is matched with the group %s', (fileName, expected) =>
    expect(matchGroup(fileName, groups)).toBe(expected),
  )
})
