import type { Migration } from 'kysely/migration'
import { baseline } from './baseline/baseline.ts'

/** Every migration, in order. A released one is never edited: each change of the schema is a new migration. */
export const migrations: Record<string, Migration> = {
  '0001-baseline': baseline,
}
