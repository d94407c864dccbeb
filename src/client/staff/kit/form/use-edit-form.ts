import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { fixFieldsMessage, isValid, joinFieldErrors, type Rules, validate } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'
import { formDrafts } from './form-drafts.ts'
import { type EditConflict, mergeEdits, type VersionedValues } from './merge-edits.ts'
import { nestedErrors } from './nested-errors.ts'
import { fillForm, useFormDraft } from './use-form-draft.ts'

export type EditFormOptions<Model extends FieldValues> = {
  /** Unique name of the form in the whole product. Drafts are stored under it (`job 7 general`). */
  name: string
  saved: VersionedValues<Model>
  rules: Rules<Model>
  /** Saves and returns the saved values. The name of the problem marks a conflict. */
  save: (edited: VersionedValues<Model>) => Promise<CallResult<VersionedValues<Model>>>
  /** Loads the saved values after a conflict. Without it a conflict is shown as any other error. */
  readLatest?: () => Promise<CallResult<VersionedValues<Model>>>
  /** Called after each successful save. */
  onSaved?: (saved: VersionedValues<Model>) => void
}

/**
 * A form over saved values. Unsaved input is stored as a draft (`formDrafts`) and survives an expired session. If a newer version was
 * saved elsewhere, it is merged: untouched fields are updated, and conflicts are listed before the next save.
 */
export const useEditForm = <Model extends FieldValues>(options: EditFormOptions<Model>) => {
  const { name, saved, rules } = options
  const [base, setBase] = useState(saved)
  const [errors, setErrors] = useState<readonly string[]>([])
  const [conflicts, setConflicts] = useState<readonly EditConflict[] | null>(null)
  const [justSaved, setJustSaved] = useState(false)
  const form = useForm<Model>({
    defaultValues: base.values as DefaultValues<Model>, // a model has a default for every field
    resolver: (values) => {
      const wrong = validate(values, rules)
      return isValid(wrong) ? { values, errors: {} } : { values: {}, errors: nestedErrors<Model>(wrong) }
    },
  })
  const { isDirty, isSubmitting } = form.formState

  const begin = (next: VersionedValues<Model>) => {
    setBase(next)
    form.reset(next.values)
    setErrors([])
    setConflicts(null)
    setRestored(false)
    formDrafts.drop(name)
  }

  const { isRestored, setRestored } = useFormDraft({
    ...{ name, form, base, saved },
    onRestore: setConflicts,
    onEdit: () => setJustSaved(false),
  })

  const latest = useRef({ base, isDirty })
  latest.current = { base, isDirty }
  // Saved elsewhere: shown at once if nothing was typed here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version triggers it
  useEffect(() => {
    if (saved.version > latest.current.base.version && !latest.current.isDirty) begin(saved)
  }, [saved.version])

  const mergeNewest = async (mine: Model): Promise<void> => {
    const newest = await options.readLatest?.()
    if (!newest?.ok) {
      setErrors(newest?.errors ?? ['Somebody changed this in the meantime. Look at the newest and try again'])
      return
    }
    const merged = mergeEdits(base.values, mine, newest.data.values)
    setBase(newest.data)
    form.reset(newest.data.values)
    fillForm(form, merged.values)
    setConflicts(merged.conflicts)
  }

  const send = async (values: Model): Promise<void> => {
    setErrors([])
    const answer = await options.save({ values, version: base.version })
    if (answer.ok) {
      begin(answer.data)
      setJustSaved(true)
      options.onSaved?.(answer.data)
      return
    }
    if (answer.problem === 'conflict') return await mergeNewest(values)
    setErrors(answer.errors)
    for (const [path, messages] of Object.entries(answer.fields ?? {})) {
      form.setError(path as Path<Model>, { message: joinFieldErrors(messages) ?? '' }) // a path the form lacks is shown with the form's own errors
    }
  }
  const submit = (event?: FormEvent) => void form.handleSubmit(send, () => setErrors([fixFieldsMessage]))(event)

  return {
    form,
    submit,
    busy: isSubmitting,
    errors,
    /** Fields that both sides changed. Empty after a merge without conflicts; null if no newer version exists. */
    conflicts,
    /** Whether the values were restored from a draft. */
    isRestored,
    isDirty,
    justSaved,
    /** Resets to the saved values. */
    undo: () => begin(base),
  } as const
}

export type EditFormState<Model extends FieldValues> = ReturnType<typeof useEditForm<Model>>
