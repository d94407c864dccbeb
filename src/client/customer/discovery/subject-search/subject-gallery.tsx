import { useEffect, useState } from 'react'
import { is, number, optional, string, type } from 'superstruct'
import { listGallerySections } from '#contract/customer/find-subjects.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { searchedNames } from '#platform/session/searched-names.ts'
import type { CustomerRoute } from '#platform/urls.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from '../discovery.module.css'
import { GalleryChips } from './gallery-chips.tsx'
import { GalleryList, type GalleryQuery, useFirstPage } from './gallery-list.tsx'

/** Debounce in milliseconds before the typed name is sent to the server. */
const typingMs = 250

/** Subjects from which the first letters are offered: fewer are found by scrolling. */
const minSubjectsForLetters = 60

/** A value that updates once it has not changed for `ms` milliseconds. */
const useDebouncedValue = (value: string, ms: number): string => {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}

/** What a customer chose; stored with the history entry, so that Back from a subject restores it. */
const GalleryChoice = type({ text: string(), group: optional(number()), letter: optional(string()) })
type GalleryChoice = typeof GalleryChoice.TYPE

const readChoice = (): GalleryChoice => {
  const stored = searchedNames.read()
  return is(stored, GalleryChoice) ? stored : { text: '' }
}

/** All subjects of a public job, by group, first letter and name; those with photos first. */
export const SubjectGallery = (route: CustomerRoute) => {
  const [storedChoice] = useState(readChoice)
  const [choice, setChoice] = useState(storedChoice)
  const { group, letter, text } = choice
  const filter = useDebouncedValue(text.trim(), typingMs)
  const { data: sections } = useQuery(listGallerySections, { params: { jobId: route.jobId } })
  const choose = (part: Partial<GalleryChoice>) => setChoice((before) => ({ ...before, ...part }))
  useEffect(() => {
    if (choice !== storedChoice) searchedNames.store(choice)
  }, [choice, storedChoice])
  const groups = sections?.groups ?? []
  const query = {
    ...(filter && { filter }),
    ...(group !== undefined && { group }),
    ...(letter !== undefined && { letter }),
  }
  return (
    <>
      <div className={styles.filters}>
        <Field label="Name" hideLabel>
          <TextInput
            type="search"
            placeholder="Search by name"
            value={text}
            onValue={(value) => choose({ text: value })}
          />
        </Field>
        {groups.length > 1 && (
          <GalleryChips
            label="Team or class"
            chips={groups.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={group}
            onChoose={(value) => choose({ group: value })}
          />
        )}
        {sections && sections.total >= minSubjectsForLetters && (
          <GalleryChips
            label="First letter of the last name"
            chips={sections.letters.map((value) => ({ value, label: value }))}
            chosen={letter}
            onChoose={(value) => choose({ letter: value })}
          />
        )}
      </div>
      <Matches
        key={JSON.stringify(query)}
        {...{ route, query, filter }}
        groupsNamed={group === undefined && groups.length > 1}
      />
    </>
  )
}

type MatchesProps = {
  route: CustomerRoute
  query: Omit<GalleryQuery, 'images'>
  filter: string
  groupsNamed: boolean
}

/** Subjects with photos, then those without: folded, unless there are no others. */
const Matches = ({ route, query, filter, groupsNamed }: MatchesProps) => {
  const [withImages, withoutImages] = [
    { ...query, images: 'with' },
    { ...query, images: 'without' },
  ] as const
  const shown = useFirstPage(route, withImages)
  const folded = useFirstPage(route, withoutImages)
  const foldedList = <GalleryList {...{ route, groupsNamed }} query={withoutImages} firstPage={folded.result} />
  if (shown.total !== 0) {
    return (
      <>
        <GalleryList {...{ route, groupsNamed }} query={withImages} firstPage={shown.result} />
        {folded.total !== null && folded.total > 0 && (
          <details className={styles.folded}>
            <summary>{folded.total} without photos yet</summary>
            {foldedList}
          </details>
        )}
      </>
    )
  }
  if (folded.total === 0)
    return <EmptyState title={filter ? `No one named “${filter}” here` : noSubjectsTitle(query)} />
  return (
    <>
      <p>No photos of these children are online yet.</p>
      {foldedList}
    </>
  )
}

const noSubjectsTitle = (query: object): string =>
  Object.keys(query).length > 0 ? 'No one here' : 'Photos will be here soon'
