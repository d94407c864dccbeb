import type { ReactNode } from 'react'
import { useSavedDraft } from './use-saved-draft.ts'

type WithKeptProps = {
  draftKey: string
  loading: ReactNode
  /** Renders the form with the draft as its initial value; undefined if there is none. */
  children: (kept: unknown) => ReactNode
}

/** Reads the draft each time the form mounts, so that a form reopened after a moment starts with the latest input. */
export const WithSavedDraft = ({ draftKey, loading, children }: WithKeptProps) => {
  const kept = useSavedDraft(draftKey)
  return kept ? children(kept.value) : loading
}
