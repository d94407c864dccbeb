import { describe, expect, test } from 'vitest'
import { formatDate } from '#domain/shared/dates.ts'
import { defaultPageSize, firstPage, isListComplete, isPageRequested, mapPage, toPage } from '#domain/shared/paging.ts'
import { mayChoosePose } from '#domain/subjects/year-book-pose.ts'

describe('dates are shown in UTC as MM/DD/YYYY (section 9)', () => {
  test.each([
    ['2027-04-05', '04/05/2027'],
    ['2027-04-05T23:59:59.999Z', '04/05/2027'],
    ['2027-04-05T23:30:00-05:00', '04/06/2027'],
    [new Date(Date.UTC(2026, 11, 31, 23, 59)), '12/31/2026'],
  ])('the date %s is shown as %s', (date, formatted) => expect(formatDate(date)).toBe(formatted))

  test('formatting something that is not a date throws', () => expect(() => formatDate('soon')).toThrow(RangeError))
})

describe('paging (section 9)', () => {
  test('paging starts at page 1 with 50 items', () => expect([firstPage, defaultPageSize]).toEqual([1, 50]))

  test.each([
    [1, 50, 0, true],
    [1, 50, 50, true],
    [1, 50, 51, false],
    [2, 50, 51, true],
    [2, 25, 51, false],
  ])('page %d of size %d is the last of %d: %s', (currentPage, pageSize, totalRecords, complete) => {
    expect(isListComplete({ currentPage, pageSize, totalRecords })).toBe(complete)
  })
})

describe('lists with optional paging', () => {
  test.each([
    [{}, false],
    [{ currentPage: undefined, pageSize: undefined, filter: undefined }, false],
    [{ currentPage: 1 }, true],
    [{ pageSize: 10 }, true],
    [{ filter: '' }, true],
  ])('the query %o requests a page: %s', (query, isRequested) => expect(isPageRequested(query)).toBe(isRequested))

  test('toPage returns a page unchanged, and a whole list as its only page', () => {
    const page = { resultItems: ['Ada'], currentPage: 2, pageSize: 1, totalRecords: 3 }
    expect(toPage(page)).toBe(page)
    expect(toPage(['Ada', 'Kai'])).toEqual({
      resultItems: ['Ada', 'Kai'],
      currentPage: 1,
      pageSize: 2,
      totalRecords: 2,
    })
    expect([toPage([]), toPage(['Ada'])].map(isListComplete)).toEqual([true, true])
  })

  test('mapping a list keeps its shape, and mapping a page its position', () => {
    expect(mapPage(['Ada', 'Kai'], (name) => name.length)).toEqual([3, 3])
    const page = { resultItems: ['Ada'], currentPage: 2, pageSize: 1, totalRecords: 2 }
    expect(mapPage(page, (name) => name.length)).toEqual({ ...page, resultItems: [3] })
  })
})

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
