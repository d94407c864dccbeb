import { type } from 'superstruct'
import type { AccessRule, Shape } from './call.ts'
import { Id, Nothing } from './primitives.ts'
import { listOf } from './responses.ts'
import { readProblems, writeProblems } from './staff-call.ts'

type Pattern<Asker, Above, Query, Row, Item, Draft, Kept> = {
  /** The path of the list; one thing of it is `{base}/:id`. */
  base: string
  who: Asker
  /** What the path of the list names. */
  above: Shape<Above>
  /** The same with `id: Id`. */
  of: Shape<Above & { id: number }>
  /** What the list takes: `listQuery`, and `type` where there are kinds. */
  query: Shape<Query>
  /** A line of the list, and the whole thing. */
  row: Shape<Row>
  item: Shape<Item>
  /** What makes a new one. */
  draft: Shape<Draft>
  /** What takes the place of an old one: a draft, and the `version` it was made from where it says so. */
  kept: Shape<Kept>
}

/**
 * The generic resource pattern (section 7): one thing, the list (whole, of a `type`, or in pages), make, replace, take away. What is
 * replaced may say the version it was seen in: then, where somebody else was faster, the answer is a conflict.
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

/** What names one thing of a list: what names the list, and its id. */
export const withId = <Above extends object>(above: Above): Above & { id: typeof Id } => ({ ...above, id: Id })
