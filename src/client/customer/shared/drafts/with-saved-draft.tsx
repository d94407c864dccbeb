import type { ReactNode } from 'react'
import { useSavedDraft } from './use-saved-draft.ts'

type WithKeptProps = {
  draftKey: string
  loading: ReactNode
  /** Draws the form that begins with the draft; undefined where there is none. */
  children: (kept: unknown) => ReactNode
}

/** A form with its draft, read anew each time the form is: one that was away for a moment begins with what was typed last. */
export const WithSavedDraft = ({ draftKey, loading, children }: WithKeptProps) => {
  const kept = useSavedDraft(draftKey)
  return kept ? children(kept.value) : loading
}
