export type PlacedOrder = { jobId: number; orderNumber: string }

/** The key of the draft that holds a payment for more of an order. Apart from the payment: every order's screen looks whether there is one. */
export const increasePaymentKey = ({ jobId, orderNumber }: PlacedOrder): string => `more:${jobId}:${orderNumber}`
