import { type KeyboardEvent, useEffect, useState } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type EntrySubject, listEntrySubjects } from '#contract/studio/order-entry.ts'
import { toPage } from '#domain/shared/paging.ts'

/** Debounce in milliseconds before the typed text is searched. */
const debounceMs = 150

/** Searches a job's subjects while the user types. Arrow keys move the highlight, Enter chooses. */
export const useSubjectSearch = ({ studioId, jobId }: JobParams, onChoose: (subject: EntrySubject) => void) => {
  const [text, setText] = useState('')
  const [filter, setFilter] = useState('')
  const [highlightedIndex, setHighlightedIndex] = useState(0)
  const [choosesFirstMatch, setChoosesFirstMatch] = useState(false)
  useEffect(() => {
    const timeout = setTimeout(() => setFilter(text.trim()), debounceMs)
    return () => clearTimeout(timeout)
  }, [text])
  const query = useStaffQuery(listEntrySubjects, {
    params: { studioId, jobId },
    query: { filter, currentPage: 1, pageSize: 8 },
    enabled: filter !== '',
  })
  const isCurrent = filter === text.trim() && !query.isPlaceholder && !query.isFetching
  const matches = filter !== '' && text.trim() !== '' && query.data ? toPage<EntrySubject>(query.data).resultItems : []

  const choose = (subject: EntrySubject) => {
    setText('')
    setFilter('')
    setHighlightedIndex(0)
    setChoosesFirstMatch(false)
    onChoose(subject)
  }
  // If Enter was pressed before the response arrived, chooses the first match.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new matches trigger it
  useEffect(() => {
    const [firstMatch] = matches
    if (choosesFirstMatch && isCurrent && firstMatch) choose(firstMatch)
    if (choosesFirstMatch && isCurrent) setChoosesFirstMatch(false)
  }, [choosesFirstMatch, isCurrent, matches[0]])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && matches.length > 0) {
      event.preventDefault()
      return setHighlightedIndex((highlightedIndex + step + matches.length) % matches.length)
    }
    if (event.key === 'Escape') return setText('')
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || text.trim() === '') return
    event.preventDefault()
    event.stopPropagation()
    const highlightedMatch = matches[highlightedIndex]
    if (highlightedMatch && isCurrent) return choose(highlightedMatch)
    setChoosesFirstMatch(true)
  }
  const onType = (value: string) => {
    setText(value)
    setHighlightedIndex(0)
    // An Enter for the previous text no longer applies.
    setChoosesFirstMatch(false)
  }
  return {
    ...{ text, matches, highlightedIndex, choose, onType, onKeyDown },
    hasNoMatch: isCurrent && filter !== '' && matches.length === 0 && !query.error,
  }
}
