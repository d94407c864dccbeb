/** An order as the database finds it. */
export type OrderKey = { readonly studioId: number; readonly orderId: number }
