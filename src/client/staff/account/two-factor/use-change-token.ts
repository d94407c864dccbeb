import { useState } from 'react'

type ChangeToken = { stepToken: string; expiration: string }

/** A token is not used in its last seconds, so that it does not expire in transit. */
const marginMs = 10_000

/**
 * The token for changes of the two-factor sign-in. `withToken` runs a change at once while the last token is valid, and
 * otherwise after the password, which is asked for while `isAsking`.
 */
export const useChangeToken = () => {
  const [token, setToken] = useState<ChangeToken | null>(null)
  const [pending, setPending] = useState<{ change: (stepToken: string) => void } | null>(null)
  return {
    isAsking: pending !== null,
    withToken: (change: (stepToken: string) => void) => {
      if (token && Date.parse(token.expiration) - marginMs > Date.now()) change(token.stepToken)
      else setPending({ change })
    },
    receive: (received: ChangeToken) => {
      setToken(received)
      setPending(null)
      pending?.change(received.stepToken)
    },
    cancel: () => setPending(null),
    drop: () => setToken(null),
  }
}
