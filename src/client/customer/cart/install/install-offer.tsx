import HousePlus from 'lucide-react/icons/house-plus'
import { lazy, Suspense, useState } from 'react'
import { installDismissedKey, installPrompt } from '#platform/install-prompt.ts'
import { useSignal } from '#platform/signal.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

const InstallSteps = lazy(async () => ({ default: (await import('./install-steps.tsx')).InstallSteps }))

type BrowserInfo = Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & { standalone?: boolean }

/** iPhones and iPads have no install prompt; newer iPads identify themselves as Macs. */
export const isAppleMobileDevice = ({ userAgent, maxTouchPoints }: BrowserInfo): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)

const isInstalled = (): boolean =>
  window.matchMedia('(display-mode: standalone)').matches || (navigator as BrowserInfo).standalone === true // only Apple's browsers have it

/** Offers to install the app, in browsers that support it, until the customer dismisses the offer. */
export const InstallOffer = () => {
  const prompt = useSignal(installPrompt)
  const [dismissed, setDismissed] = useState(() => isInstalled() || localStorage.getItem(installDismissedKey) !== null)
  const [stepsState, setStepsState] = useState<'never' | 'open' | 'closed'>('never')
  const needsManualSteps = prompt === null && isAppleMobileDevice(navigator)
  if (dismissed || (prompt === null && !needsManualSteps)) return null
  const dismiss = () => {
    localStorage.setItem(installDismissedKey, '1')
    setDismissed(true)
  }
  const install = async () => {
    if (!prompt) return setStepsState('open')
    // The browser prompts only once, so a customer who declines is not asked again.
    const { outcome } = await prompt.prompt()
    installPrompt.set(null)
    if (outcome === 'dismissed') dismiss()
  }
  return (
    <>
      <Notice
        title="Add to your home screen"
        action={
          <Button size="sm" variant="secondary" icon={HousePlus} onClick={() => void install()}>
            {needsManualSteps ? 'Show me how' : 'Add to home screen'}
          </Button>
        }
        onDismiss={dismiss}
      >
        Opens instantly, even offline.
      </Notice>
      {stepsState !== 'never' && (
        <Suspense>
          <InstallSteps open={stepsState === 'open'} onClose={() => setStepsState('closed')} />
        </Suspense>
      )}
    </>
  )
}
