import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** Stands for the value with this name while the text of a statement is built. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Creates a statement whose text is built once, for statements that run in every request, so that kysely need not build it
 * each time. `build` gets placeholders instead of values, so it may use them only as parameters. The result runs the statement
 * with values and returns its rows.
 */
export const reusableStatement = <Values extends Readonly<Record<string, unknown>>, Row>(
  build: (placeholders: Values) => RawBuilder<Row>,
): ((db: Db, values: Values) => Promise<Row[]>) => {
  let compiled: CompiledQuery<Row> | undefined
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })
  return async (db, values) => {
    compiled ??= build(placeholders as Values).compile(db) // placeholders become parameters, like values of any type
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value))
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}
