export const firstPage = 1
export const defaultPageSize = 50

export type Paging = { currentPage: number; pageSize: number; totalRecords: number }

/** Whether the pages up to and with this one hold the whole list (section 9). */
export const isListComplete = ({ currentPage, pageSize, totalRecords }: Paging): boolean =>
  currentPage * pageSize >= totalRecords
