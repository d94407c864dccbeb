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
import { mergeNewest, type StoredDraft, savedState, startEditing } from './package-editor-state.ts'

export type PackageSetParams = { studioId: number; packageSetId: number }

type PackageEditorOptions = {
  params: PackageSetParams
  /** The saved package; null for a new one. */
  saved: StudioPackage | null
  /** Initial values of a new package. */
  start: EditorDraft
  products: readonly StaffProduct[]
  /** Ids of the other standard packages of the set. */
  standardIds: readonly number[]
  onSaved: (saved: StudioPackage) => void
}

/** Why the last save failed; it applies until the draft changes. */
type Rejection = { errors: readonly string[]; fields: Record<string, string[]>; of: EditorDraft | null }

const noRejection: Rejection = { errors: [], fields: {}, of: null }

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * State of the package editor: undo and redo, and a draft that is stored in this tab until it is saved. If another user saved a newer
 * version, it is merged and conflicts are listed.
 */
export const usePackageEditor = (options: PackageEditorOptions) => {
  const { params, saved, products, standardIds } = options
  const name = `package ${params.packageSetId} ${saved?.id ?? 'new'}`
  const [state, setState] = useState(() => startEditing(name, options))
  const [wasSaveTried, setSaveTried] = useState(false)
  const [rejections, setRejections] = useState(0)
  const [rejection, setRejection] = useState<Rejection>(noRejection)
  const [justSaved, setJustSaved] = useState(false)
  const post = useStaffMutation(postPackage)
  const replace = useStaffMutation(putPackage)
  const { base, version, history } = state
  const draft = history.now
  const isDirty = !same(base, draft)

  useEffect(() => {
    if (isDirty) formDrafts.keep(name, { base, version, now: draft } satisfies StoredDraft)
    else formDrafts.drop(name)
  }, [name, base, version, draft, isDirty])

  // Saved by another user: shown at once if nothing was changed here.
  const newer = saved && saved.version > version && !isDirty ? saved : null
  if (newer) setState(startEditing(name, { saved: newer, start: options.start }))

  const problems = useMemo(() => packageDraftErrors(draft, { products, standardIds }), [draft, products, standardIds])
  const step = (next: (history: EditHistory<EditorDraft>) => EditHistory<EditorDraft>) =>
    setState((before) => ({ ...before, history: next(before.history) }))

  const accept = (answer: StudioPackage) => {
    formDrafts.drop(name)
    setState(savedState(answer))
    setSaveTried(false)
    setRejection(noRejection)
    setJustSaved(true)
    options.onSaved(answer)
  }

  const readNewest = async (id: number): Promise<void> => {
    const newest = await authorizedRequest(getPackage, { params: { ...params, id } })
    if (!newest.ok) return setRejection({ errors: newest.errors, fields: {}, of: draft })
    setState(mergeNewest(state, newest.data))
  }

  const send = () => {
    const body = packageBody(draft)
    if (!saved) return post.mutate({ params, body }, { onError: 'silent' })
    return replace.mutate({ params: { ...params, id: saved.id }, body: { ...body, version } }, { onError: 'silent' })
  }

  const save = async (): Promise<void> => {
    setSaveTried(true)
    setJustSaved(false)
    if (!isValid(problems)) {
      setRejections((before) => before + 1)
      return setRejection({ errors: [fixFieldsMessage], fields: {}, of: draft })
    }
    const answer = await send()
    if (answer.ok) return accept(answer.data)
    if (answer.problem === 'conflict' && saved) return await readNewest(saved.id)
    setRejection({ errors: answer.errors, fields: answer.fields ?? {}, of: draft })
  }

  return {
    draft,
    isDirty,
    /** Number of saves that were rejected for missing or invalid fields. */
    rejections,
    justSaved: justSaved && !isDirty,
    wasKept: state.wasKept && isDirty,
    conflicts: state.conflicts,
    busy: post.busy || replace.busy,
    /** Errors of the last save, until the draft changes. */
    errors: rejection.of === draft ? rejection.errors : [],
    /** Errors by field path, from the first attempt to save. */
    fields: wasSaveTried ? { ...problems, ...(rejection.of === draft && rejection.fields) } : {},
    /** Records a step, or extends the step of the same `group`. */
    edit: (next: (draft: EditorDraft) => EditorDraft, group?: string) => {
      setJustSaved(false)
      step((before) => recordChange(before, next(before.now), group))
    },
    endStep: () => step(endGroup),
    undo: () => step(undo),
    redo: () => step(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    save,
    /** Resets to the saved package. */
    reset: () => {
      setState({ base, version, history: recordChange(history, base), conflicts: null, wasKept: false })
      setSaveTried(false)
    },
  } as const
}

export type PackageEditor = ReturnType<typeof usePackageEditor>
