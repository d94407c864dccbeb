import type { Kysely, RawBuilder } from 'kysely'

/** A function that executes the statements one by one, because the embedded database accepts only one at a time. */
export const runInOrder =
  (statements: readonly RawBuilder<unknown>[]) =>
  async (db: Kysely<unknown>): Promise<void> => {
    for (const statement of statements) await statement.execute(db)
  }
