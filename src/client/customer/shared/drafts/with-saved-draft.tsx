import type { ReactNode } from 'react'
import { useSavedDraft } from './use-saved-draft.ts'

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
