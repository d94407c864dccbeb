import { defaultPageSize, firstPage, isPageRequested, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import { type Problem, problem } from '../problem.ts'

const maxPageSize = 100

/** Returns a problem for a page size of zero or above the maximum. */
export const pageSizeProblem = ({ pageSize = defaultPageSize }: PageQuery): Problem<'bad-request'> | undefined => {
  if (pageSize >= 1 && pageSize <= maxPageSize) return undefined
  const message = `A page has 1 to ${maxPageSize} rows`
  return problem('bad-request', message, { fields: { pageSize: [message] } })
}

/** Returns the requested page number and page size, or their defaults. */
export const requestedPage = ({ currentPage, pageSize }: PageQuery): { currentPage: number; pageSize: number } => ({
  currentPage: Math.max(firstPage, currentPage ?? firstPage),
  pageSize: pageSize ?? defaultPageSize,
})

/**
 * Normalizes a filter for names: empty without a filter; null if it contains no letter or digit, so that no name
 * matches.
 */
export const nameFilter = ({ filter = '' }: PageQuery): string | null => {
  const searchText = searchKey(filter)
  return searchText === '' && filter.trim() !== '' ? null : searchText
}

/**
 * Filters and pages a short list that is in memory (section 3, paging). Returns the whole list, or a page of the items
 * with a matching name. Long lists are paged in the database by `paginateQuery`.
 */
export const paginateList = <Item>(
  list: Item[],
  query: PageQuery,
  namesOf: (item: Item) => readonly string[],
): Item[] | Page<Item> => {
  if (!isPageRequested(query)) return list
  const { currentPage, pageSize } = requestedPage(query)
  const searchText = nameFilter(query)
  const matchesFilter = (name: string) => searchText !== null && searchKey(name).includes(searchText)
  const matches = list.filter((item) => namesOf(item).some(matchesFilter))
  const start = (currentPage - 1) * pageSize
  return { resultItems: matches.slice(start, start + pageSize), currentPage, pageSize, totalRecords: matches.length }
}
