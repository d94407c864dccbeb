import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { isServerBack, maintenanceGate } from '#platform/api/api.ts'
import { useCartUrl } from '#platform/last-opened-job.ts'
import { safeReturnPath, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'

/** Milliseconds between two health checks. */
export const maintenancePollMs = 5_000

type MaintenanceRoute = { from?: string | undefined }

/**
 * Shown during maintenance (section 8). Polls in the background and returns to the previous URL once the server
 * responds.
 */
export const MaintenanceScreen = ({ from }: MaintenanceRoute) => {
  const back = safeReturnPath(from) ?? urls.home()
  const cart = useCartUrl(back)
  const [attempt, setAttempt] = useState(0)
  const [, navigate] = useLocation()

  useEffect(() => {
    let isMounted = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async (_attempt: number) => {
      const isBack = await isServerBack()
      if (!isMounted) return
      if (isBack) navigate(back, { replace: true })
      else timer = setTimeout(() => setAttempt((before) => before + 1), maintenancePollMs)
    }
    void poll(attempt)
    return () => {
      isMounted = false
      clearTimeout(timer)
    }
  }, [back, navigate, attempt])

  return (
    <PlainPage title="We’ll be back in a moment">
      <p>We are working on the site right now. Everything you chose is kept on this device, and nothing was lost.</p>
      <p>You don’t have to do anything: this page takes you back to where you were as soon as we are done.</p>
      <div>
        <Button onClick={() => setAttempt((before) => before + 1)}>Try now</Button>{' '}
        {cart && (
          <ButtonLink href={cart} variant="secondary" onClick={maintenanceGate.continueOffline}>
            Go on with my cart
          </ButtonLink>
        )}
      </div>
    </PlainPage>
  )
}
