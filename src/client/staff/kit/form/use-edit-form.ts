import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type FieldErrors as FormErrors,
  type Path,
  useForm,
} from 'react-hook-form'
import { fixFieldsMessage, isValid, joinFieldErrors, type Rules, validate } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'
import { formDrafts } from './form-drafts.ts'
import { type EditConflict, mergeEdits, type VersionedValues } from './merge-edits.ts'

export type EditFormOptions<Model extends FieldValues> = {
  /** Names the form over the whole product: what is typed is kept under it (`job 7 general`). */
  name: string
  saved: VersionedValues<Model>
  rules: Rules<Model>
  /** Saves, and answers with what is saved now. A conflict is one by its problem's name. */
  save: (edited: VersionedValues<Model>) => Promise<CallResult<VersionedValues<Model>>>
  /** Reads what is saved by now, after a conflict. Without it a conflict is a sentence like any other. */
  readLatest?: () => Promise<CallResult<VersionedValues<Model>>>
  /** Once it is saved. */
  onSaved?: (saved: VersionedValues<Model>) => void
}

/** What was typed, and over what. */
type Draft<Model> = { base: VersionedValues<Model>; values: Model }

const isDraft = <Model>(value: unknown): value is Draft<Model> =>
  typeof value === 'object' && value !== null && 'values' in value && 'base' in value

// The form library reads errors by their path: `address.city` is looked up in `address`.
const nested = <Model extends FieldValues>(errors: Readonly<Record<string, readonly string[]>>): FormErrors<Model> => {
  const root: Record<string, unknown> = {}
  for (const [path, messages] of Object.entries(errors)) {
    const keys = path.split('.')
    const last = keys.pop() ?? path
    let place = root
    for (const key of keys) {
      place[key] ??= {}
      place = place[key] as Record<string, unknown> // made in the line above
    }
    place[last] = { type: 'rule', message: joinFieldErrors(messages) ?? '' }
  }
  return root as FormErrors<Model>
}

/**
 * A form over something that is saved. What is typed is kept until it is (`formDrafts`), whatever becomes of network and session. Where
 * somebody else saved first, theirs come into the fields nobody touched here, and what both changed is named before it is saved again.
 */
export const useEditForm = <Model extends FieldValues>(ways: EditFormOptions<Model>) => {
  const { name, saved, rules } = ways
  const [base, setBase] = useState(saved)
  const [errors, setErrors] = useState<readonly string[]>([])
  const [clashes, setClashes] = useState<readonly EditConflict[] | null>(null)
  const [isKept, setKept] = useState(false)
  const [justSaved, setJustSaved] = useState(false)
  const form = useForm<Model>({
    defaultValues: base.values as DefaultValues<Model>, // a whole model is one with every default given
    resolver: (values) => {
      const wrong = validate(values, rules)
      return isValid(wrong) ? { values, errors: {} } : { values: {}, errors: nested<Model>(wrong) }
    },
  })
  const { isDirty, isSubmitting } = form.formState

  const fill = (values: Model) => {
    for (const [field, value] of Object.entries(values)) {
      form.setValue(field as Path<Model>, value, { shouldDirty: true }) // the model's own first names are paths of it
    }
  }
  const begin = (next: VersionedValues<Model>) => {
    setBase(next)
    form.reset(next.values)
    setErrors([])
    setClashes(null)
    setKept(false)
    formDrafts.drop(name)
  }

  // What was typed before this screen was left, or the session ended.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the form begins
  useEffect(() => {
    const draft = formDrafts.read(name)
    if (!isDraft<Model>(draft)) return
    const merged = mergeEdits(draft.base.values, draft.values, saved.values)
    fill(merged.values)
    setKept(true)
    if (saved.version > draft.base.version) setClashes(merged.clashes)
  }, [name])

  const latest = useRef({ base, isDirty })
  latest.current = { base, isDirty }
  // What is saved was saved elsewhere meanwhile: shown at once where nothing was typed here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is what there is to follow
  useEffect(() => {
    if (saved.version > latest.current.base.version && !latest.current.isDirty) begin(saved)
  }, [saved.version])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form stays the same for as long as its name does
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values, isDirty: dirty }) => {
          if (!dirty) return formDrafts.drop(name)
          setJustSaved(false)
          formDrafts.keep(name, { base: latest.current.base, values })
        },
      }),
    [name],
  )

  const meet = async (mine: Model): Promise<void> => {
    const newest = await ways.readLatest?.()
    if (!newest?.ok) {
      setErrors(newest?.errors ?? ['Somebody changed this in the meantime. Look at the newest and try again'])
      return
    }
    const merged = mergeEdits(base.values, mine, newest.data.values)
    setBase(newest.data)
    form.reset(newest.data.values)
    fill(merged.values)
    setClashes(merged.clashes)
  }

  const send = async (values: Model): Promise<void> => {
    setErrors([])
    const answer = await ways.save({ values, version: base.version })
    if (answer.ok) {
      begin(answer.data)
      setJustSaved(true)
      ways.onSaved?.(answer.data)
      return
    }
    if (answer.problem === 'conflict') return await meet(values)
    setErrors(answer.errors)
    for (const [path, messages] of Object.entries(answer.fields ?? {})) {
      form.setError(path as Path<Model>, { message: joinFieldErrors(messages) ?? '' }) // a path it lacks is told with the form's own
    }
  }
  const submit = (event?: FormEvent) => void form.handleSubmit(send, () => setErrors([fixFieldsMessage]))(event)

  return {
    form,
    submit,
    busy: isSubmitting,
    errors,
    /** What both changed; empty where nothing clashes; null where nobody was faster. */
    clashes,
    /** The fields hold what was typed before. */
    isKept,
    isDirty,
    justSaved,
    /** Goes back to what is saved. */
    undo: () => begin(base),
  } as const
}

export type EditFormState<Model extends FieldValues> = ReturnType<typeof useEditForm<Model>>
