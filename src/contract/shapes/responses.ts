import { array, type Infer, optional, record, size, string, type, union } from 'superstruct'
import type { Page } from '#domain/shared/paging.ts'
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

/** What a list call takes beside its own: naming any of them asks for a page. */
export const pageQuery = {
  currentPage: optional(Count),
  pageSize: optional(Count),
  filter: optional(size(string(), 0, 60)),
}

/** What a list call answers: a page where its query asks for one (`isPageAsked`), else the whole list as a plain array. */
export const listOf = <Item>(item: Shape<Item>): Shape<Item[] | Page<Item>> => union([array(item), pageOf(item)])

/**
 * In every answer to a customer's session, failures too: names the state of the photos it may see. While the state is the same, none of
 * them was withdrawn; where it is another, some may have been, and `checkPhotos` answers which.
 */
export const photosHeader = 'x-photos'
