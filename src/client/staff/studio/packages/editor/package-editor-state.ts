import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { type EditConflict, mergeEdits } from '#client/staff/kit/form/merge-edits.ts'
import type { StudioPackage } from '#contract/studio/package-sets.ts'
import { type EditHistory, recordChange, startHistory } from './edit-history.ts'
import { draftFromPackage, type EditorDraft } from './editor-draft.ts'

/** The stored form of a draft: the edited values (`now`), and the saved values and version they are based on. */
export type StoredDraft = { base: EditorDraft; version: number; now: EditorDraft }

const isStoredDraft = (value: unknown): value is StoredDraft =>
  typeof value === 'object' && value !== null && 'base' in value && 'now' in value

export type EditorState = {
  base: EditorDraft
  version: number
  history: EditHistory<EditorDraft>
  conflicts: EditConflict[] | null
  isRestored: boolean
}

/** State without edits. */
const unchangedState = (base: EditorDraft, version: number): EditorState => ({
  ...{ base, version, history: startHistory(base), conflicts: null, isRestored: false },
})

/** State of a saved package without edits. */
export const savedState = (savedPackage: StudioPackage): EditorState =>
  unchangedState(draftFromPackage(savedPackage), savedPackage.version)

/** State when the editor opens: the saved package, or `initialDraft` for a new one, with the edits of the stored draft. */
export const startEditing = (
  name: string,
  { saved, initialDraft }: { saved: StudioPackage | null; initialDraft: EditorDraft },
): EditorState => {
  const state = saved ? savedState(saved) : unchangedState(initialDraft, 0)
  const storedDraft = formDrafts.read(name)
  if (!isStoredDraft(storedDraft)) return state
  const { values, conflicts } = mergeEdits(storedDraft.base, storedDraft.now, state.base)
  return {
    ...state,
    history: recordChange(state.history, values),
    conflicts: state.version > storedDraft.version ? conflicts : null,
    isRestored: true,
  }
}

/** State after another user saved a newer version: the edits are merged into it. */
export const mergeLatest = ({ base, history }: EditorState, latest: StudioPackage): EditorState => {
  const state = savedState(latest)
  const { values, conflicts } = mergeEdits(base, history.now, state.base)
  return { ...state, history: recordChange(state.history, values), conflicts }
}
