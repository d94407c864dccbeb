import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { checkHealth, maintenanceGate } from '#platform/api/api.ts'
import { useCartUrl } from '#platform/last-opened-job.ts'
import { safeReturnPath, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'

/** Milliseconds between two health checks. */
export const maintenancePollMs = 5_000

const title = 'We’ll be back in a moment'

type MaintenanceRoute = { from?: string | undefined }

/**
 * Shown during maintenance (section 8), with the message of the platform's administrators. Polls in the background and
 * returns to the previous URL once maintenance is over.
 */
export const MaintenanceScreen = ({ from }: MaintenanceRoute) => {
  const returnUrl = safeReturnPath(from) ?? urls.home()
  const cartUrl = useCartUrl(returnUrl)
  const [attempt, setAttempt] = useState(0)
  const [message, setMessage] = useState(title)
  const [, navigate] = useLocation()

  useEffect(() => {
    let isMounted = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async (_attempt: number) => {
      const health = await checkHealth()
      if (!isMounted) return
      const closedMessage = health.ok ? health.data.maintenance : title
      if (closedMessage === undefined) return navigate(returnUrl, { replace: true })
      setMessage(closedMessage)
      timer = setTimeout(() => setAttempt((before) => before + 1), maintenancePollMs)
    }
    void poll(attempt)
    return () => {
      isMounted = false
      clearTimeout(timer)
    }
  }, [returnUrl, navigate, attempt])

  return (
    <PlainPage title={title}>
      {message !== title && <p role="status">{message}</p>}
      <p>We’re working on the site. Everything you chose is saved on this device.</p>
      <p>This page takes you back to where you were when we’re done.</p>
      <div>
        <Button onClick={() => setAttempt((before) => before + 1)}>Try now</Button>{' '}
        {cartUrl && (
          <ButtonLink href={cartUrl} variant="secondary" onClick={maintenanceGate.continueOffline}>
            Go on with my cart
          </ButtonLink>
        )}
      </div>
    </PlainPage>
  )
}
