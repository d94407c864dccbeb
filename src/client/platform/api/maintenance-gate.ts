type Ways = { keep: () => Promise<unknown>; leave: () => void }

/** What the page does about 503 answers (section 8). */
export type MaintenanceGate = {
  /** A call met a 503. */
  onUnavailable: () => void
  /** The person chose to go on with what the device has. */
  continueOffline: () => void
  /** The server answered something else: from here on the next 503 counts again. */
  onAvailable: () => void
}

/**
 * The first 503 keeps everything typed and leads to the maintenance screen. Who goes on from there with what the device holds is
 * not sent back again before the server has answered once.
 */
export const createMaintenanceGate = ({ keep, leave }: Ways): MaintenanceGate => {
  let state: 'open' | 'leaving' | 'left' = 'open'
  return {
    onUnavailable: () => {
      if (state !== 'open') return
      state = 'leaving'
      void keep().then(() => {
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
