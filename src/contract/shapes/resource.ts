import { type } from 'superstruct'
import type { AccessRule, Shape } from './call.ts'
import { Id, Nothing } from './primitives.ts'
import { listOf } from './responses.ts'
import { readProblems, writeProblems } from './staff-call.ts'

type Pattern<Asker, Above, Query, Row, Item, Draft, Kept> = {
  /** The path of the list; that of one item is `{base}/:id`. */
  base: string
  who: Asker
  /** The parameters of the list's path. */
  above: Shape<Above>
  /** The same with `id: Id`. */
  of: Shape<Above & { id: number }>
  /** The query of the list: `listQuery`, and `type` if there are kinds. */
  query: Shape<Query>
  /** A row of the list, and a complete item. */
  row: Shape<Row>
  item: Shape<Item>
  /** The body that creates an item. */
  draft: Shape<Draft>
  /** The body that replaces an item: a draft and, optionally, the `version` it was made from. */
  kept: Shape<Kept>
}

/**
 * The generic resource pattern (section 7): get one item, list (all, of a `type`, or in pages), create, replace,
 * delete. A replacement may name the version it was made from: a different current version is then a conflict.
 */
export const resource = <Asker extends AccessRule, Above, Query, Row, Item, Draft, Kept>(
  pattern: Pattern<Asker, Above, Query, Row, Item, Draft, Kept>,
) => {
  const { base, who, above, of, query, row, item, draft, kept } = pattern
  const one = `${base}/:id`
  return {
    get: {
      method: 'GET',
      path: one,
      who,
      params: of,
      query: Nothing,
      body: Nothing,
      answer: item,
      problems: readProblems,
    },
    list: {
      method: 'GET',
      path: base,
      who,
      params: above,
      query,
      body: Nothing,
      answer: listOf(row),
      problems: readProblems,
    },
    post: {
      method: 'POST',
      path: base,
      who,
      params: above,
      query: Nothing,
      body: draft,
      answer: item,
      problems: writeProblems,
    },
    put: {
      method: 'PUT',
      path: one,
      who,
      params: of,
      query: Nothing,
      body: kept,
      answer: item,
      problems: writeProblems,
    },
    remove: {
      method: 'DELETE',
      path: one,
      who,
      params: of,
      query: Nothing,
      body: Nothing,
      answer: type({}),
      problems: writeProblems,
    },
  } as const // told to be calls here, they would forget who may make them; `everyCall` holds them to it
}

/** The parameters of one item: those of the list, and its id. */
export const withId = <Above extends object>(above: Above): Above & { id: typeof Id } => ({ ...above, id: Id })
