import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import {
  type FieldErrors,
  fixFieldsMessage,
  isValid,
  joinFieldErrors,
  type Rules,
  validate,
} from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'
import { formDrafts } from './form-drafts.ts'
import { type EditConflict, mergeEdits, type VersionedValues } from './merge-edits.ts'
import { nestedErrors } from './nested-errors.ts'
import { fillForm, useFormDraft } from './use-form-draft.ts'

export type EditFormOptions<Model extends FieldValues> = {
  /** Name of the form, unique in the whole product. The draft is stored under it (`job 7 general`). */
  name: string
  saved: VersionedValues<Model>
  rules: Rules<Model>
  /** Saves, and returns the saved values. The problem `conflict` means that a newer version was saved elsewhere. */
  save: (edited: VersionedValues<Model>) => Promise<CallResult<VersionedValues<Model>>>
  /** Loads the saved values after a conflict. Without it, the values are not merged, and a message asks the user to try again. */
  readLatest?: () => Promise<CallResult<VersionedValues<Model>>>
  /** Called after each successful save. */
  onSaved?: (saved: VersionedValues<Model>) => void
}

/** A react-hook-form form that is validated by our rules. */
const useValidatedForm = <Model extends FieldValues>(values: Model, rules: Rules<Model>) =>
  useForm<Model>({
    defaultValues: values as DefaultValues<Model>, // a model has a default for every field
    resolver: (formValues) => {
      const fieldErrors = validate(formValues, rules)
      if (isValid(fieldErrors)) return { values: formValues, errors: {} }
      return { values: {}, errors: nestedErrors<Model>(fieldErrors) }
    },
  })

/** Shows the server's messages next to their fields. */
const showFieldErrors = <Model extends FieldValues>(form: UseFormReturn<Model>, fields: FieldErrors = {}): void => {
  for (const [path, messages] of Object.entries(fields)) {
    form.setError(path as Path<Model>, { message: joinFieldErrors(messages) ?? '' }) // a path without a field has no effect
  }
}

/**
 * A form that edits saved values. Unsaved input is stored as a draft (`formDrafts`) and survives an expired session. A newer version that
 * was saved elsewhere is merged when a draft is restored or a save conflicts: unedited fields are updated, and conflicts are listed.
 */
export const useEditForm = <Model extends FieldValues>(options: EditFormOptions<Model>) => {
  const { name, saved, rules } = options
  const [base, setBase] = useState(saved)
  const [errors, setErrors] = useState<readonly string[]>([])
  const [conflicts, setConflicts] = useState<readonly EditConflict[] | null>(null)
  const [justSaved, setJustSaved] = useState(false)
  const form = useValidatedForm(base.values, rules)
  const { isDirty, isSubmitting } = form.formState

  const resetTo = (record: VersionedValues<Model>) => {
    setBase(record)
    form.reset(record.values)
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
  // Shows a version that was saved elsewhere, unless the form has unsaved input.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version triggers it
  useEffect(() => {
    if (saved.version > latest.current.base.version && !latest.current.isDirty) resetTo(saved)
  }, [saved.version])

  const mergeLatest = async (editedValues: Model): Promise<void> => {
    const latestResult = await options.readLatest?.()
    if (!latestResult?.ok) {
      setErrors(
        latestResult?.errors ?? ['Someone changed this in the meantime. Check the latest version and try again'],
      )
      return
    }
    const merged = mergeEdits(base.values, editedValues, latestResult.data.values)
    setBase(latestResult.data)
    form.reset(latestResult.data.values)
    fillForm(form, merged.values)
    setConflicts(merged.conflicts)
  }

  const send = async (values: Model): Promise<void> => {
    setErrors([])
    const answer = await options.save({ values, version: base.version })
    if (answer.ok) {
      resetTo(answer.data)
      setJustSaved(true)
      options.onSaved?.(answer.data)
      return
    }
    if (answer.problem === 'conflict') return await mergeLatest(values)
    setErrors(answer.errors)
    showFieldErrors(form, answer.fields)
  }
  const submit = (event?: FormEvent) => void form.handleSubmit(send, () => setErrors([fixFieldsMessage]))(event)

  return {
    form,
    submit,
    busy: isSubmitting,
    errors,
    /** Fields that were changed here and elsewhere. Empty after a merge without conflicts; null if there was no merge. */
    conflicts,
    /** Whether the values were restored from a draft. */
    isRestored,
    isDirty,
    justSaved,
    /** Resets to the saved values. */
    undo: () => resetTo(base),
  } as const
}

export type EditFormState<Model extends FieldValues> = ReturnType<typeof useEditForm<Model>>
