import { describe, expect, test } from 'vitest'
import { defaultPageSize, firstPage, isListComplete, isPageRequested, mapPage, toPage } from '#domain/shared/paging.ts'

describe('paging (section 9)', () => {
  test('paging starts at page 1 with 50 items', () => expect([firstPage, defaultPageSize]).toEqual([1, 50]))

  test.each([
    [1, 50, 0, true],
    [1, 50, 50, true],
    [1, 50, 51, false],
    [2, 50, 51, true],
    [2, 25, 51, false],
  ])(
    'page %d with %d items per page completes a list of %d items: %s',
    (currentPage, pageSize, totalRecords, complete) => {
      expect(isListComplete({ currentPage, pageSize, totalRecords })).toBe(complete)
    },
  )
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

  test('mapping an array returns an array, and mapping a page returns a page with the same paging values', () => {
    expect(mapPage(['Ada', 'Kai'], (name) => name.length)).toEqual([3, 3])
    const page = { resultItems: ['Ada'], currentPage: 2, pageSize: 1, totalRecords: 2 }
    expect(mapPage(page, (name) => name.length)).toEqual({ ...page, resultItems: [3] })
  })
})
