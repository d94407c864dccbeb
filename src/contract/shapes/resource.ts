import { type } from 'superstruct'
import { type AccessRule, call, type FeatureRequirement, type Shape } from './call.ts'
import { Id } from './primitives.ts'
import { listOf } from './responses.ts'
import { readProblems, writeProblems } from './staff-call.ts'

type Pattern<Rule, ListParams, Query, Row, Item, Draft, Replacement> = {
  /** The path of the list; that of one item is `{base}/:id`. */
  base: string
  who: Rule
  /** The feature that all calls need. */
  needs?: FeatureRequirement
  /** The parameters of the list's path, without an id. */
  listParams: Shape<ListParams>
  /** The same with `id: Id`. */
  itemParams: Shape<ListParams & { id: number }>
  /** The query of the list: `listQuery`, and `type` if there are kinds. */
  query: Shape<Query>
  /** A row of the list, and a complete item. */
  row: Shape<Row>
  item: Shape<Item>
  /** The body that creates an item. */
  draft: Shape<Draft>
  /** The body that replaces an item: a draft and, optionally, the `version` it was made from. */
  replacement: Shape<Replacement>
}

/**
 * The generic resource pattern (section 7): get one item, list (all, of a `type`, or in pages), create, replace,
 * delete. A replacement may name the version it was made from: a different current version is then a conflict.
 */
export const resource = <Rule extends AccessRule, ListParams, Query, Row, Item, Draft, Replacement>(
  pattern: Pattern<Rule, ListParams, Query, Row, Item, Draft, Replacement>,
) => {
  const { base, who, needs, listParams, itemParams, query, row, item, draft, replacement } = pattern
  const access: { who: Rule; needs?: FeatureRequirement } = needs ? { who, needs } : { who }
  const itemPath = `${base}/:id`
  return {
    get: call({ method: 'GET', path: itemPath, ...access, params: itemParams, answer: item, problems: readProblems }),
    list: call({
      method: 'GET',
      path: base,
      ...access,
      params: listParams,
      query,
      answer: listOf(row),
      problems: readProblems,
    }),
    post: call({
      method: 'POST',
      path: base,
      ...access,
      params: listParams,
      body: draft,
      answer: item,
      problems: writeProblems,
    }),
    put: call({
      method: 'PUT',
      path: itemPath,
      ...access,
      params: itemParams,
      body: replacement,
      answer: item,
      problems: writeProblems,
    }),
    remove: call({
      method: 'DELETE',
      path: itemPath,
      ...access,
      params: itemParams,
      answer: type({}),
      problems: writeProblems,
    }),
  }
}

/** The parameters of one item: those of the list, and its id. */
export const withId = <ListParams extends object>(listParams: ListParams): ListParams & { id: typeof Id } => ({
  ...listParams,
  id: Id,
})
