import { defaultPageSize, firstPage, isPageAsked, type Page, type PageQuery } from '../../domain/paging.ts'
import { searchKey } from '../../domain/person-search.ts'

const largestPage = 100

/** Which page a query asks for, within what there can be. */
export const pageAsked = ({ currentPage, pageSize }: PageQuery): { currentPage: number; pageSize: number } => ({
  currentPage: Math.max(firstPage, currentPage ?? firstPage),
  pageSize: Math.min(largestPage, pageSize || defaultPageSize),
})

/**
 * A short list as its query asks for it (section 3, paging): whole, or the page of those whose name holds the filter. For lists that
 * one statement reads whole; a long one is cut in the database.
 */
export const listOrPage = <Item>(
  list: Item[],
  wanted: PageQuery,
  nameOf: (item: Item) => string,
): Item[] | Page<Item> => {
  if (!isPageAsked(wanted)) return list
  const { currentPage, pageSize } = pageAsked(wanted)
  const sought = searchKey(wanted.filter ?? '')
  const found = list.filter((item) => searchKey(nameOf(item)).includes(sought))
  const start = (currentPage - 1) * pageSize
  return { resultItems: found.slice(start, start + pageSize), currentPage, pageSize, totalRecords: found.length }
}
