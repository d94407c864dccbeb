import { enums, object, type } from 'superstruct'
import type { Shape } from '../shapes/call.ts'
import { Id } from '../shapes/primitives.ts'
import { resource } from '../shapes/resource.ts'
import { administrators } from '../shapes/staff-call.ts'

type PlatformPattern<Query, Item, Draft, Replacement> = {
  base: string
  query: Shape<Query>
  item: Shape<Item>
  draft: Shape<Draft>
  replacement: Shape<Replacement>
}

/** The generic calls for records that the platform's administrators define for all studios (section 7). Rows of the list are whole items. */
export const platformResource = <Query, Item, Draft, Replacement>({
  item,
  ...pattern
}: PlatformPattern<Query, Item, Draft, Replacement>) =>
  resource({
    ...pattern,
    who: administrators,
    listParams: object({}),
    itemParams: object({ id: Id }),
    row: item,
    item,
  })

/** The answer of a deletion: a record that is in use is archived instead. */
export const Removal = type({ outcome: enums(['removed', 'archived']) })
