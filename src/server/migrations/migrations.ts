import type { Migration } from 'kysely/migration'

/** Every step of the schema, by a name whose order is the order of running. */
export const migrations: Record<string, Migration> = {}
