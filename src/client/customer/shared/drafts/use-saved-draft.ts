import { type ReactNode, useEffect, useState } from 'react'
import { ignoring } from '#domain/shared/ignoring.ts'
import { readDraft } from '#local/store/device-entries.ts'
import { database } from '#platform/database.ts'
import { waitForDraft } from './use-draft.ts'

/** A draft as it was when the screen opened; null until it has been read. */
export const useSavedDraft = (key: string): { value: unknown } | null => {
  const [draft, setDraft] = useState<{ key: string; value: unknown } | null>(null)
  useEffect(() => {
    let isUnmounted = false
    const read = async () => {
      await waitForDraft(key)
      const value = await ignoring('the form starts empty', () => readDraft(database, key))
      if (!isUnmounted) setDraft({ key, value })
    }
    void read()
    return () => {
      isUnmounted = true
    }
  }, [key])
  return draft?.key === key ? draft : null
}

type WithSavedDraftProps = {
  draftKey: string
  loading: ReactNode
  /** Renders the form with the draft as its initial value; undefined if there is none. */
  children: (draft: unknown) => ReactNode
}

/** Reads the draft each time the form mounts, so that a form reopened after a moment starts with the latest input. */
export const WithSavedDraft = ({ draftKey, loading, children }: WithSavedDraftProps) => {
  const draft = useSavedDraft(draftKey)
  return draft ? children(draft.value) : loading
}
