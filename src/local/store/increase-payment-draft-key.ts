export type PlacedOrder = { jobId: number; orderNumber: string }

/**
 * The key of the draft that stores a payment to increase an order. In a file of its own, because every order screen
 * checks for the draft.
 */
export const increasePaymentDraftKey = ({ jobId, orderNumber }: PlacedOrder): string => `more:${jobId}:${orderNumber}`
