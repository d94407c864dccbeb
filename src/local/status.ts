export type CartStatus = { kind: 'empty' | 'saved' | 'sending' | 'sent' | 'attention'; words: string }

/** Nobody but this device knows of it yet. */
export const savedStatus: CartStatus = { kind: 'saved', words: 'Saved on this phone' }

export type CartFacts = {
  lineCount: number
  /** Mutations the server has not settled. */
  waiting: number
  /** Mutations set aside, or a cart that cannot be sent without the customer. */
  needsCustomer: boolean
  inFlight: boolean
  studioName: string
}

/** What is true of the whole cart, in the words of every screen. Never says more than the device knows. */
export const cartStatus = ({ lineCount, waiting, needsCustomer, inFlight, studioName }: CartFacts): CartStatus => {
  if (needsCustomer) return { kind: 'attention', words: 'Needs your attention' }
  if (waiting > 0 && inFlight) return { kind: 'sending', words: 'Sending…' }
  if (waiting > 0) return savedStatus
  if (lineCount === 0) return { kind: 'empty', words: '' }
  return { kind: 'sent', words: `Sent to ${studioName}` }
}
