import { useState } from 'react'
import type { OrderFilter, SelectedOrders } from '#contract/studio/order-lists.ts'

export type OrderSelection = {
  /** Selected ids on all pages, for the checkboxes. */
  ids: ReadonlySet<string>
  count: number
  isAll: boolean
  which: SelectedOrders
  change: (ids: ReadonlySet<string>) => void
  selectAll: () => void
}

/** The selected orders: single ones across pages, or all that match the list's filter. */
export const useOrderSelection = (
  matching: OrderFilter,
  shown: { numbers: readonly string[]; total: number },
): OrderSelection => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [allUnder, setAllUnder] = useState<string | null>(null)
  const key = JSON.stringify(matching)
  const isAll = allUnder === key
  const change = (next: ReadonlySet<string>) => {
    setAllUnder(null)
    setIds(next)
  }
  return {
    ids: isAll ? new Set(shown.numbers) : ids,
    count: isAll ? shown.total : ids.size,
    isAll,
    which: isAll ? { matching } : { orderNumbers: [...ids] },
    change,
    selectAll: () => setAllUnder(key),
  }
}
