import type { ListState } from '#client/staff/kit/list/use-list.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import type { SubjectFilterName } from './subject-filters.tsx'

/** The list's filters as query parameters of the call. */
export const subjectListQuery = (list: ListState<SubjectFilterName>) => {
  const { groupId, ...others } = list.query
  // The address may hold any text; the server rejects unknown values.
  return { ...others, ...(groupId !== undefined && { groupId: parseNumber(groupId) || 0 }) } as Omit<
    typeof others,
    'images' | 'visibility' | 'orders' | 'attendance'
  > & {
    groupId?: number
    images?: 'with' | 'without'
    visibility?: 'shown' | 'hidden'
    orders?: 'ordered' | 'not-ordered'
    attendance?: 'checked-in' | 'not-checked-in' | 'absent'
  }
}
