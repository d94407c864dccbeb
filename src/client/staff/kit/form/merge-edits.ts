/** Saved form values and the version they were saved as. */
export type VersionedValues<Model> = { values: Model; version: number }

/** A field that both sides changed: the saved value and the one in the form. */
export type EditConflict = { field: string; theirs: unknown; mine: unknown }

export type MergedEdits<Model> = { values: Model; conflicts: EditConflict[] }

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Three-way merge after a newer version was saved elsewhere. Fields changed here keep their value, untouched fields take the saved one.
 * Fields changed on both sides keep mine and are listed as conflicts, so that the user knows what they overwrite.
 */
export const mergeEdits = <Model extends object>(before: Model, mine: Model, theirs: Model): MergedEdits<Model> => {
  const values: Model = { ...mine }
  const conflicts: EditConflict[] = []
  for (const field of Object.keys(theirs) as (keyof Model & string)[]) {
    const touched = !same(before[field], mine[field])
    if (!touched) values[field] = theirs[field]
    else if (!same(before[field], theirs[field]) && !same(mine[field], theirs[field]))
      conflicts.push({ field, theirs: theirs[field], mine: mine[field] })
  }
  return { values, conflicts }
}
