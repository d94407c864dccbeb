import { useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { formDrafts } from './form-drafts.ts'
import { type EditConflict, mergeEdits, type VersionedValues } from './merge-edits.ts'

/** Unsaved form values and the saved version they are based on. */
type Draft<Model> = { base: VersionedValues<Model>; values: Model }

const isDraft = <Model>(value: unknown): value is Draft<Model> =>
  typeof value === 'object' && value !== null && 'values' in value && 'base' in value

/** Sets the values of all fields, and marks changed ones as edited. */
export const fillForm = <Model extends FieldValues>(form: UseFormReturn<Model>, values: Model): void => {
  for (const [field, value] of Object.entries(values)) {
    form.setValue(field as Path<Model>, value, { shouldDirty: true }) // the keys of the model are paths of it
  }
}

type FormDraftOptions<Model extends FieldValues> = {
  name: string
  form: UseFormReturn<Model>
  /** The saved values that the form was last reset to. */
  base: VersionedValues<Model>
  saved: VersionedValues<Model>
  /** Called if the restored draft is based on an older version than the saved one. */
  onRestore: (conflicts: readonly EditConflict[]) => void
  onEdit: () => void
}

/** Stores unsaved values as a draft, and restores them when the form mounts. */
export const useFormDraft = <Model extends FieldValues>(options: FormDraftOptions<Model>) => {
  const { name, form, base, saved, onRestore, onEdit } = options
  const [isRestored, setRestored] = useState(false)

  // Restores unsaved input after the user left the screen or the session expired.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form mounts
  useEffect(() => {
    const draft = formDrafts.read(name)
    if (!isDraft<Model>(draft)) return
    const merged = mergeEdits(draft.base.values, draft.values, saved.values)
    fillForm(form, merged.values)
    setRestored(true)
    if (saved.version > draft.base.version) onRestore(merged.conflicts)
  }, [name])

  const latestBase = useRef(base)
  latestBase.current = base
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is stable as long as its name is
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values, isDirty }) => {
          if (!isDirty) return formDrafts.drop(name)
          onEdit()
          formDrafts.store(name, { base: latestBase.current, values })
        },
      }),
    [name],
  )
  return { isRestored, setRestored }
}
