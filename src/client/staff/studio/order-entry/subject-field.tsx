import type { RefObject } from 'react'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { EntrySubject } from '#contract/studio/order-entry.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './order-entry.module.css'
import { useSubjectSearch } from './use-subject-search.ts'

type SubjectFieldProps = {
  job: JobParams
  subject: EntrySubject | undefined
  control: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  onChoose: (subject: EntrySubject) => void
}

const listId = 'entry-subjects'

const nameOf = ({ firstName, lastName }: EntrySubject) => `${firstName} ${lastName}`

/** A combobox for the form's subject: searches by code or name. Arrow keys move, Enter selects. */
export const SubjectField = ({ job, subject, control, onChoose }: SubjectFieldProps) => {
  const { text, matches, highlightedIndex, choose, onType, onKeyDown, hasNoMatch } = useSubjectSearch(job, onChoose)
  const isOpen = matches.length > 0
  return (
    <div className={styles.subject}>
      <Field
        label="Who"
        hint={subject ? undefined : 'Code or name'}
        errors={hasNoMatch ? ['No one in this job has that name'] : undefined}
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
          placeholder={subject ? `${nameOf(subject)} — another?` : undefined}
          value={text}
          onValue={onType}
          onKeyDown={onKeyDown}
        />
      </Field>
      {isOpen && (
        <div id={listId} role="listbox" aria-label="Matches" className={styles.options}>
          {matches.map((match, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus (aria-activedescendant)
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            <div
              key={match.subjectId}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === highlightedIndex}
              className={styles.option}
              onClick={() => choose(match)}
            >
              <strong>{nameOf(match)}</strong>
              <small>{[match.groups.join(', '), match.code].filter(Boolean).join(' · ')}</small>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
