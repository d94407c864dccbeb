import type { RefObject } from 'react'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { EntrySubject } from '#contract/studio/order-entry.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './order-entry.module.css'
import { useSubjectSearch } from './use-subject-search.ts'

type SubjectFieldProps = {
  job: JobParams
  chosen: EntrySubject | undefined
  control: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  onChoose: (subject: EntrySubject) => void
}

const listId = 'entry-subjects'

const nameOf = ({ firstName, lastName }: EntrySubject) => `${firstName} ${lastName}`

/** A combobox for the form's subject: searches by code or name. Arrow keys move, Enter selects. */
export const SubjectField = ({ job, chosen, control, onChoose }: SubjectFieldProps) => {
  const { typed, matches, highlightedIndex, choose, onType, onKeyDown, hasNoMatch } = useSubjectSearch(job, onChoose)
  const isOpen = matches.length > 0
  return (
    <div className={styles.subject}>
      <Field
        label="Who"
        hint={chosen ? undefined : 'Code or name'}
        errors={hasNoMatch ? ['Nobody of this job is called that'] : undefined}
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
          onValue={onType}
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
