import { useEffect, useState } from 'react'
import type { CartKey } from '../../../local/database.ts'
import { deviceTimers } from '../../../local/timers.ts'
import { ask } from '../../device/ask.ts'
import { local, stamp } from '../../device/local.ts'
import { online } from '../../device/online.ts'
import { useSignal } from '../../device/signal.ts'
import { createPayment, type Payment } from './payment.ts'
import type { PaymentState } from './payment-states.ts'

/** This cart's payment while its screen is open; one of before is taken up at once, and asked for again when the network is back. */
export const usePayment = ({ jobId, orderMethod }: CartKey): { payment: Payment; state: PaymentState } => {
  const [payment] = useState(() =>
    createPayment({ db: local, ask, stamp, timers: deviceTimers, key: { jobId, orderMethod } }),
  )
  useEffect(() => {
    void payment.resume()
    const unwatch = online.subscribe(() => {
      if (online.current()) void payment.askNow()
    })
    return () => {
      unwatch()
      payment.stop()
    }
  }, [payment])
  return { payment, state: useSignal(payment.state) }
}
