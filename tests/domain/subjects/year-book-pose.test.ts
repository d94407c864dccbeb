import { describe, expect, test } from 'vitest'
import { mayChoosePose } from '#domain/subjects/year-book-pose.ts'

describe('year-book pose selection (section 4)', () => {
  test.each([
    [true, false, 2, true],
    [false, false, 2, false],
    [true, true, 2, false],
    [true, false, 1, false],
    [true, false, 0, false],
  ])(
    'a pose with enabled %s, expired %s and %d images can be chosen: %s',
    (enabled, expired, imageCount, isAllowed) => {
      expect(mayChoosePose({ enabled, expired, imageCount })).toBe(isAllowed)
    },
  )
})
