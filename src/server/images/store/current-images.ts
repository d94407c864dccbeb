import { sql } from 'kysely'

/** Whether image `i` was not replaced by another. A replaced image stays in the orders and carts that have it, and is offered nowhere else. */
export const isCurrent = sql<boolean>`i.superseded_at is null`
