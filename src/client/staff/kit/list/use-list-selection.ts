import { useState } from 'react'
import type { Selection } from '#ui/table/row-selection.tsx'

/** The selected rows of a list. If all rows of the list are selected, `ids` holds only those of this page. */
export type ListSelection = Selection & { count: number; isAll: boolean; selectAll: () => void }

/** Selects rows across pages: single rows, or all rows that match the list's filter until the filter changes. */
export const useListSelection = (filter: object, page: { ids: readonly string[]; total: number }): ListSelection => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [selectedFilter, setSelectedFilter] = useState<string | null>(null)
  const filterKey = JSON.stringify(filter)
  const isAll = selectedFilter === filterKey
  return {
    ids: isAll ? new Set(page.ids) : ids,
    count: isAll ? page.total : ids.size,
    isAll,
    change: (nextIds) => {
      setSelectedFilter(null)
      setIds(nextIds)
    },
    selectAll: () => setSelectedFilter(filterKey),
  }
}
