import { useEffect, useRef } from 'react'
import { findPlace } from '#contract/customer/address-calls.ts'
import { callApi } from '#platform/api/api.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import type { CheckoutFormState } from './checkout-field.tsx'

type FillPlaceProps = { jobId: number; fields: CheckoutFormState; part: 'billingAddress' | 'shippingAddress' }

type Place = { city: string; state: string }

const noPlace: Place = { city: '', state: '' }

/** Fills in the city and the state of a ZIP code, unless the customer has typed them. Shows nothing. */
export const FillPlace = ({ jobId, fields, part }: FillPlaceProps) => {
  const zip = fields.form[part].zip.slice(0, 5)
  /** What was filled in last: another ZIP code replaces it. */
  const filled = useRef(noPlace)
  const mayFill = useEventCallback((): boolean => {
    const { city, state } = fields.form[part]
    return (city === '' || city === filled.current.city) && (state === '' || state === filled.current.state)
  })
  const fill = useEventCallback((place: Place) => {
    if (!mayFill()) return
    filled.current = place
    fields.change((before) => ({ ...before, [part]: { ...before[part], ...place } }))
  })
  useEffect(() => {
    if (!/^\d{5}$/.test(zip) || !mayFill()) return
    const controller = new AbortController()
    const find = async () => {
      const result = await callApi(findPlace, { params: { jobId, zip }, signal: controller.signal })
      if (result.ok && result.data.place && !controller.signal.aborted) fill(result.data.place)
    }
    void find()
    return () => controller.abort()
  }, [jobId, zip, mayFill, fill])
  return null
}
