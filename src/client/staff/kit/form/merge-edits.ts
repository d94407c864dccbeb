/** A thing as it was saved: its fields as a form has them, and the version that says which saving that was. */
export type VersionedValues<Model> = { values: Model; version: number }

/** A field that both changed: what somebody else made of it, beside what stands in the form. */
export type EditConflict = { field: string; theirs: unknown; mine: unknown }

export type MergedEdits<Model> = { values: Model; clashes: EditConflict[] }

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * What a form holds after somebody else saved first: what was typed here stays, what was not touched here becomes theirs. What both
 * changed is mine still, and named, so that whoever saves over it knows what they save over.
 */
export const mergeEdits = <Model extends object>(before: Model, mine: Model, theirs: Model): MergedEdits<Model> => {
  const values: Model = { ...mine }
  const clashes: EditConflict[] = []
  for (const field of Object.keys(theirs) as (keyof Model & string)[]) {
    const touched = !same(before[field], mine[field])
    if (!touched) values[field] = theirs[field]
    else if (!same(before[field], theirs[field]) && !same(mine[field], theirs[field]))
      clashes.push({ field, theirs: theirs[field], mine: mine[field] })
  }
  return { values, clashes }
}
