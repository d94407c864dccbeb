import { useEffect, useState } from 'react'
import type { CartKey } from '#local/store/rows.ts'
import { deviceTimers } from '#local/transport/timers.ts'
import { callApi } from '#platform/api/api.ts'
import { database, stamp } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import { useSignal } from '#platform/signal.ts'
import { type CartPayment, createCartPayment } from './cart-payment.ts'
import type { Payment } from './create-payment.ts'
import type { PaymentState } from './payment-states.ts'

export const paymentDependencies = { db: database, ask: callApi, stamp, timers: deviceTimers }

/** A payment bound to its screen. Resumes a stored payment at once, and polls again when the network is back. */
export const useResumedPayment = <Paying>(
  create: () => Payment<Paying>,
): { payment: Payment<Paying>; state: PaymentState } => {
  const [payment] = useState(create)
  useEffect(() => {
    void payment.resume()
    const unwatch = online.subscribe(() => {
      if (online.current()) void payment.pollNow()
    })
    return () => {
      unwatch()
      payment.stop()
    }
  }, [payment])
  return { payment, state: useSignal(payment.state) }
}

/** This cart's payment. */
export const usePayment = ({ jobId, orderMethod }: CartKey): { payment: CartPayment; state: PaymentState } =>
  useResumedPayment(() => createCartPayment({ ...paymentDependencies, key: { jobId, orderMethod } }))
