import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '#server/deps.ts'

/** Whether studio `s` of a query can be paid by card. With the built-in provider every studio can. */
export const acceptsCards = ({ payment }: Pick<Deps, 'payment'>): RawBuilder<boolean> =>
  payment.name === 'test' ? sql<boolean>`true` : sql<boolean>`(s.stripe_account_id is not null)`
