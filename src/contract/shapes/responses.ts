import { array, type Infer, optional, record, size, string, type, union } from 'superstruct'
import type { Page } from '#domain/shared/paging.ts'
import type { Shape } from './call.ts'
import { Count } from './primitives.ts'

/** The body of a failed response: messages for the user, for forms by field, and the problem's name for programs. */
export const Failure = type({
  errors: array(string()),
  fields: optional(record(string(), array(string()))),
  problem: optional(string()),
})
export type Failure = Infer<typeof Failure>

/** A page of a list (section 3, paging): pages count from 1, with 50 items by default. */
export const pageOf = <Item>(item: Shape<Item>) =>
  type({ resultItems: array(item), currentPage: Count, pageSize: Count, totalRecords: Count })

/** The paging parameters of a list call: if any is set, the response is a page. */
export const pageQuery = {
  currentPage: optional(Count),
  pageSize: optional(Count),
  filter: optional(size(string(), 0, 60)),
}

/**
 * The response of a list call: a page if the query requests one (`isPageRequested`), otherwise the whole list as an
 * array.
 */
export const listOf = <Item>(item: Shape<Item>): Shape<Item[] | Page<Item>> => union([array(item), pageOf(item)])

/**
 * Header of every response to a customer's session, including failures: an identifier for the set of images it may see.
 * While it is the same, no image was withdrawn; when it changes, some may have been, and `checkImages` returns which.
 */
export const imagesHeader = 'x-photos'
