import { useState } from 'react'
import type { SubjectRow } from '#contract/studio/subjects.ts'

type SubjectSelection = { ids: ReadonlySet<string>; rows: ReadonlyMap<string, SubjectRow> }
const emptySelection: SubjectSelection = { ids: new Set(), rows: new Map() }

/** The selected subjects: single ones across pages, or all that match the filter. */
export const useSubjectSelection = (rows: readonly SubjectRow[], key: string) => {
  const [selection, setSelection] = useState<SubjectSelection>(emptySelection)
  const [allOfKey, setAllOfKey] = useState<string | null>(null)
  const isAll = allOfKey === key
  const change = (ids: ReadonlySet<string>) => {
    setAllOfKey(null)
    const known = new Map([...selection.rows, ...rows.map((row) => [String(row.id), row] as const)])
    setSelection({ ids, rows: new Map([...known].filter(([id]) => ids.has(id))) })
  }
  const ids = isAll ? new Set(rows.map(({ id }) => String(id))) : selection.ids
  return { ids, subjects: [...selection.rows.values()], isAll, change, selectAll: () => setAllOfKey(key) }
}
