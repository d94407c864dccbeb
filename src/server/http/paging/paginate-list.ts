import { defaultPageSize, firstPage, isPageRequested, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import { type Problem, problem } from '../problem.ts'

const largestPage = 100

/** Refuses a page size of zero or above the maximum. */
export const pageSizeProblem = ({ pageSize = defaultPageSize }: PageQuery): Problem<'bad-request'> | undefined => {
  if (pageSize >= 1 && pageSize <= largestPage) return undefined
  const sentence = `A page has 1 to ${largestPage} rows`
  return problem('bad-request', sentence, { fields: { pageSize: [sentence] } })
}

/** The page that a query asks for. */
export const requestedPage = ({ currentPage, pageSize }: PageQuery): { currentPage: number; pageSize: number } => ({
  currentPage: Math.max(firstPage, currentPage ?? firstPage),
  pageSize: pageSize ?? defaultPageSize,
})

/** The normalized filter for names: empty without a filter; null where it has no letter or number, so that no name matches. */
export const nameFilter = ({ filter = '' }: PageQuery): string | null => {
  const sought = searchKey(filter)
  return sought === '' && filter.trim() !== '' ? null : sought
}

/**
 * Filters and pages a short list (section 3, paging): the whole list, or the page of items with a matching name. For lists that one
 * statement reads whole; a long one is paged in the database.
 */
export const paginateList = <Item>(
  list: Item[],
  wanted: PageQuery,
  namesOf: (item: Item) => readonly string[],
): Item[] | Page<Item> => {
  if (!isPageRequested(wanted)) return list
  const { currentPage, pageSize } = requestedPage(wanted)
  const sought = nameFilter(wanted)
  const isSought = (name: string) => sought !== null && searchKey(name).includes(sought)
  const found = list.filter((item) => namesOf(item).some(isSought))
  const start = (currentPage - 1) * pageSize
  return { resultItems: found.slice(start, start + pageSize), currentPage, pageSize, totalRecords: found.length }
}
