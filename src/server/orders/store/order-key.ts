/** The key of an order in the database. */
export type OrderKey = { readonly studioId: number; readonly orderId: number }
