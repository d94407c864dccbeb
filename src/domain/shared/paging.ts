export const firstPage = 1
export const defaultPageSize = 50

export type Paging = { currentPage: number; pageSize: number; totalRecords: number }

export type Page<Item> = Paging & { resultItems: Item[] }

/** The parameters of a list; if any is set, a page is requested, otherwise the whole list. */
export type PageQuery = {
  currentPage?: number | undefined
  pageSize?: number | undefined
  filter?: string | undefined
}

export const isPageRequested = ({ currentPage, pageSize, filter }: PageQuery): boolean =>
  [currentPage, pageSize, filter].some((parameter) => parameter !== undefined)

/** Converts a list response to a page: a whole list becomes its only page. */
export const toPage = <Item>(response: Item[] | Page<Item>): Page<Item> =>
  Array.isArray(response)
    ? { resultItems: response, currentPage: firstPage, pageSize: response.length, totalRecords: response.length }
    : response

/** Maps the items of a list response. */
export const mapPage = <Item, Other>(
  response: Item[] | Page<Item>,
  mapItem: (item: Item) => Other,
): Other[] | Page<Other> =>
  Array.isArray(response) ? response.map(mapItem) : { ...response, resultItems: response.resultItems.map(mapItem) }

/** Whether the pages up to this one contain the whole list (section 9). */
export const isListComplete = ({ currentPage, pageSize, totalRecords }: Paging): boolean =>
  currentPage * pageSize >= totalRecords
