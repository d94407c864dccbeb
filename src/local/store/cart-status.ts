export type CartStatus = { kind: 'empty' | 'saving' | 'saved' | 'sending' | 'sent' | 'attention'; label: string }

/** A change was tapped that the device has not written yet: a browser killed now would lose it. */
export const savingStatus: CartStatus = { kind: 'saving', label: 'Saving…' }

/** Stored on this device only. */
export const savedStatus: CartStatus = { kind: 'saved', label: 'Saved on this phone' }

export type CartStatusInput = {
  lineCount: number
  /** Mutations the server has not settled. */
  waiting: number
  /** Mutations set aside, or a cart that cannot be sent without the customer. */
  needsCustomer: boolean
  inFlight: boolean
}

/**
 * The status of the whole cart, with the header's label. Never claims more than the device knows; only an order is
 * called "sent".
 */
export const cartStatus = ({ lineCount, waiting, needsCustomer, inFlight }: CartStatusInput): CartStatus => {
  if (needsCustomer) return { kind: 'attention', label: 'Needs your attention' }
  if (waiting > 0 && inFlight) return { kind: 'sending', label: 'Sending…' }
  if (waiting > 0) return savedStatus
  if (lineCount === 0) return { kind: 'empty', label: '' }
  return { kind: 'sent', label: 'Saved' }
}
