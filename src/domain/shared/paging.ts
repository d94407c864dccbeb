export const firstPage = 1
export const defaultPageSize = 50

export type Paging = { currentPage: number; pageSize: number; totalRecords: number }

export type Page<Item> = Paging & { resultItems: Item[] }

/** What a list may be asked by; naming any of them asks for a page, naming none for the whole list as it is. */
export type PageQuery = {
  currentPage?: number | undefined
  pageSize?: number | undefined
  filter?: string | undefined
}

export const isPageRequested = ({ currentPage, pageSize, filter }: PageQuery): boolean =>
  [currentPage, pageSize, filter].some((named) => named !== undefined)

/** A list's answer as a page: a whole list is its own only one. */
export const toPage = <Item>(answer: Item[] | Page<Item>): Page<Item> =>
  Array.isArray(answer)
    ? { resultItems: answer, currentPage: firstPage, pageSize: answer.length, totalRecords: answer.length }
    : answer

/** A list's answer with each of its items as another one. */
export const mapPage = <Item, Other>(answer: Item[] | Page<Item>, as: (item: Item) => Other): Other[] | Page<Other> =>
  Array.isArray(answer) ? answer.map(as) : { ...answer, resultItems: answer.resultItems.map(as) }

/** Whether the pages up to and with this one hold the whole list (section 9). */
export const isListComplete = ({ currentPage, pageSize, totalRecords }: Paging): boolean =>
  currentPage * pageSize >= totalRecords
