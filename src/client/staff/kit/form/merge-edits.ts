/** Saved form values and the version they were saved as. */
export type VersionedValues<Model> = { values: Model; version: number }

/** A field that was changed both in the saved record and in the form. */
export type EditConflict = { field: string; savedValue: unknown; editedValue: unknown }

export type MergedEdits<Model> = { values: Model; conflicts: EditConflict[] }

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/**
 * Three-way merge after a newer version was saved elsewhere. Fields edited here keep their value; the other fields get the saved value.
 * Fields changed on both sides keep the edited value and are listed as conflicts, so that the user knows what a save overwrites.
 */
export const mergeEdits = <Model extends object>(base: Model, edited: Model, saved: Model): MergedEdits<Model> => {
  const values: Model = { ...edited }
  const conflicts: EditConflict[] = []
  for (const field of Object.keys(saved) as (keyof Model & string)[]) {
    const isEdited = !isSame(base[field], edited[field])
    if (!isEdited) values[field] = saved[field]
    else if (!isSame(base[field], saved[field]) && !isSame(edited[field], saved[field]))
      conflicts.push({ field, savedValue: saved[field], editedValue: edited[field] })
  }
  return { values, conflicts }
}
