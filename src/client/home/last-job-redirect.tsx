import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { lastOpenedJob } from '#platform/last-opened-job.ts'
import { urls } from '#platform/urls.ts'

/** Targets of the manifest's start URLs, by `source`. */
const targets = {
  installed: urls.subjectSearch,
  cart: urls.cart,
  code: urls.customerStudio,
} as const

const isKnownSource = (source: string): source is keyof typeof targets => source in targets

/** Redirects the installed app to the job this device opened last: its search, its cart, or its studio's page. */
export const LastJobRedirect = ({ source }: { source: string }) => {
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!isKnownSource(source)) return
    void lastOpenedJob().then((route) => route && navigate(targets[source](route), { replace: true }), console.warn)
  }, [source, navigate])
  return null
}
