export const firstPage = 1
export const defaultPageSize = 50

export type Paging = { currentPage: number; pageSize: number; totalRecords: number }

export type Page<Item> = Paging & { resultItems: Item[] }

/** The parameters of a list; any of them requests a page, none of them the whole list. */
export type PageQuery = {
  currentPage?: number | undefined
  pageSize?: number | undefined
  filter?: string | undefined
}

export const isPageRequested = ({ currentPage, pageSize, filter }: PageQuery): boolean =>
  [currentPage, pageSize, filter].some((named) => named !== undefined)

/** Converts a list response to a page: a whole list becomes its only page. */
export const toPage = <Item>(answer: Item[] | Page<Item>): Page<Item> =>
  Array.isArray(answer)
    ? { resultItems: answer, currentPage: firstPage, pageSize: answer.length, totalRecords: answer.length }
    : answer

/** Maps the items of a list response. */
export const mapPage = <Item, Other>(answer: Item[] | Page<Item>, as: (item: Item) => Other): Other[] | Page<Other> =>
  Array.isArray(answer) ? answer.map(as) : { ...answer, resultItems: answer.resultItems.map(as) }

/** Whether the pages up to this one contain the whole list (section 9). */
export const isListComplete = ({ currentPage, pageSize, totalRecords }: Paging): boolean =>
  currentPage * pageSize >= totalRecords
