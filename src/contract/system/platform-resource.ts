import { enums, object, size, string, type } from 'superstruct'
import { call, type Shape } from '../shapes/call.ts'
import { Count, Id } from '../shapes/primitives.ts'
import { resource } from '../shapes/resource.ts'
import { administrators, FileContent, readProblems, writeProblems } from '../shapes/staff-call.ts'

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

/** The characters of a file that is imported: some 20,000 lines. */
const maxCsvLength = 1_000_000

/** The calls that write all records to a CSV, and create and change records by one: all of its lines, or none. */
export const resourceFileCalls = (base: string) => ({
  exportFile: call({
    method: 'POST',
    path: `${base}/export`,
    who: administrators,
    answer: FileContent,
    problems: readProblems,
  }),
  importFile: call({
    method: 'POST',
    path: `${base}/import`,
    who: administrators,
    body: object({ csv: size(string(), 0, maxCsvLength) }),
    answer: type({ created: Count, changed: Count, unchanged: Count }),
    problems: writeProblems,
  }),
})

/** The answer of a deletion: a record that is in use is archived instead. */
export const Removal = type({ outcome: enums(['removed', 'archived']) })
