import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import {
  editSubjects,
  type SelectedSubjects,
  type SubjectEdit,
  type SubjectEditResult,
  undoEdit,
} from '#contract/studio/subjects.ts'
import type { CallResult } from '#local/transport/request.ts'
import { toast, toastError } from '#ui/toast/toast.ts'
import { formatSubjectCount } from './subject-format.ts'

export type CompletedEdit = { editId: number; message: string }

export type SubjectBulkEdits = {
  /** Edits subjects and shows a message built from the number of changed ones. Errors of a field are returned to its form. */
  edit: (
    selected: SelectedSubjects,
    edit: SubjectEdit,
    toMessage: (subjectCount: string) => string,
  ) => Promise<CallResult<SubjectEditResult>>
  /** The last edit that can be undone; null if there is none. */
  lastEdit: CompletedEdit | null
  undo: () => Promise<void>
  dismiss: () => void
  busy: boolean
}

/** Bulk edits of a job's subjects, each with its undo. */
export const useSubjectBulkEdits = ({ studioId, jobId }: JobParams): SubjectBulkEdits => {
  const [done, setDone] = useState<CompletedEdit | null>(null)
  const change = useStaffMutation(editSubjects)
  const undoMutation = useStaffMutation(undoEdit)
  const params = { studioId, jobId }
  const edit: SubjectBulkEdits['edit'] = async (selected, subjectEdit, toMessage) => {
    const answer = await change.mutate({ params, body: { whom: selected, edit: subjectEdit } }, { onError: 'silent' })
    if (!answer.ok) {
      if (!answer.fields) toastError(answer.errors)
      return answer
    }
    const { count, editId } = answer.data
    if (editId === null) toast('There was nothing to change: it is so already')
    setDone(editId === null ? null : { editId, message: toMessage(formatSubjectCount(count)) })
    return answer
  }
  const undo = async () => {
    if (!done) return
    const answer = await undoMutation.mutate({ params: { ...params, editId: done.editId } })
    if (!answer.ok) return
    const { count, left } = answer.data
    setDone(null)
    const unchangedNote = left > 0 ? `. ${formatSubjectCount(left)} changed since, and stayed as they are` : ''
    toast(`Undone for ${formatSubjectCount(count)}${unchangedNote}`, 'success')
  }
  return { edit, lastEdit: done, undo, dismiss: () => setDone(null), busy: change.busy || undoMutation.busy }
}
