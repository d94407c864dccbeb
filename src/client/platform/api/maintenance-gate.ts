type MaintenanceGateInput = { flush: () => Promise<unknown>; leave: () => void }

/** How the page handles 503 responses (section 8). */
export type MaintenanceGate = {
  /** A call received a 503. */
  onUnavailable: () => void
  /** The customer chose to continue offline. */
  continueOffline: () => void
  /** Any other response: the next 503 counts again. */
  onAvailable: () => void
}

/**
 * The first 503 flushes all input and shows the maintenance screen. After choosing to continue offline, the customer is
 * not sent back until the server has responded once.
 */
export const createMaintenanceGate = ({ flush, leave }: MaintenanceGateInput): MaintenanceGate => {
  let state: 'open' | 'leaving' | 'left' = 'open'
  return {
    onUnavailable: () => {
      if (state !== 'open') return
      state = 'leaving'
      void flush().then(() => {
        if (state === 'leaving') leave()
        state = 'left'
      })
    },
    continueOffline: () => {
      state = 'left'
    },
    onAvailable: () => {
      state = 'open'
    },
  }
}
