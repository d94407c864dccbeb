import { type Rules, type Validator, valueAt } from './validators.ts'

/** Returns the error of a field of an item, given the item and the whole list. */
type ItemCheck<Item> = (item: Item, items: readonly Item[]) => string | null

/**
 * Validation rules for the items of a list in a model, at every position up to `maxItems`. The errors have the paths of the fields, for
 * example `steps.0.name`.
 */
export const itemRules = <Model, Item>(
  list: { readonly name: string; readonly maxItems: number; readonly read: (model: Model) => readonly Item[] },
  checks: Readonly<Record<string, ItemCheck<Item>>>,
): Rules<Model> =>
  Object.fromEntries(
    Array.from({ length: list.maxItems }, (_, index) => index).flatMap((index) =>
      Object.entries(checks).map(([field, check]) => [
        `${list.name}.${index}.${field}`,
        (_: unknown, model: Model) => {
          const items = list.read(model)
          const item = items[index]
          return item === undefined ? null : check(item, items)
        },
      ]),
    ),
  )

/**
 * The rules of a draft, for a form whose values are text: each rule gets the draft that the values are parsed to. Paths are the same.
 */
export const parsedRules = <Model, Draft>(rules: Rules<Draft>, toDraft: (model: Model) => Draft): Rules<Model> =>
  Object.fromEntries(
    Object.entries(rules).map(([path, validators]) => [
      path,
      [validators].flat().map(
        (check: Validator<Draft>): Validator<Model> =>
          (_, model) => {
            const draft = toDraft(model)
            return check(valueAt(draft, path), draft)
          },
      ),
    ]),
  )
