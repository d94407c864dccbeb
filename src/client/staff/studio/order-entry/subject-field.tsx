import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type EntrySubject, listEntrySubjects } from '#contract/studio/order-entry.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './order-entry.module.css'

type SubjectFieldProps = {
  job: JobParams
  chosen: EntrySubject | undefined
  control: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  onChoose: (subject: EntrySubject) => void
}

const pauseMs = 150
const listId = 'entry-subjects'

const nameOf = ({ firstName, lastName }: EntrySubject) => `${firstName} ${lastName}`

/** A combobox for the form's subject: searches by code or name. Arrow keys move, Enter selects. */
export const SubjectField = ({ job, chosen, control, onChoose }: SubjectFieldProps) => {
  const [typed, setTyped] = useState('')
  const [filter, setFilter] = useState('')
  const [highlightedIndex, setHighlightedIndex] = useState(0)
  const [isFirstRequested, setFirstRequested] = useState(false)
  useEffect(() => {
    const pause = setTimeout(() => setFilter(typed.trim()), pauseMs)
    return () => clearTimeout(pause)
  }, [typed])
  const { studioId, jobId } = job
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
  const isOpen = matches.length > 0
  return (
    <div className={styles.subject}>
      <Field
        label="Who"
        hint={chosen ? undefined : 'Code or name'}
        errors={
          isCurrent && filter !== '' && !isOpen && !query.error ? ['Nobody of this job is called that'] : undefined
        }
      >
        <TextInput
          ref={control}
          type="search"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-activedescendant={isOpen ? `${listId}-${highlightedIndex}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          data-list-filter
          placeholder={chosen ? `${nameOf(chosen)} — another?` : undefined}
          value={typed}
          onValue={(value) => {
            setTyped(value)
            setHighlightedIndex(0)
            // The text has changed: the earlier Enter no longer applies.
            setFirstRequested(false)
          }}
          onKeyDown={onKeyDown}
        />
      </Field>
      {isOpen && (
        <div id={listId} role="listbox" aria-label="Who fits" className={styles.options}>
          {matches.map((subject, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the option (aria-activedescendant)
            // biome-ignore lint/a11y/useKeyWithClickEvents: the same
            <div
              key={subject.subjectId}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === highlightedIndex}
              className={styles.option}
              onClick={() => choose(subject)}
            >
              <strong>{nameOf(subject)}</strong>
              <small>{[subject.groups.join(', '), subject.code].filter(Boolean).join(' · ')}</small>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
