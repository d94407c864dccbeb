import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { type EditConflict, mergeEdits } from '#client/staff/kit/form/merge-edits.ts'
import type { StudioPackage } from '#contract/studio/package-sets.ts'
import { type EditHistory, recordChange, startHistory } from './edit-history.ts'
import { draftFromPackage, type EditorDraft } from './editor-draft.ts'

/** The draft and the saved version it is based on. */
export type StoredDraft = { base: EditorDraft; version: number; now: EditorDraft }

const isStoredDraft = (value: unknown): value is StoredDraft =>
  typeof value === 'object' && value !== null && 'base' in value && 'now' in value

export type EditorState = {
  base: EditorDraft
  version: number
  history: EditHistory<EditorDraft>
  conflicts: EditConflict[] | null
  wasKept: boolean
}

/** State without edits. */
const unchangedState = (base: EditorDraft, version: number): EditorState => ({
  ...{ base, version, history: startHistory(base), conflicts: null, wasKept: false },
})

/** State after a successful save. */
export const savedState = (saved: StudioPackage): EditorState => unchangedState(draftFromPackage(saved), saved.version)

/** State when the editor opens: the saved package, or `start` for a new one, with the edits of the stored draft. */
export const startEditing = (
  name: string,
  { saved, start }: { saved: StudioPackage | null; start: EditorDraft },
): EditorState => {
  const state = saved ? savedState(saved) : unchangedState(start, 0)
  const stored = formDrafts.read(name)
  if (!isStoredDraft(stored)) return state
  const { values, conflicts } = mergeEdits(stored.base, stored.now, state.base)
  return {
    ...state,
    history: recordChange(state.history, values),
    conflicts: state.version > stored.version ? conflicts : null,
    wasKept: true,
  }
}

/** State after another user saved a newer version: the edits are merged into it. */
export const mergeNewest = ({ base, history }: EditorState, newest: StudioPackage): EditorState => {
  const state = savedState(newest)
  const { values, conflicts } = mergeEdits(base, history.now, state.base)
  return { ...state, history: recordChange(state.history, values), conflicts }
}
