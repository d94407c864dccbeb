import { useState } from 'react'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { type Edited, editSubjects, type SubjectEdit, undoEdit, type Whom } from '#contract/studio/subjects.ts'
import type { Answered } from '#local/transport/request.ts'
import { toast, toastError } from '#ui/toast/toast.ts'
import { peopleWords } from './subject-format.ts'

export type Done = { editId: number; words: string }

export type PeopleEdits = {
  /** Does something with people; `words` tell of it, by how many were changed. What is wrong with a field is left to its form. */
  edit: (whom: Whom, edit: SubjectEdit, words: (people: string) => string) => Promise<Answered<Edited>>
  /** What was done last and can be undone; null where nothing can. */
  done: Done | null
  undo: () => Promise<void>
  forget: () => void
  busy: boolean
}

/** What staff do with many people of a job at once, each with its way back. */
export const usePeopleEdits = ({ studioId, jobId }: JobPlace): PeopleEdits => {
  const [done, setDone] = useState<Done | null>(null)
  const change = useChange(editSubjects)
  const back = useChange(undoEdit)
  const params = { studioId, jobId }
  const edit: PeopleEdits['edit'] = async (whom, what, words) => {
    const answer = await change.make({ params, body: { whom, edit: what } }, 'nobody')
    if (!answer.ok) {
      if (!answer.fields) toastError(answer.errors)
      return answer
    }
    const { count, editId } = answer.data
    if (editId === null) toast('There was nothing to change: it is so already')
    setDone(editId === null ? null : { editId, words: words(peopleWords(count)) })
    return answer
  }
  const undo = async () => {
    if (!done) return
    const answer = await back.make({ params: { ...params, editId: done.editId } })
    if (!answer.ok) return
    const { count, left } = answer.data
    setDone(null)
    const kept = left > 0 ? `. ${peopleWords(left)} changed since, and stayed as they are` : ''
    toast(`Undone for ${peopleWords(count)}${kept}`, 'success')
  }
  return { edit, done, undo, forget: () => setDone(null), busy: change.busy || back.busy }
}
