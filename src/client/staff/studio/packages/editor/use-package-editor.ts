import { useEffect, useMemo, useState } from 'react'
import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getPackage, postPackage, putPackage, type StudioPackage } from '#contract/studio/package-sets.ts'
import type { StaffProduct } from '#contract/studio/products.ts'
import { packageDraftErrors } from '#domain/catalogue/package-draft.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { type EditHistory, endGroup, recordChange, redo, undo } from './edit-history.ts'
import { type EditorDraft, packageBody } from './editor-draft.ts'
import { mergeLatest, type StoredDraft, savedState, startEditing } from './package-editor-state.ts'

export type PackageSetParams = { studioId: number; packageSetId: number }

type PackageEditorOptions = {
  params: PackageSetParams
  /** The saved package; null for a new one. */
  saved: StudioPackage | null
  /** Initial values of a new package. */
  initialDraft: EditorDraft
  products: readonly StaffProduct[]
  /** Ids of the other standard packages of the set. */
  standardIds: readonly number[]
  onSaved: (saved: StudioPackage) => void
}

/** Errors of the last save. They apply only to the draft that was rejected. */
type Rejection = { errors: readonly string[]; fieldErrors: Record<string, string[]>; draft: EditorDraft | null }

const noRejection: Rejection = { errors: [], fieldErrors: {}, draft: null }

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/**
 * The draft with its undo history, stored in this tab while it differs from the saved package. A newer version that another user saved
 * replaces a draft without changes.
 */
const useEditorState = (
  name: string,
  { saved, initialDraft }: Pick<PackageEditorOptions, 'saved' | 'initialDraft'>,
) => {
  const [state, setState] = useState(() => startEditing(name, { saved, initialDraft }))
  const { base, version, history } = state
  const draft = history.now
  const isDirty = !isSame(base, draft)
  useEffect(() => {
    if (isDirty) formDrafts.store(name, { base, version, now: draft } satisfies StoredDraft)
    else formDrafts.drop(name)
  }, [name, base, version, draft, isDirty])
  const newerVersion = saved && saved.version > version && !isDirty ? saved : null
  if (newerVersion) setState(startEditing(name, { saved: newerVersion, initialDraft }))
  const updateHistory = (update: (history: EditHistory<EditorDraft>) => EditHistory<EditorDraft>) =>
    setState((before) => ({ ...before, history: update(before.history) }))
  return { state, setState, draft, isDirty, updateHistory }
}

/** Sends a draft as the next version of the saved package, or as a new package. */
const useSendPackage = (params: PackageSetParams, saved: StudioPackage | null) => {
  const post = useStaffMutation(postPackage)
  const replace = useStaffMutation(putPackage)
  const send = (draft: EditorDraft, version: number) => {
    const body = packageBody(draft)
    if (!saved) return post.mutate({ params, body }, { onError: 'silent' })
    return replace.mutate({ params: { ...params, id: saved.id }, body: { ...body, version } }, { onError: 'silent' })
  }
  return { send, busy: post.busy || replace.busy }
}

/**
 * State of the package editor: undo and redo, and a draft that is stored in this tab until it is saved. If another user saved a newer
 * version, it is merged and conflicts are listed.
 */
export const usePackageEditor = (options: PackageEditorOptions) => {
  const { params, saved, products, standardIds } = options
  const name = `package ${params.packageSetId} ${saved?.id ?? 'new'}`
  const { state, setState, draft, isDirty, updateHistory } = useEditorState(name, options)
  const { base, version, history, conflicts } = state
  const { send, busy } = useSendPackage(params, saved)
  const [wasSaveAttempted, setSaveAttempted] = useState(false)
  const [invalidSaveCount, setInvalidSaveCount] = useState(0)
  const [rejection, setRejection] = useState<Rejection>(noRejection)
  const [justSaved, setJustSaved] = useState(false)
  const draftErrors = useMemo(
    () => packageDraftErrors(draft, { products, standardIds }),
    [draft, products, standardIds],
  )

  const handleSaved = (savedPackage: StudioPackage) => {
    formDrafts.drop(name)
    setState(savedState(savedPackage))
    setSaveAttempted(false)
    setRejection(noRejection)
    setJustSaved(true)
    options.onSaved(savedPackage)
  }

  const mergeLatestVersion = async (id: number): Promise<void> => {
    const latest = await authorizedRequest(getPackage, { params: { ...params, id } })
    if (!latest.ok) return setRejection({ errors: latest.errors, fieldErrors: {}, draft })
    setState(mergeLatest(state, latest.data))
  }

  const save = async (): Promise<void> => {
    setSaveAttempted(true)
    setJustSaved(false)
    if (!isValid(draftErrors)) {
      setInvalidSaveCount((before) => before + 1)
      return setRejection({ errors: [fixFieldsMessage], fieldErrors: {}, draft })
    }
    const answer = await send(draft, version)
    if (answer.ok) return handleSaved(answer.data)
    if (answer.problem === 'conflict' && saved) return await mergeLatestVersion(saved.id)
    setRejection({ errors: answer.errors, fieldErrors: answer.fields ?? {}, draft })
  }

  return {
    draft,
    isDirty,
    /** Number of saves that were not sent because fields are missing or invalid. */
    invalidSaveCount,
    justSaved: justSaved && !isDirty,
    /** Whether the draft was restored and still has unsaved changes. */
    isRestored: state.isRestored && isDirty,
    conflicts,
    busy,
    /** Errors of the last save, until the draft changes. */
    errors: rejection.draft === draft ? rejection.errors : [],
    /** Errors by field path; empty before the first attempt to save. */
    fieldErrors: wasSaveAttempted ? { ...draftErrors, ...(rejection.draft === draft && rejection.fieldErrors) } : {},
    /** Records an undo step, or extends the last step if it has the same `group`. */
    edit: (change: (draft: EditorDraft) => EditorDraft, group?: string) => {
      setJustSaved(false)
      updateHistory((before) => recordChange(before, change(before.now), group))
    },
    endStep: () => updateHistory(endGroup),
    undo: () => updateHistory(undo),
    redo: () => updateHistory(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    save,
    /** Resets to the saved package. */
    reset: () => {
      setState({ base, version, history: recordChange(history, base), conflicts: null, isRestored: false })
      setSaveAttempted(false)
    },
  } as const
}

export type PackageEditor = ReturnType<typeof usePackageEditor>
