import { array, type Infer, optional, record, string, type } from 'superstruct'
import type { Shape } from './call.ts'
import { Count } from './primitives.ts'

/** What a failed call answers: sentences a person can act on; for forms, those of each field; for programs, the problem's name. */
export const Failure = type({
  errors: array(string()),
  fields: optional(record(string(), array(string()))),
  problem: optional(string()),
})
export type Failure = Infer<typeof Failure>

/** A page of a list (section 3, paging): pages count from 1, 50 to a page unless asked otherwise. */
export const pageOf = <Item>(item: Shape<Item>) =>
  type({ resultItems: array(item), currentPage: Count, pageSize: Count, totalRecords: Count })
