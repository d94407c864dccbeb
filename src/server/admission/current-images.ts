import { sql } from 'kysely'

/** Whether no other image replaced image `i`: one that was replaced stays for the orders and carts that have it, and is offered to nobody else. */
export const isCurrent = sql<boolean>`i.superseded_at is null`
