import { useEffect, useMemo, useState } from 'react'
import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { type Clash, mergeEdits } from '#client/staff/kit/form/merge-edits.ts'
import { askStaff } from '#client/staff/kit/query/authorized-request.ts'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getPackage, postPackage, putPackage, type StudioPackage } from '#contract/studio/package-sets.ts'
import type { StaffProduct } from '#contract/studio/products.ts'
import { draftProblems } from '#domain/catalogue/package-draft.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { beginHistory, change, endGroup, type History, redo, undo } from './edit-history.ts'
import { bodyOf, draftOfSaved, type EditorDraft } from './editor-draft.ts'

export type SetPlace = { studioId: number; packageSetId: number }

type EditorWays = {
  place: SetPlace
  /** The package that is edited; null for a new one. */
  saved: StudioPackage | null
  /** What a new one begins with. */
  start: EditorDraft
  products: readonly StaffProduct[]
  /** The standard packages of the set, but for this one. */
  standardIds: readonly number[]
  onSaved: (saved: StudioPackage) => void
}

/** What was typed, and over what. */
type Kept = { base: EditorDraft; version: number; now: EditorDraft }

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'base' in value && 'now' in value

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type Begun = {
  base: EditorDraft
  version: number
  history: History<EditorDraft>
  clashes: Clash[] | null
  wasKept: boolean
}

const begin = (name: string, { saved, start }: Pick<EditorWays, 'saved' | 'start'>): Begun => {
  const base = saved ? draftOfSaved(saved) : start
  const version = saved?.version ?? 0
  const kept = formDrafts.read(name)
  if (!isKept(kept)) return { base, version, history: beginHistory(base), clashes: null, wasKept: false }
  const merged = mergeEdits(kept.base, kept.now, base)
  const history = change(beginHistory(base), merged.values)
  return { base, version, history, clashes: version > kept.version ? merged.clashes : null, wasKept: true }
}

/**
 * A package while it is edited: every step can be taken back, what is not saved is kept for this tab, and what somebody else saved
 * meanwhile is laid below it and named.
 */
export const usePackageEditor = (ways: EditorWays) => {
  const { place, saved, products, standardIds } = ways
  const name = `package ${place.packageSetId} ${saved?.id ?? 'new'}`
  const [state, setState] = useState(() => begin(name, ways))
  const [asked, setAsked] = useState(false)
  const [rejections, setRejections] = useState(0)
  const [told, setTold] = useState<{
    errors: readonly string[]
    fields: Record<string, string[]>
    of: EditorDraft | null
  }>({
    errors: [],
    fields: {},
    of: null,
  })
  const [justSaved, setJustSaved] = useState(false)
  const post = useChange(postPackage)
  const replace = useChange(putPackage)
  const { base, version, history } = state
  const draft = history.now
  const isDirty = !same(base, draft)

  useEffect(() => {
    if (isDirty) formDrafts.keep(name, { base, version, now: draft } satisfies Kept)
    else formDrafts.drop(name)
  }, [name, base, version, draft, isDirty])

  // Somebody else saved it: shown at once where nothing was changed here.
  const newer = saved && saved.version > version && !isDirty ? saved : null
  if (newer) setState(begin(name, { saved: newer, start: ways.start }))

  const problems = useMemo(() => draftProblems(draft, { products, standardIds }), [draft, products, standardIds])
  const step = (next: (history: History<EditorDraft>) => History<EditorDraft>) =>
    setState((before) => ({ ...before, history: next(before.history) }))

  const accept = (answer: StudioPackage) => {
    formDrafts.drop(name)
    const now = draftOfSaved(answer)
    setState({ base: now, version: answer.version, history: beginHistory(now), clashes: null, wasKept: false })
    setAsked(false)
    setTold({ errors: [], fields: {}, of: null })
    setJustSaved(true)
    ways.onSaved(answer)
  }

  const meet = async (id: number): Promise<void> => {
    const newest = await askStaff(getPackage, { params: { ...place, id } })
    if (!newest.ok) return setTold({ errors: newest.errors, fields: {}, of: draft })
    const theirs = draftOfSaved(newest.data)
    const merged = mergeEdits(base, draft, theirs)
    setState({
      base: theirs,
      version: newest.data.version,
      history: change(beginHistory(theirs), merged.values),
      clashes: merged.clashes,
      wasKept: false,
    })
  }

  const send = () => {
    const body = bodyOf(draft)
    if (!saved) return post.make({ params: place, body }, 'nobody')
    return replace.make({ params: { ...place, id: saved.id }, body: { ...body, version } }, 'nobody')
  }

  const save = async (): Promise<void> => {
    setAsked(true)
    setJustSaved(false)
    if (!isValid(problems)) {
      setRejections((before) => before + 1)
      return setTold({ errors: [fixFieldsMessage], fields: {}, of: draft })
    }
    const answer = await send()
    if (answer.ok) return accept(answer.data)
    if (answer.problem === 'conflict' && saved) return await meet(saved.id)
    setTold({ errors: answer.errors, fields: answer.fields ?? {}, of: draft })
  }

  return {
    draft,
    isDirty,
    /** How often saving was refused because fields are missing or wrong. */
    rejections,
    justSaved: justSaved && !isDirty,
    wasKept: state.wasKept && isDirty,
    clashes: state.clashes,
    busy: post.busy || replace.busy,
    /** The form's own sentences, until something is changed. */
    errors: told.of === draft ? told.errors : [],
    /** What is wrong by the path of its field, once somebody wanted to save. */
    fields: asked ? { ...problems, ...(told.of === draft && told.fields) } : {},
    /** A step, or a part of one that goes on (`group`). */
    edit: (next: (draft: EditorDraft) => EditorDraft, group?: string) => {
      setJustSaved(false)
      step((before) => change(before, next(before.now), group))
    },
    endStep: () => step(endGroup),
    undo: () => step(undo),
    redo: () => step(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    save,
    /** Goes back to what is saved. */
    reset: () => {
      setState({ base, version, history: change(history, base), clashes: null, wasKept: false })
      setAsked(false)
    },
  } as const
}

export type PackageEditor = ReturnType<typeof usePackageEditor>
