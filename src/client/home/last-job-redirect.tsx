import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { lastOpenedJob } from '#platform/last-opened-job.ts'
import { urls } from '#platform/urls.ts'

/** Where the manifest's addresses of the start lead, by their `source`. */
const ways = {
  installed: urls.subjectSearch,
  cart: urls.cart,
  code: urls.customerStudio,
} as const

const isWay = (source: string): source is keyof typeof ways => source in ways

/** From the home screen of the phone straight to the event this device was in last: to it, to its cart, or to a code for another one. */
export const LastJobRedirect = ({ source }: { source: string }) => {
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!isWay(source)) return
    void lastOpenedJob().then((visit) => visit && navigate(ways[source](visit), { replace: true }), console.warn)
  }, [source, navigate])
  return null
}
