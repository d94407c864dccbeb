import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatSubjectCount } from '#client/staff/kit/screen/format.ts'
import {
  editSubjects,
  type SelectedSubjects,
  type SubjectEdit,
  type SubjectEditResult,
  undoEdit,
} from '#contract/studio/subjects.ts'
import type { CallResult } from '#local/transport/request.ts'
import { toast, toastError } from '#ui/toast/toast.ts'

export type CompletedEdit = { editId: number; message: string }

export type SubjectBulkEdits = {
  /**
   * Edits subjects and sets `lastEdit`; `toMessage` makes its message. Returns field errors, and shows other errors as a
   * toast.
   */
  edit: (
    selected: SelectedSubjects,
    edit: SubjectEdit,
    /** `countAsText` is the number of changed subjects: "3 people". */
    toMessage: (countAsText: string) => string,
  ) => Promise<CallResult<SubjectEditResult>>
  /** The last edit that can be undone; null if there is none. */
  lastEdit: CompletedEdit | null
  undo: () => Promise<void>
  dismiss: () => void
  busy: boolean
}

/** Edits several subjects of a job at once. The last edit can be undone. */
export const useSubjectBulkEdits = ({ studioId, jobId }: JobParams): SubjectBulkEdits => {
  const [lastEdit, setLastEdit] = useState<CompletedEdit | null>(null)
  const editMutation = useStaffMutation(editSubjects)
  const undoMutation = useStaffMutation(undoEdit)
  const params = { studioId, jobId }
  const edit: SubjectBulkEdits['edit'] = async (selected, subjectEdit, toMessage) => {
    const answer = await editMutation.mutate(
      { params, body: { subjects: selected, edit: subjectEdit } },
      { onError: 'silent' },
    )
    if (!answer.ok) {
      if (!answer.fields) toastError(answer.errors)
      return answer
    }
    const { count, editId } = answer.data
    if (editId === null) toast('Nothing to change')
    setLastEdit(editId === null ? null : { editId, message: toMessage(formatSubjectCount(count)) })
    return answer
  }
  const undo = async () => {
    if (!lastEdit) return
    const answer = await undoMutation.mutate({ params: { ...params, editId: lastEdit.editId } })
    if (!answer.ok) return
    const { count, left: unchangedCount } = answer.data
    setLastEdit(null)
    const unchangedNote =
      unchangedCount > 0 ? `. Not undone for ${formatSubjectCount(unchangedCount)}, because of later edits` : ''
    toast(`Undone for ${formatSubjectCount(count)}${unchangedNote}`, 'success')
  }
  return { edit, lastEdit, undo, dismiss: () => setLastEdit(null), busy: editMutation.busy || undoMutation.busy }
}
