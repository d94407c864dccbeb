import { type KeyboardEvent, useEffect, useState } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type EntrySubject, listEntrySubjects } from '#contract/studio/order-entry.ts'
import { toPage } from '#domain/shared/paging.ts'

/** Debounce in milliseconds before the typed text is searched. */
const pauseMs = 150

/** Searches a job's subjects while the user types. Arrow keys move the highlight, Enter chooses. */
export const useSubjectSearch = ({ studioId, jobId }: JobParams, onChoose: (subject: EntrySubject) => void) => {
  const [typed, setTyped] = useState('')
  const [filter, setFilter] = useState('')
  const [highlightedIndex, setHighlightedIndex] = useState(0)
  const [isFirstRequested, setFirstRequested] = useState(false)
  useEffect(() => {
    const pause = setTimeout(() => setFilter(typed.trim()), pauseMs)
    return () => clearTimeout(pause)
  }, [typed])
  const query = useStaffQuery(listEntrySubjects, {
    params: { studioId, jobId },
    query: { filter, currentPage: 1, pageSize: 8 },
    enabled: filter !== '',
  })
  const isCurrent = filter === typed.trim() && !query.isPlaceholder && !query.isFetching
  const matches = filter !== '' && typed.trim() !== '' && query.data ? toPage<EntrySubject>(query.data).resultItems : []

  const choose = (subject: EntrySubject) => {
    setTyped('')
    setFilter('')
    setHighlightedIndex(0)
    setFirstRequested(false)
    onChoose(subject)
  }
  // If Enter was pressed before the response arrived, the first result is selected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new results trigger it
  useEffect(() => {
    const [first] = matches
    if (isFirstRequested && isCurrent && first) choose(first)
    if (isFirstRequested && isCurrent) setFirstRequested(false)
  }, [isFirstRequested, isCurrent, matches[0]])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && matches.length > 0) {
      event.preventDefault()
      return setHighlightedIndex((highlightedIndex + step + matches.length) % matches.length)
    }
    if (event.key === 'Escape') return setTyped('')
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || typed.trim() === '') return
    event.preventDefault()
    event.stopPropagation()
    const highlighted = matches[highlightedIndex]
    if (highlighted && isCurrent) return choose(highlighted)
    setFirstRequested(true)
  }
  const onType = (value: string) => {
    setTyped(value)
    setHighlightedIndex(0)
    // The text has changed: the earlier Enter no longer applies.
    setFirstRequested(false)
  }
  return {
    ...{ typed, matches, highlightedIndex, choose, onType, onKeyDown },
    hasNoMatch: isCurrent && filter !== '' && matches.length === 0 && !query.error,
  }
}
