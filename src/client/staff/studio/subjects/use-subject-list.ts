import { useState } from 'react'
import { type ListState, useList } from '#client/staff/kit/list/use-list.ts'
import { useListSelection } from '#client/staff/kit/list/use-list-selection.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { listSubjects, type SelectedSubjects, type SubjectRow } from '#contract/studio/subjects.ts'
import { toPage } from '#domain/shared/paging.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { type SubjectFilterName, subjectFilterNames } from './subject-filters.tsx'

/** Query parameters of the list call. */
const subjectListQuery = (list: ListState<SubjectFilterName>) => {
  const { groupId, ...otherParams } = list.query
  // The URL may contain any text; the server rejects unknown values.
  return { ...otherParams, ...(groupId !== undefined && { groupId: parseNumber(groupId) || 0 }) } as Omit<
    typeof otherParams,
    'images' | 'visibility' | 'orders' | 'attendance'
  > & {
    groupId?: number
    images?: 'with' | 'without'
    visibility?: 'shown' | 'hidden'
    orders?: 'ordered' | 'not-ordered'
    attendance?: 'checked-in' | 'not-checked-in' | 'absent'
  }
}

/** The selection, with the rows of the subjects that were selected one by one. */
const useSubjectSelection = (filter: object, rows: readonly SubjectRow[], total: number) => {
  const [subjects, setSubjects] = useState<readonly SubjectRow[]>([])
  const selection = useListSelection(filter, { ids: rows.map(({ id }) => String(id)), total })
  const change = (ids: ReadonlySet<string>) => {
    const rowById = new Map([...subjects, ...rows].map((row) => [String(row.id), row]))
    setSubjects([...rowById].filter(([id]) => ids.has(id)).map(([, row]) => row))
    selection.change(ids)
  }
  return { ...selection, subjects, change }
}

/** The subjects of a job selected by the URL's filters, and the user's selection among them. */
export const useSubjectList = ({ studioId, jobId }: JobParams) => {
  const list = useList(subjectFilterNames)
  const { currentPage, pageSize, sort, ...filter } = subjectListQuery(list)
  const query = { ...filter, currentPage, pageSize, ...(sort && { sort }) }
  const result = useStaffQuery(listSubjects, { params: { studioId, jobId }, query })
  const page = result.data && toPage(result.data)
  const rows = page?.resultItems ?? []
  const selection = useSubjectSelection(filter, rows, page?.totalRecords ?? 0)
  const selectedSubjects: SelectedSubjects = selection.isAll
    ? { matching: filter }
    : { ids: [...selection.ids].map(Number) }
  return { list, result, rows, selection, selectedSubjects }
}
