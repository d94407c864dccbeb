/** Every table of the schema `public`, for kysely; written together with the migrations. */
export type Tables = Record<never, never>
